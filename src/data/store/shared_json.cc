#include "data/store/shared_json.h"

#include "data/store/sums.h"

namespace data_import::store {

namespace {

void write_arrivals(json::Writer& writer, std::string_view name, const Arrivals& arrivals) {
    writer.key(name).begin_object().key("accounts").integer(arrivals.accounts);
    writer.key("records").integer(arrivals.records).end_object();
}

std::optional<std::string> unless_empty(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

void write_figures(json::Writer& writer, const KindFigures& figures) {
    writer.begin_object().key("records").integer(figures.records);
    writer.key("amount").string_or_null(figures.amount);
    writer.key("fingerprint").string_or_null(figures.fingerprint);
    if (figures.sums) write_sums(writer.key("sums"), *figures.sums);
    writer.end_object();
}

/// Writes a figure. The member `difference` is booked minus held.
void write_figure(json::Writer& writer, const FigureToTheEnd& figure) {
    writer.begin_object().key("kind").string(figure.kind).key("figure").string(figure.figure);
    writer.key("declared").string_or_null(figure.declared).key("held").string_or_null(figure.held);
    writer.key("booked").string_or_null(figure.booked);
    writer.key("difference").string_or_null(figure.booked_difference).key("accepted");
    if (figure.acceptance) {
        write_acceptance(writer.begin_object(), *figure.acceptance);
        writer.end_object();
    } else {
        writer.null();
    }
    writer.end_object();
}

}  // namespace

void write_accounts(json::Writer& writer, const AccountCounts& accounts) {
    writer.begin_object();
    for (std::size_t state = 0; state < account_states.size(); ++state)
        writer.key(account_states[state]).integer(accounts[state]);
    writer.end_object();
}

void write_progress(json::Writer& writer, const MigrationProgress& progress) {
    writer.key("as_of").string(progress.as_of).key("accounts");
    write_accounts(writer, progress.accounts);
    writer.key("records").begin_object();
    for (const auto& [kind, count] : progress.records) writer.key(kind).integer(count);
    writer.end_object().key("differing_transactions").integer(progress.differing_transactions);
    writer.key("rates").begin_object();
    write_arrivals(writer, "last_minute", progress.last_minute);
    write_arrivals(writer, "last_hour", progress.last_hour);
    if (progress.last_day) write_arrivals(writer, "last_day", *progress.last_day);
    writer.end_object();
    writer.key("last_import_at").string_or_null(progress.last_import_at);
    writer.key("estimated_end_at").string_or_null(progress.estimated_end_at);
    writer.key("stands_still_since").string_or_null(progress.stands_still_since);
}

void write_series(json::Writer& writer, const TimeSeries& series) {
    writer.key("began_at").string(time_text(series.began_at)).key("seconds").integer(series.seconds);
    writer.key("counts").begin_object();
    for (const auto& [name, counts] : series.counts) {
        writer.key(name).begin_array();
        for (const std::int64_t count : counts) writer.integer(count);
        writer.end_array();
    }
    writer.end_object();
}

void write_difference(json::Writer& writer, const Difference& difference) {
    writer.key("external_account_number").string(difference.external_account_number);
    writer.key("kind").string(difference.kind);
    write_figures(writer.key("declared"), difference.declared);
    KindFigures held = difference.held;
    if (!difference.declared.sums) held.sums.reset();
    write_figures(writer.key("held"), held);
}

void write_acceptance(json::Writer& writer, const Acceptance& acceptance) {
    writer.key("by").string(acceptance.by).key("at").string(acceptance.at);
    writer.key("reason").string(acceptance.reason);
}

void write_erasure(json::Writer& writer, const std::optional<SupplierErasure>& erasure) {
    if (!erasure) return static_cast<void>(writer.null());
    writer.begin_object().key("began_at").string(erasure->began_at).key("by").string(erasure->begun_by);
    writer.key("ended_at").string_or_null(erasure->ended_at).key("accounts").integer(erasure->accounts);
    writer.key("records").integer(erasure->records).end_object();
}

void write_acknowledgement(json::Writer& writer, const std::optional<Acknowledgement>& acknowledgement) {
    if (!acknowledgement) return static_cast<void>(writer.null());
    writer.begin_object().key("failed").integer(acknowledgement->failed);
    writer.key("refused").integer(acknowledgement->refused).key("reason").string(acknowledgement->reason);
    writer.key("by").string(acknowledgement->by).key("at").string(acknowledgement->at).end_object();
}

void write_account_of(json::Writer& writer, const KeptRefusal& refusal) {
    const std::string& number = refusal.account.external_account_number;
    writer.key("import_supplier").string(refusal.account.import_supplier);
    writer.key("external_account_number")
        .string_or_null(number.empty() ? std::nullopt : std::optional(number));
    writer.key("is_known").boolean(refusal.is_known);
}

void write_not_kept(json::Writer& writer, const std::optional<KeptPart>& part) {
    if (!part) return static_cast<void>(writer.null());
    writer.begin_object().key("import_supplier").string(part->import_supplier);
    writer.key("since").string(part->since).key("refusals").integer(part->refusals);
    writer.key("kept").integer(part->kept).end_object();
}

void write_booking(json::Writer& writer, const Booking& booking, const std::vector<FigureToTheEnd>& figures) {
    writer.key("consumer").string(booking.consumer).key("ready").boolean(booking.is_ready);
    writer.key("not_taken").integer(booking.not_taken);
    writer.key("declared_at").string_or_null(booking.declared_at);
    writer.key("declared_by").string_or_null(booking.declared_by);
    writer.key("verdict").string(booking.verdict()).key("explained").boolean(booking.is_explained());
    writer.key("undeclared_kinds").begin_array();
    for (const std::string& kind : booking.undeclared_kinds) writer.string(kind);
    writer.end_array().key("figures").begin_array();
    for (const FigureToTheEnd& one : figures) write_figure(writer, one);
    writer.end_array();
}

void write_consumer_progress(json::Writer& writer, const ConsumerProgress& progress) {
    const Consumer& consumer = progress.consumer;
    writer.begin_object().key("consumer").string(consumer.name).key("from").string(consumer.begins);
    writer.key("suppliers");
    if (consumer.suppliers) {
        writer.begin_array();
        for (const std::string& code : *consumer.suppliers) writer.string(code);
        writer.end_array();
    } else {
        writer.null();
    }
    writer.key("added_at").string(consumer.added_at).key("added_by").string(consumer.added_by);
    writer.key("ready").boolean(consumer.is_ready);
    writer.key("import_supplier").string_or_null(progress.import_supplier);
    writer.key("waiting").integer(progress.waiting);
    writer.key("oldest_waiting_since").string_or_null(progress.oldest_waiting_since);
    writer.key("accounts_taken").integer(progress.accounts_taken);
    writer.key("records_taken").integer(progress.records_taken);
    writer.key("taken_at").string_or_null(progress.taken_at).end_object();
}

void write_detail(json::Writer& writer, const Refusal& refusal) {
    writer.key("detail").string_or_null(unless_empty(refusal.detail));
}

void write_places(json::Writer& writer, const std::vector<RefusedPlace>& places) {
    writer.begin_array();
    for (const auto& [code, attr, detail] : places) {
        writer.begin_object().key("code").string(code).key("attr").string(attr);
        writer.key("detail").string_or_null(unless_empty(detail)).end_object();
    }
    writer.end_array();
}

}  // namespace data_import::store

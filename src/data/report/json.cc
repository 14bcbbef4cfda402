// Writes a report as JSON.
#include "base/util/version.h"
#include "data/json/writer.h"
#include "data/report/report.h"
#include "data/store/shared_json.h"

namespace data_import::report {

namespace {

void write_head(json::Writer& writer, const Report& report) {
    writer.key("report").string(std::string(id_mark) + report.id);
    writer.key("draft").boolean(report.is_draft);
    writer.key(report.is_draft ? "to_be_signed_by" : "signed_by").string_or_null(report.signer);
    writer.key("made_by");
    if (report.by) {
        writer.begin_object().key("system_user").string(report.by->system_user);
        writer.key("host").string(report.by->host).end_object();
    } else {
        writer.null();
    }
    writer.key("program_version").string(util::version);
    writer.key("schema_version").integer(report.schema_version);
    writer.key("import_supplier").begin_object().key("code").string(report.supplier.code);
    writer.key("name").string(report.supplier.name).key("status").string(report.supplier.status).end_object();
}

void write_figure(json::Writer& writer, const store::ControlFigure& figure) {
    writer.key("kind").string(figure.kind).key("figure").string(figure.figure);
    writer.key("declared").string_or_null(figure.declared);
    writer.key("held").string_or_null(figure.held);
    writer.key("difference").string_or_null(figure.difference);
}

}  // namespace

void write_accepted(json::Writer& writer, const Explanations& explanations) {
    writer.begin_object().key("count");
    writer.integer(static_cast<std::int64_t>(explanations.accepted.size()));
    writer.key("lapsed").integer(explanations.lapsed).key("accounts").begin_array();
    std::size_t listed = 0;
    for (const auto& [difference, acceptance] : explanations.accepted) {
        if (++listed > most_listed) break;
        write_difference(writer.begin_object(), difference);
        write_acceptance(writer, acceptance);
        writer.end_object();
    }
    writer.end_array().end_object();
}

namespace {

void write_totals(json::Writer& writer, const Report& report) {
    writer.key("control_totals").begin_object().key("verdict").string(report.totals.verdict());
    writer.key("explained").boolean(report.explanations.is_complete()).key("figures").begin_array();
    Judgements judgements(report.explanations.figures);
    for (const store::ControlFigure& figure : report.totals.figures) {
        writer.begin_object();
        write_figure(writer, figure);
        if (figure.figure == store::records_figure)
            writer.key("by_service")
                .integer(store::records_by_service(report.progress, report.totals, figure.kind));
        if (const DifferingFigure* differing = judgements.find(figure)) {
            writer.key("accepted").string_or_null(differing->accepted);
            writer.key("explained").boolean(differing->is_explained);
        }
        writer.end_object();
    }
    writer.end_array().key("left_out").begin_object();
    for (const auto& [kind, count] : report.totals.left_out) writer.key(kind).integer(count);
    writer.end_object();
    write_accepted(writer.key("accepted"), report.explanations);
    writer.end_object();
}

void write_bookings(json::Writer& writer, const Report& report) {
    if (report.bookings.empty()) return;
    writer.key("booked").begin_array();
    for (const store::Booking& one : report.bookings) {
        store::write_booking(writer.begin_object(), one, store::beside(report.totals, one));
        writer.end_object();
    }
    writer.end_array();
}

void write_comparison(json::Writer& writer, const std::optional<store::AccountComparison>& comparison) {
    if (!comparison) return static_cast<void>(writer.null());
    writer.begin_object().key("accounts").integer(comparison->accounts);
    writer.key("different").integer(comparison->open).key("accepted").integer(comparison->accepted);
    writer.key("by").string(comparison->by).key("at").string(comparison->at);
    writer.key("has_changed_since").boolean(comparison->has_changed_since).end_object();
}

void write_open(json::Writer& writer, std::string_view name, std::int64_t count,
                const std::vector<store::OpenAccount>& accounts) {
    writer.key(name).begin_object().key("count").integer(count).key("accounts").begin_array();
    for (const store::OpenAccount& account : accounts) {
        writer.begin_object().key("external_account_number").string(account.external_account_number);
        writer.key("since").string(account.since);
        writer.key("reason").string_or_null(account.reason);
        writer.end_object();
    }
    writer.end_array().end_object();
}

void write_scan(json::Writer& writer, const Scan& scan) {
    writer.begin_object().key("accounts").integer(scan.accounts).key("records").integer(scan.records);
    writer.key("differences").begin_array();
    for (const store::ControlFigure& one : scan.differences) {
        writer.begin_object().key("kind").string(one.kind).key("figure").string(one.figure);
        writer.key("in_totals").string_or_null(one.held);
        writer.key("in_records").string_or_null(one.declared);
        writer.end_object();
    }
    writer.end_array().key("imported_without").begin_object();
    for (const AccountsWithout& without : scan.without) {
        writer.key(without.kind).begin_object().key("count").integer(without.count);
        writer.key("accounts").begin_array();
        for (const std::string& number : without.first) writer.string(number);
        writer.end_array().end_object();
    }
    writer.end_object().key("api_keys").begin_array();
    for (const store::ImportingKey& key : scan.keys) {
        writer.begin_object().key("id").string(key.api_key_id);
        writer.key("organisation").string_or_null(key.organisation);
        writer.key("revoked_at").string_or_null(key.revoked_at);
        writer.key("records").integer(key.records).key("first_at").string(key.first_at);
        writer.key("last_at").string(key.last_at).end_object();
    }
    writer.end_array().end_object();
}

}  // namespace

std::string to_json(const Report& report) {
    json::Writer writer;
    writer.begin_object();
    write_head(writer, report);
    store::write_progress(writer, report.progress);
    write_totals(writer, report);
    write_bookings(writer, report);
    write_comparison(writer.key("account_comparison"), report.comparison);
    write_series(writer.key("throughput").begin_object(), report.throughput);
    writer.end_object();
    write_open(writer, "failed", report.count_of("failed"), report.failed);
    write_open(writer, "in_progress", report.count_of("in_progress"), report.in_progress);
    writer.key("scan");
    report.scan ? write_scan(writer, *report.scan) : static_cast<void>(writer.null());
    return writer.end_object().take() + "\n";
}

}  // namespace data_import::report

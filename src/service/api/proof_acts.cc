// Acts at the end of a migration: accept-booked, sign-report.
#include <algorithm>

#include "base/util/limits.h"
#include "data/database/failures.h"
#include "data/payload/about.h"
#include "data/payload/account_scoped.h"
#include "data/report/report.h"
#include "data/store/access_events.h"
#include "data/store/bookings.h"
#include "data/store/erasure.h"
#include "data/store/reconciliation.h"
#include "service/api/act.h"

namespace data_import::api {

namespace {

constexpr std::size_t most_named = 5;
constexpr std::size_t longest_consumer_name = 64;

schema::Object of_supplier() {
    return schema::object().need("import_supplier", payload::supplier_code(),
                                 payload::about::import_supplier);
}

store::Booking need_differing(const ActContext& context, const std::string& code,
                              const std::string& consumer) {
    for (store::Booking& one :
         store::read_bookings(context.database.execute(store::find_bookings(code), context.deadline))) {
        if (one.consumer != consumer) continue;
        if (!one.has_differences())
            refuse_act("There is nothing to accept: " +
                       (one.is_declared()
                            ? "what " + consumer + " has booked of " + code + " is what is stored."
                            : consumer + " has not declared what it has booked of " + code + "."));
        return std::move(one);
    }
    throw http::Problem{Code::not_found,
                        "Consumer " + consumer + " does not take accounts of import supplier " + code + "."};
}

Outcome accept_booked(const ActContext& context) {
    const store::Supplier supplier = context.take_supplier(context.text("import_supplier"));
    const std::string consumer = context.text("consumer");
    const std::string reason = context.text("reason");
    const store::Booking booking = need_differing(context, supplier.code, consumer);
    const std::string text = store::booked_differences_text(booking, most_named);
    return {.will = "accepts that " + consumer + " has booked other figures of " + supplier.code +
                    " than are stored (" + text + "), as long as both stay as they are",
            .done = "the differences of " + consumer + " for " + supplier.code + " are accepted",
            .basis = supplier.code + '\n' + consumer + '\n' +
                     store::booked_differences_text(booking, booking.figures.size()),
            .audit_id = store::accept_booked(context.database, supplier.code, booking, reason, context.by,
                                             context.deadline),
            .write = [text](json::Writer& writer, Told) { writer.key("differences").string(text); }};
}

/// Returns the report, which the person can sign. Refuses the act if the report cannot be signed. A dry run
/// does not read the records, so it does not notice that the records prevent the signature.
report::Report take_report(const ActContext& context, const std::string& code) {
    if (store::find_erasure(context.database, code, context.deadline))
        refuse_act("The accounts of import supplier " + code + " were erased: its last signed report stays.");
    auto taken = report::take(context.database, {.import_supplier = code,
                                                 .reading = context.is_dry ? report::Reading::never
                                                                           : report::Reading::where_signable,
                                                 .deadline = context.deadline});
    if (!taken) throw http::Problem{Code::not_found, "There is no import supplier " + code + "."};
    taken->is_draft = false;
    taken->signer = context.person;
    taken->by = context.by;
    const auto reason = context.is_dry ? report::obstacle_of_totals(*taken) : report::obstacle(*taken);
    if (reason) refuse_act("The report on " + code + " cannot be signed: " + *reason + ".");
    return *std::move(taken);
}

std::string text_of(const store::Acceptance& acceptance) {
    return acceptance.by + '\n' + acceptance.at + '\n' + acceptance.reason + '\n';
}

/// Returns what the person signs, as text: the declared and held figures (as `digest`), the accepted
/// differences, and what consumers have booked.
std::string basis_of(const report::Report& report, const std::string& digest) {
    std::string basis = report.supplier.code + '\n' + digest + '\n';
    for (const store::AcceptedDifference& one : report.explanations.accepted)
        basis += one.difference.external_account_number + '\n' + one.difference.kind + '\n' +
                 text_of(one.acceptance);
    for (const store::Booking& booking : report.bookings) {
        basis += booking.consumer + '\n' + booking.declared_at.value_or("") + '\n' +
                 store::booked_differences_text(booking, booking.figures.size()) + '\n';
        for (const store::BookedFigure& figure : booking.figures) {
            if (figure.acceptance) basis += text_of(*figure.acceptance);
        }
    }
    return basis;
}

Outcome sign_report(const ActContext& context) {
    const store::Supplier supplier = context.take_supplier(context.text("import_supplier"));
    const report::Report report = take_report(context, supplier.code);
    const std::string basis = basis_of(
        report, store::figures_digest(context.database, supplier.code, context.deadline).value_or(""));
    const std::string will = "signs the report on " + supplier.code + " as " + context.person +
                             ": all records are read, and its files are shown once";
    if (context.is_dry) return {.will = will, .done = {}, .basis = basis};
    const std::string html = report::to_html(report);
    const std::string json = report::to_json(report);
    const store::SignedReport made = report::signed_report(report, html, json);
    store::record_signed_report(context.database, made, context.deadline);
    return {.will = will,
            .done = "the report on " + supplier.code + " is signed by " + context.person,
            .basis = basis,
            .write = [=, stem = report::file_stem(supplier.code, false)](json::Writer& writer, Told told) {
                const auto file = [&](const std::string& content) {
                    return told == Told::after ? std::optional<std::string_view>(content) : std::nullopt;
                };
                writer.key("id").string(made.id).key("file").string(stem);
                writer.key("html_sha256").string(made.html_sha256);
                writer.key("json_sha256").string(made.json_sha256);
                writer.key("html").string_or_null(file(html)).key("json").string_or_null(file(json));
            }};
}

}  // namespace

std::vector<Act> proof_acts() {
    return {
        {.name = "accept-booked",
         .path = "local:/operator/acts/accept-booked/",
         .summary = "Accept that a consumer has booked other figures than are stored.",
         .body =
             of_supplier()
                 .need("consumer", schema::code(longest_consumer_name), "Its name.")
                 .need("reason", schema::text(1, util::limits::reason), "Why it has; no person is named."),
         .carry_out = accept_booked},
        {.name = "sign-report",
         .path = "local:/operator/acts/sign-report/",
         .summary = "Sign the report on a supplier's migration.",
         .body = of_supplier(),
         .carry_out = sign_report,
         .role = "signer",
         .reads_records = true},
    };
}

}  // namespace data_import::api

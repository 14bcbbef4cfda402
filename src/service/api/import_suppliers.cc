#include "base/util/limits.h"
#include "data/json/writer.h"
#include "data/payload/about.h"
#include "data/payload/account_scoped.h"
#include "data/store/control_totals.h"
#include "data/store/progress.h"
#include "data/store/shared_json.h"
#include "service/api/endpoints.h"
#include "service/api/local_endpoints.h"
#include "service/api/progress_answer.h"

namespace data_import::api {

namespace {

constexpr std::string_view import_supplier = "import_supplier";

database::Call plan(const http::Context& context) {
    const auto& scope = context.access->import_suppliers;
    const auto wanted = context.query.values.find(import_supplier);
    if (wanted == context.query.values.end()) return store::find_overview({scope.begin(), scope.end()});
    if (!scope.contains(wanted->second)) throw http::Problem{Code::not_found, http::not_in_scope};
    return store::find_overview({wanted->second});
}

database::Call plan_for_operators(const http::Context& context) {
    return context.segments.empty() ? store::find_overview_of_all() : store::find_overview(context.segments);
}

void write_oldest(json::Writer& writer, const std::optional<store::OpenAccount>& oldest) {
    writer.key("oldest_in_progress");
    if (!oldest) {
        writer.null();
        return;
    }
    writer.begin_object().key("external_account_number").string(oldest->external_account_number);
    writer.key("since").string(oldest->since).end_object();
}

using Write = void (*)(json::Writer&, const store::SupplierProgress&);

http::Reply list(const database::Rows& rows, Write write_more) {
    json::Writer writer;
    writer.begin_object().key("import_suppliers").begin_array();
    for (const store::SupplierProgress& supplier : store::read_overview(rows)) {
        writer.begin_object().key("code").string(supplier.code).key("name").string(supplier.name);
        writer.key("status").string(supplier.progress.status);
        writer.key("status_since").string(supplier.status_since);
        store::write_progress(writer, supplier.progress);
        writer.key("verdict").string(store::verdict_word(supplier.differs));
        writer.key("refused_last_hour").integer(supplier.refused_last_hour);
        write_oldest(writer, supplier.oldest);
        write_more(writer, supplier);
        writer.end_object();
    }
    return {.body = writer.end_array().end_object().take()};
}

http::Reply reply(const http::Context&, const database::Rows& rows) {
    return list(rows, [](json::Writer&, const store::SupplierProgress&) {});
}

http::Reply reply_to_operators(const http::Context&, const database::Rows& rows) {
    return list(rows, [](json::Writer& writer, const store::SupplierProgress& supplier) {
        writer.key("status_by").string_or_null(supplier.status_by);
        writer.key("signed_at").string_or_null(supplier.signed_at);
        writer.key("has_changed_since_signed").boolean(supplier.has_changed_since_signed);
        if (supplier.booked_differs)
            writer.key("booked_verdict").string(store::verdict_word(supplier.booked_differs));
        writer.key("planned_end").string_or_null(supplier.planned_end);
        writer.key("attention").integer(supplier.attention);
        store::write_erasure(writer.key("erasure"), supplier.erasure);
        store::write_acknowledgement(writer.key("acknowledged"), supplier.acknowledgement);
    });
}

schema::Schema answer() {
    const auto oldest = schema::object()
                            .need("external_account_number", payload::external_account_number(),
                                  payload::about::external_account_number)
                            .need("since", schema::datetime(), "When the attempt began.");
    const auto supplier =
        progress_answer(
            schema::object()
                .need("code", payload::supplier_code(), payload::about::import_supplier)
                .need("name", schema::text(1, util::limits::label), "Name of the import supplier.")
                .need("status", supplier_status(), payload::about::status_of_supplier)
                .need("status_since", schema::datetime(), "When the status was set."),
            false)
            .need("verdict", schema::choice({"UNDECLARED", "EQUAL", "DIFFERENT"}),
                  "Whether the records that arrived equal the declaration.")
            .need("refused_last_hour", schema::integer(0),
                  "Number of refusals in the last hour, without throttled requests.")
            .need("oldest_in_progress", schema::nullable(oldest),
                  "The account in progress whose attempt began first; null if there is none.");
    return schema::object().need("import_suppliers", schema::array(supplier),
                                 "The import suppliers, ordered by their code.");
}

}  // namespace

http::Endpoint import_suppliers() {
    return {.method = "GET",
            .path = "/v1/data-import/import-suppliers/",
            .summary = "Return the progress of all suppliers of this token.",
            .tag = http::Tag::migration_progress,
            .query = {{.name = import_supplier,
                       .description = "Code of an import supplier, to get only this one.",
                       .is_text = true}},
            .answers =
                {{200,
                  "The import suppliers that the API key may use, ordered by their code, with exact figures "
                  "of one time, `as_of`. Each has the figures of `/v1/data-import/progress/` without the "
                  "last day, the verdict of the control totals, the number of refusals in the last hour "
                  "(counted within seconds), and the account whose attempt has been running for longest.",
                  answer()}},
            .problems = {Code::not_found},
            .plan = plan,
            .reply = reply};
}

http::Endpoint operator_suppliers() {
    return for_operators("local:/operator/suppliers/", "Return the progress of all suppliers.",
                         plan_for_operators, reply_to_operators);
}

http::Endpoint operator_supplier() {
    return for_operators("local:/operator/suppliers/{import_supplier}/",
                         "Return the progress of one supplier.", plan_for_operators, reply_to_operators);
}

}  // namespace data_import::api

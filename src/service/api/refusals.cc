#include "data/json/writer.h"
#include "data/store/import_log.h"
#include "data/store/shared_json.h"
#include "data/store/time_series.h"
#include "service/api/endpoints.h"
#include "service/api/local_endpoints.h"
#include "service/api/progress_answer.h"

namespace data_import::api {

namespace {

constexpr std::size_t most_kinds = 200;
constexpr std::size_t longest_code = 64;
constexpr std::size_t longest_text = 512;  // the most characters of a path, a place or a sentence

schema::Schema answer() {
    const auto counts =
        schema::object().may_each("", longest_code, counts_by_time(), "Number of refusals in each step.");
    const auto code = schema::text(0, longest_code);
    const auto kind =
        schema::object()
            .need("endpoint", schema::text(0, longest_text), "Path of the endpoint, as documented.")
            .need("status", schema::integer(0, 599), "Status of the answers.")
            .need("code", code, "Code of the answers; empty with `transaction_differs`.")
            .need("item_code", code,
                  "Code of the item in `errors`; empty if there was none. `transaction_differs`: "
                  "transactions that are stored with other content, in a request that was not refused.")
            .need("attr", schema::text(0, longest_text),
                  "Place in the payload, with `N` for every index. For an undocumented field, the place that "
                  "contains it.")
            .need("count", schema::integer(1),
                  "Number of requests; with `transaction_differs`, number of transactions.")
            .need("sample_request_id", schema::alphanumeric(32), "`X-Request-Id` of the last such request.")
            .need("last_at", schema::datetime(), "When the last such request was answered.")
            .need("detail", schema::text(0, longest_text),
                  "`detail` of the last such item, without the value that was sent, or of the answer if it "
                  "had no items; empty if it was not kept.");
    return series_answer(
               counts,
               "Counts by code: the code of the item in `errors`, or of the answer if it had no items.")
        .need("kinds", schema::array(kind).max(most_kinds), "Kinds of refusals, the latest first.");
}

void write_kind(json::Writer& writer, const store::LoggedRefusal& refusal) {
    writer.begin_object().key("endpoint").string(refusal.kind.endpoint);
    writer.key("status").integer(refusal.kind.status).key("code").string(refusal.kind.code);
    writer.key("item_code").string(refusal.kind.item_code).key("attr").string(refusal.kind.attr);
    writer.key("count").integer(refusal.count).key("sample_request_id").string(refusal.sample_request_id);
    writer.key("last_at").string(refusal.last_at).key("detail").string(refusal.detail).end_object();
}

void run(const http::Context& context, database::Database& database, http::Responder& responder) {
    const std::string& supplier = context.segments.at(0);
    const store::Span span = span_of(context);
    const store::TimeSeries series = store::read_time_series(
        database.execute(store::find_refusal_rates(supplier, span), context.deadline), span);
    const auto kinds = store::list_refusals(
        database,
        {.import_supplier = supplier, .since = store::time_text(series.began_at), .most = most_kinds},
        context.deadline);
    json::Writer writer;
    writer.begin_object().key("as_of").string(store::time_text(series.as_of));
    store::write_series(writer, series);
    writer.key("kinds").begin_array();
    for (const store::LoggedRefusal& refusal : kinds) write_kind(writer, refusal);
    responder.send({.body = writer.end_array().end_object().take()});
}

constexpr std::size_t most_examples = 3;

void run_examples(const http::Context& context, database::Database& database, http::Responder& responder) {
    const auto kinds = store::list_refusals(
        database, {.import_supplier = context.segments.at(0), .since = {}, .most = most_kinds},
        context.deadline);
    json::Writer writer;
    writer.begin_object().key("examples").begin_array();
    for (const auto& [kind, numbers] :
         store::list_examples(database, kinds, most_examples, context.deadline)) {
        writer.begin_object().key("endpoint").string(kind.endpoint).key("code").string(kind.code);
        writer.key("item_code").string(kind.item_code).key("attr").string(kind.attr);
        writer.key("external_account_numbers").begin_array();
        for (const std::string& number : numbers) writer.string(number);
        writer.end_array().end_object();
    }
    responder.send({.body = writer.end_array().end_object().take()});
}

}  // namespace

// The import log has nothing that a client chose freely. So every organisation with the supplier in its scope
// may see all of the supplier's refusals, also those of other organisations.
http::Endpoint refusals() {
    return {.method = "GET",
            .path = "/v1/data-import/refusals/{import_supplier}/",
            .summary = "Return the numbers and reasons of refused requests over time.",
            .tag = http::Tag::migration_progress,
            .supplier = http::SupplierIn::first_segment,
            .query = {span_parameter()},
            .answers = {{200,
                         "Refusals by code: one number for each step of `seconds` from `began_at` to "
                         "`as_of`. `kinds` lists the kinds of refusals, which differ by endpoint, code and "
                         "place: the latest first, at most 200. Their counts are of the whole days (UTC) "
                         "that the span touches, and the `X-Request-Id` of the last such request is an "
                         "example. A request counts once for each kind of error in it; it is counted within "
                         "seconds. Refusals are kept for 14 days unless the operator has set another time.",
                         answer()}},
            .run = run};
}

http::Endpoint operator_refusals() {
    return for_operators("local:/operator/refusals/{import_supplier}/",
                         "Return the numbers and kinds of refused requests over time.", run,
                         {span_parameter()});
}

http::Endpoint operator_refusal_examples() {
    return for_operators("local:/operator/refusal-examples/{import_supplier}/",
                         "List accounts of which requests were refused, by the kind of the refusal.",
                         run_examples);
}

}  // namespace data_import::api

#include "api/operators.h"
#include "database/database.h"
#include "json/writer.h"
#include "store/import_log.h"
#include "store/time_series.h"
#include "util/datetime.h"

namespace data_import::api {

namespace {

http::QueryParameter span_parameter();
database::Call plan_throughput(const http::Context& context);
http::Reply reply_throughput(const http::Context& context, const database::Rows& rows);
void answer_refusals(const http::Context& context, database::Database& database, http::Responder& responder);

}  // namespace

http::Endpoint operator_throughput() {
    return {.method = "GET",
            .path = "local:/operator/throughput/{import_supplier}/",
            .summary = "Tell how many records of each kind were stored when.",
            .needs_token = false,
            .is_public = false,
            .query = {span_parameter()},
            .plan = plan_throughput,
            .reply = reply_throughput};
}

http::Endpoint operator_refusals() {
    return {.method = "GET",
            .path = "local:/operator/refusals/{import_supplier}/",
            .summary = "Tell how many requests were refused when, and which kinds of refusals there were.",
            .needs_token = false,
            .is_public = false,
            .query = {span_parameter()},
            .run = answer_refusals};
}

namespace {

constexpr std::size_t most_kinds = 200;

http::QueryParameter span_parameter() {
    return {.name = "span", .description = "How far back.", .choices = {"hour", "day", "all"}};
}

store::Span span_of(const http::Context& context) {
    const std::string_view word = context.choices.at("span");
    if (word == "hour") return store::Span::hour;
    return word == "day" ? store::Span::day : store::Span::all;
}

std::string time_text(std::int64_t unix_time) {
    constexpr std::int64_t microseconds = 1'000'000;
    return util::to_text({unix_time * microseconds});
}

/// Members of an object that is open. Where time `N` begins follows from `began_at` and `seconds`.
void write_series(json::Writer& writer, const store::TimeSeries& series) {
    writer.key("as_of").string(time_text(series.as_of)).key("began_at").string(time_text(series.began_at));
    writer.key("seconds").integer(series.seconds).key("counts").begin_object();
    for (const auto& [name, counts] : series.counts) {
        writer.key(name).begin_array();
        for (const std::int64_t count : counts) writer.integer(count);
        writer.end_array();
    }
    writer.end_object();
}

database::Call plan_throughput(const http::Context& context) {
    return store::find_throughput(context.segments.at(0), span_of(context));
}

http::Reply reply_throughput(const http::Context& context, const database::Rows& rows) {
    json::Writer writer;
    writer.begin_object();
    write_series(writer, store::read_time_series(rows, span_of(context)));
    return {.body = writer.end_object().take()};
}

void write_kind(json::Writer& writer, const store::LoggedRefusal& refusal) {
    writer.begin_object().key("endpoint").string(refusal.kind.endpoint);
    writer.key("status").integer(refusal.kind.status).key("code").string(refusal.kind.code);
    writer.key("item_code").string(refusal.kind.item_code).key("attr").string(refusal.kind.attr);
    writer.key("count").integer(refusal.count).key("sample_request_id").string(refusal.sample_request_id);
    writer.key("last_at").string(refusal.last_at).end_object();
}

void answer_refusals(const http::Context& context, database::Database& database, http::Responder& responder) {
    const std::string& supplier = context.segments.at(0);
    const store::Span span = span_of(context);
    const store::TimeSeries series = store::read_time_series(
        database.execute(store::find_refusal_rates(supplier, span), context.deadline), span);
    const auto kinds = store::list_refusals(
        database, {.import_supplier = supplier, .since = time_text(series.began_at), .most = most_kinds},
        context.deadline);
    json::Writer writer;
    writer.begin_object();
    write_series(writer, series);
    writer.key("kinds").begin_array();
    for (const store::LoggedRefusal& refusal : kinds) write_kind(writer, refusal);
    responder.send({.body = writer.end_array().end_object().take()});
}

}  // namespace

}  // namespace data_import::api

#include "service/api/progress_answer.h"

#include "data/records/kinds.h"
#include "data/store/progress.h"
#include "data/store/suppliers.h"

namespace data_import::api {

namespace {

schema::Object rates(bool with_last_day) {
    const auto count = schema::integer(0);
    const auto arrivals = schema::object()
                              .need("accounts", count, "Number of imported accounts.")
                              .need("records", count, "Number of stored records of all kinds.");
    const schema::Object lately = schema::object()
                                      .need("last_minute", arrivals, "In the last minute.")
                                      .need("last_hour", arrivals, "In the last hour.");
    return with_last_day ? lately.need("last_day", arrivals, "In the last day.") : lately;
}

}  // namespace

schema::Schema supplier_status() {
    return schema::choice({store::supplier_statuses.begin(), store::supplier_statuses.end()});
}

schema::Object accounts_by_state() {
    schema::Object accounts = schema::object();
    for (const std::string_view state : store::account_states)
        accounts = accounts.need(state, schema::integer(0), "Number of accounts in this state.");
    return accounts;
}

schema::Object progress_answer(const schema::Object& around, bool with_last_day) {
    const auto count = schema::integer(0);
    schema::Object records = schema::object();
    for (const records::Kind& kind : records::kinds())
        records = records.need(kind.name, count, "Number of records of this kind.");
    return around.need("as_of", schema::datetime(), "When the figures were exact.")
        .need("accounts", accounts_by_state(), "Accounts by state.")
        .need("records", records, "Stored records by kind; repeats count once.")
        .need("differing_transactions", count,
              "Number of repeated transactions whose content differs from the stored one.")
        .need("rates", rates(with_last_day), "Recent numbers of imported accounts and records.")
        .need("last_import_at", schema::nullable(schema::datetime()),
              "When the last record was stored; null if there is none yet.")
        .need("estimated_end_at", schema::nullable(schema::datetime()),
              "When the last account that is staged or in progress will be imported at the rate of the last "
              "hour. Failed accounts do not count. Null if none was imported in the last ten minutes, or for "
              "as "
              "long as the rest should take.")
        .need("stands_still_since", schema::nullable(schema::datetime()),
              "The time of the last import, if nothing has come for ten minutes although accounts are staged "
              "or in progress; otherwise null.");
}

http::QueryParameter span_parameter() {
    return {.name = "span",
            .description =
                "The span of time: the last hour in steps of a minute, the last day in steps of five "
                "minutes, or everything that is kept in steps of an hour.",
            .choices = {"hour", "day", "all"}};
}

store::Span span_of(const http::Context& context) {
    const std::string_view word = context.query.values.at("span");
    if (word == "hour") return store::Span::hour;
    return word == "day" ? store::Span::day : store::Span::all;
}

schema::Object series_answer(const schema::Object& counts, std::string_view about_counts) {
    return schema::object()
        .need("as_of", schema::datetime(),
              "When the figures were exact. It is in the last step, which is not over.")
        .need("began_at", schema::datetime(), "When the first step began.")
        .need("seconds", schema::integer(1), "In seconds: the length of a step.")
        .need("counts", counts, about_counts);
}

schema::Schema counts_by_time() {
    return schema::array(schema::integer(0));
}

}  // namespace data_import::api

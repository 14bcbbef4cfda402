#include "data/json/writer.h"
#include "data/records/kinds.h"
#include "data/store/shared_json.h"
#include "data/store/time_series.h"
#include "service/api/endpoints.h"
#include "service/api/local_endpoints.h"
#include "service/api/progress_answer.h"

namespace data_import::api {

namespace {

schema::Schema answer() {
    schema::Object counts = schema::object();
    for (const records::Kind& kind : records::kinds())
        counts = counts.may(kind.name, counts_by_time(), "Number of records stored in each step.");
    counts =
        counts.may(store::accounts_counted, counts_by_time(), "Number of accounts imported in each step.");
    return series_answer(counts,
                         "Counts by kind of records. Kinds without records in that span are left out.");
}

database::Call plan(const http::Context& context) {
    return store::find_throughput(context.segments.at(0), span_of(context));
}

http::Reply told(const store::TimeSeries& series) {
    json::Writer writer;
    writer.begin_object().key("as_of").string(store::time_text(series.as_of));
    store::write_series(writer, series);
    return {.body = writer.end_object().take()};
}

http::Reply reply(const http::Context& context, const database::Rows& rows) {
    return told(store::read_time_series(rows, span_of(context)));
}

}  // namespace

http::Endpoint throughput() {
    return {.method = "GET",
            .path = "/v1/data-import/throughput/{import_supplier}/",
            .summary = "Return the numbers of stored records over time.",
            .tag = http::Tag::migration_progress,
            .supplier = http::SupplierIn::first_segment,
            .query = {span_parameter()},
            .answers = {{200,
                         "The curve of a migration: for each kind of records, and for accounts, one number "
                         "for each step of `seconds` from `began_at` to `as_of`. Repeats do not count. "
                         "`span=all` begins with the first record.",
                         answer()}},
            .plan = plan,
            .reply = reply};
}

http::Endpoint operator_throughput() {
    return for_operators("local:/operator/throughput/{import_supplier}/",
                         "Return the numbers of stored records over time.", plan, reply, {span_parameter()});
}

http::Endpoint operator_throughput_by_supplier() {
    return for_operators(
        "local:/operator/throughput/",
        "Tell how many records each supplier has stored in the minutes of the last hour.",
        [](const http::Context&) { return store::find_throughput_by_supplier(); },
        [](const http::Context&, const database::Rows& rows) {
            return told(store::read_time_series(rows, store::Span::hour));
        });
}

}  // namespace data_import::api

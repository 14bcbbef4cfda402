#include "base/util/limits.h"
#include "data/payload/paths.h"
#include "service/api/endpoints.h"
#include "service/http/bulk_line.h"

namespace data_import::api {

namespace {

schema::Schema result() {
    constexpr auto lines = static_cast<std::int64_t>(util::limits::bulk_lines);
    constexpr auto bytes = static_cast<std::int64_t>(util::limits::bulk_body);
    return schema::object()
        .may("line", schema::integer(1, bytes + 1),
             "Number of the line in the request, counted from 1; empty lines count.")
        .may("id", schema::text(1, 128), "The `id` of the line in the request.")
        .may("status", schema::integer(200, 599), "HTTP status of the answer to this line alone.")
        .may("body", schema::anything(), "Body of the answer to this line alone.")
        .may("lines", schema::integer(0, lines),
             "In the last line: the number of lines in the request, without empty ones.")
        .may("accepted", schema::integer(0, lines), "In the last line: the number of accepted lines.")
        .may("refused", schema::integer(0, lines), "In the last line: the number of refused lines.")
        .may("refused_by_status",
             schema::object().may_each("", 3, schema::integer(1, lines), "Lines with this status."),
             "In the last line, with `results=none`, if lines were refused: how many have each HTTP status. "
             "Send the whole request again if there is a 503.");
}

}  // namespace

http::Endpoint bulk() {
    return {
        .method = "POST",
        .path = payload::paths::bulk,
        .summary =
            "Import many requests in one, one per line. Every line is checked, stored and answered like a "
            "single request.",
        .tag = http::Tag::account_data,
        .body = http::bulk_line_schema(),
        .takes_lines = true,
        .query = {{.name = "results",
                   .description = "Which lines the answer has: `all`, `errors` (only lines that were not "
                                  "accepted) or `none`. The last line, with the counts, is always there.",
                   .choices = {"all", "errors", "none"}}},
        .answers = {{200,
                     "All lines were accepted. The body has a line for each, and a last one with the counts.",
                     result(),
                     {"application/x-ndjson"}},
                    {207,
                     "Some lines were not accepted; the others are stored.",
                     result(),
                     {"application/x-ndjson"}}}};
}

}  // namespace data_import::api

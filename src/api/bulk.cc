#include "api/endpoints.h"
#include "http/bulk_line.h"
#include "payload/paths.h"

namespace data_import::api {

namespace {

constexpr std::string_view example =
    R"({"path": "/v1/data-import/notes/create/", "id": "1", "body": {"import_supplier": "ACME", "external_account_number": "4711", "notes": [{"body": "Customer has a payment plan."}]}}
)";

schema::Schema result() {
    return schema::object()
        .may("line", schema::integer(1, 64 * 1024 * 1024 + 1),
             "Number of the line in the request, from 1 on; empty lines count.")
        .may("id", schema::text(1, 128), "The id that the line was sent with.")
        .may("status", schema::integer(200, 599), "HTTP status of the answer to this line alone.")
        .may("body", schema::anything(), "Body of the answer to this line alone.")
        .may("lines", schema::integer(0, 10'000),
             "In the last line: how many lines the request had, without the empty ones.")
        .may("accepted", schema::integer(0, 10'000), "In the last line: how many of them were accepted.")
        .may("refused", schema::integer(0, 10'000), "In the last line: how many were not.");
}

}  // namespace

http::Endpoint bulk() {
    return {
        .method = "POST",
        .path = payload::paths::bulk,
        .summary =
            "Import many requests in one, a line each; every line is judged, stored and answered as the same "
            "request "
            "would be alone.",
        .tag = http::Tag::account_data,
        .body = http::bulk_line_schema(),
        .takes_lines = true,
        .example = example,
        .query = {{.name = "results",
                   .description = "Which lines are told of: `all`, `errors` (those that were not accepted) "
                                  "or `none`. The last "
                                  "line of the answer, with the counts, always comes.",
                   .choices = {"all", "errors", "none"}}},
        .answers = {
            {200,
             "All lines were accepted. The body has a line for each, and a last one with the counts.",
             result(),
             {"application/x-ndjson"},
             R"({"lines": 2, "accepted": 2, "refused": 0})"},
            {207,
             "Some lines were not accepted; the others are stored.",
             result(),
             {"application/x-ndjson"},
             R"({"line": 2, "id": "2", "status": 404, "body": {"detail": "No such account.", "code": "account_not_found", "errors": []}})"}}};
}

}  // namespace data_import::api

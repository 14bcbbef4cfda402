#include "base/codes/codes.h"
#include "data/database/database.h"
#include "data/json/writer.h"
#include "service/api/endpoints.h"
#include "service/http/fixed_document.h"

namespace data_import::api {

namespace {

std::string document() {
    json::Writer writer;
    writer.begin_object().key("codes").begin_array();
    for (const codes::CodeRow& row : codes::all()) {
        writer.begin_object().key("code").string(row.name).key("status");
        row.is_of_item() ? writer.null() : writer.integer(row.status);
        writer.key("meaning").string(row.meaning).key("action").string(row.action).end_object();
    }
    return writer.end_array().end_object().take();
}

schema::Schema answer() {
    const auto sentence = schema::text(1, 500);
    return schema::object().need(
        "codes",
        schema::array(schema::object()
                          .need("code", http::one_of(codes::all()), "The code; it never changes its meaning.")
                          .need("status", schema::nullable(schema::integer(400, 599)),
                                "HTTP status of the answer; null for the code of an item in `errors`.")
                          .need("meaning", sentence, "What has gone wrong.")
                          .need("action", sentence, "What to do about it.")),
        "All codes, those of answers first.");
}

}  // namespace

http::Endpoint errors_json() {
    return {.method = "GET",
            .path = "/v1/errors.json",
            .summary = "List all codes of errors, what they mean and what to do.",
            .needs_token = false,
            .answers = {{200,
                         "`status` is that of the answer; null for codes of items in `errors`, which are "
                         "answered with the code `validation_error`.",
                         answer()}},
            .run = http::run_of(http::FixedDocument(document())),
            .waits = false,
            .has_etag = true};
}

}  // namespace data_import::api

#include "openapi/prose.h"

#include <span>
#include <stdexcept>
#include <string>

#include "util/limits.h"

namespace data_import::openapi {

namespace {

// in the order of http::Tag
constexpr Tag tags[] = {
    {"Account data", "Records for accounts that have been imported."},
    {"Migration progress", "How far the accounts of an import supplier have come."},
    {"Market participants", "Participants of the energy market and their fees."},
    {"Tokens", "From an API key to a token."},
    {"Service", "Documentation and health of the service itself."},
};

constexpr PathParameter path_parameters[] = {
    {"import_supplier", "Code of the import supplier, percent-encoded in UTF-8.",
     util::limits::supplier_code},
    {"external_account_number",
     "The account's number in the import supplier's own system, percent-encoded in UTF-8.",
     util::limits::external_account_number},
};

constexpr AnswerHeader answer_headers[] = {
    {"X-Request-Id", "Names this request in the logs of the service and beside what it stored.",
     R"({"type": "string", "pattern": "^[0-9a-f]{32}$"})"},
    {"WWW-Authenticate", "The schemes of the Authorization header; with 401.",
     R"({"type": "string", "const": "Token, Bearer"})"},
    {"Allow", "The methods that this address takes; with 405.", R"({"type": "string"})"},
    {"Accept", "The media type that this address takes; with 415, where the body has another one.",
     R"({"type": "string"})"},
    {"Accept-Encoding", "The codings that this address takes; with 415, where the body has another one.",
     R"({"type": "string"})"},
    {"ETag",
     "Names the document: sent back as `If-None-Match`, it is answered 304 as long as that is the same.",
     R"({"type": "string"})"},
    {"Idempotency-Replayed",
     "Stands where this is the answer to an earlier request with the same Idempotency-Key.",
     R"({"type": "string", "const": "true"})"},
    {"Dry-Run", "Stands in the answer to a dry run: the status that the request would have had.",
     R"({"type": "integer", "enum": [200, 201, 207]})"},
    {"Retry-After", "Seconds to wait before the request is repeated; with 409, 429, 503 and some 500.",
     R"({"type": "integer", "minimum": 0})"},
};

template <typename Row>
const Row& row_named(std::string_view name, std::span<const Row> rows) {
    for (const Row& row : rows) {
        if (row.name == name) return row;
    }
    throw std::logic_error("the OpenAPI document has no sentence on " + std::string(name));
}

}  // namespace

std::string_view idempotency_key_description() {
    return "A name of your choice for this request, 1 to 255 printable ASCII characters, bare or in "
           "quotation marks: "
           "the request is answered once, and the answer given again when it is repeated.";
}

const Tag& tag_of(const http::Endpoint& endpoint) {
    return tags[static_cast<std::size_t>(endpoint.tag)];
}

const PathParameter& path_parameter(std::string_view name) {
    return row_named<PathParameter>(name, path_parameters);
}

const AnswerHeader& answer_header(std::string_view name) {
    return row_named<AnswerHeader>(name, answer_headers);
}

std::string_view security_schemes() {
    return R"({
"token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT",
 "description": "The token, [obtained with your API key](/docs/guide.html#token) at `/v1/graphql/`. Sent as `Authorization: Token <token>` or, as here, `Authorization: Bearer <token>`."}})";
}

std::string_view security_requirement() {
    return R"([{"token": []}])";
}

}  // namespace data_import::openapi

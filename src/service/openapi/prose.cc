#include "service/openapi/prose.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>

#include "base/texts/texts.h"
#include "base/util/limits.h"

namespace data_import::openapi {

namespace {

// The groups of endpoints, in the order of http::Tag.
constexpr Tag tags[] = {
    {"Account data", "Records for accounts that have been imported."},
    {"Migration progress", "Progress of the accounts of an import supplier."},
    {"Market participants", "Participants of the energy market and their fees."},
    {"Tokens", "Exchange of an API key for a token."},
    {"Service", "Documentation and health of the service itself."},
};

constexpr PathParameter path_parameters[] = {
    {"import_supplier", "Code of the import supplier, percent-encoded in UTF-8.",
     util::limits::supplier_code},
    {"external_account_number",
     "The account's number in the import supplier's own system, percent-encoded in UTF-8.",
     util::limits::external_account_number},
};

}  // namespace

std::string_view idempotency_key_description() {
    return "A name of your choice for this request: 1 to 255 printable ASCII characters, with or without "
           "quotation marks. The request is executed once; repeats of it get the same answer.";
}

const Tag& tag_of(const http::Endpoint& endpoint) {
    return tags[static_cast<std::size_t>(endpoint.tag)];
}

const PathParameter& path_parameter(std::string_view name) {
    const auto* const found = std::ranges::find(path_parameters, name, &PathParameter::name);
    if (found == std::end(path_parameters))
        throw std::logic_error("the OpenAPI document has no sentence on " + std::string(name));
    return *found;
}

std::string_view example_of(const http::Endpoint& endpoint, const std::string& part) {
    const std::string_view all = texts::examples;
    const std::string heading =
        '\n' + std::string(endpoint.method) + ' ' + std::string(endpoint.path) + ' ' + part + '\n';
    const std::size_t found = all.find(heading);
    if (found == std::string_view::npos) return {};
    const std::size_t begin = std::min(all.find("\n{", found), all.find("\n[", found)) + 1;
    return all.substr(begin, all.find("\n\n", begin) - begin);
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

// Problems that an endpoint can answer, for the OpenAPI document. Private to openapi*.cc.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "service/http/endpoint.h"

namespace data_import::openapi {

/// Texts of a section of `components`, by their names.
using Texts = std::map<std::string, std::string, std::less<>>;

/// Returns the refusals that every address can answer, also those of nginx: at every address their status and
/// code tell clients what to do. Without 401 and 429, which stand at each endpoint.
[[nodiscard]] std::vector<const codes::CodeRow*> general_problems();

/// Returns the other problems that an endpoint can answer, by status: 401 if it needs a token, and 429
/// always.
[[nodiscard]] std::map<int, std::vector<const codes::CodeRow*>> problems_of(const http::Endpoint& endpoint);

/// Writes codes and sentences of problems, as Markdown.
[[nodiscard]] std::string codes_and_details(const std::vector<const codes::CodeRow*>& problems);

/// Returns the name of the component that describes an answer with one of these problems, which all have the
/// same status. Adds it to `responses` if it is missing.
[[nodiscard]] std::string problem_response(const std::vector<const codes::CodeRow*>& problems,
                                           Texts& responses);

/// Returns the JSON of the component that describes an answer with one of the general problems.
[[nodiscard]] std::string general_response();

/// Returns the codes of items in `errors` that come from the kind of endpoint, besides the codes of its
/// fields and its declared ones.
[[nodiscard]] std::vector<Code> general_item_codes(const http::Endpoint& endpoint);

/// The codes of errors with their meanings and actions, as rows of tables in Markdown.
struct CodeRows {
    std::string general;   ///< codes of answers of every address
    std::string specific;  ///< codes of answers that an address lists
    std::string of_items;  ///< codes of items of `errors`
};
[[nodiscard]] CodeRows code_rows();

/// Returns the JSON of a `headers` member that refers to components: X-Request-Id and `more`.
[[nodiscard]] std::string headers_reference(std::vector<std::string_view> more = {});

}  // namespace data_import::openapi

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

/// The refusals that every address can answer, nginx's among them: their status and code tell clients what to
/// do, at every address. Without 401 and 429, which stand at each endpoint.
[[nodiscard]] std::vector<const codes::CodeRow*> general_problems();

/// The other problems that an endpoint can answer, by status: 401 where it needs a token, and 429 always.
[[nodiscard]] std::map<int, std::vector<const codes::CodeRow*>> problems_of(const http::Endpoint& endpoint);

/// Codes and sentences of problems, as Markdown.
[[nodiscard]] std::string codes_and_details(const std::vector<const codes::CodeRow*>& problems);

/// The name of the component that describes an answer with one of these problems, which all have the same
/// status; it is added to `responses` where it is not there yet.
[[nodiscard]] std::string problem_response(const std::vector<const codes::CodeRow*>& problems,
                                           Texts& responses);

/// JSON of the component that describes an answer with one of the general problems.
[[nodiscard]] std::string general_response();

/// The codes that items of `errors` have because of the kind of endpoint, beside the codes of its fields and
/// its declared ones.
[[nodiscard]] std::vector<Code> general_item_codes(const http::Endpoint& endpoint);

/// The codes of errors with their meanings and actions, as rows of tables in Markdown.
struct CodeRows {
    std::string general;   ///< codes of answers of every address
    std::string specific;  ///< codes of answers that an address lists
    std::string of_items;  ///< codes of items of `errors`
};
[[nodiscard]] CodeRows code_rows();

/// JSON of a `headers` member that refers to components: X-Request-Id and `more`.
[[nodiscard]] std::string headers_reference(std::vector<std::string_view> more = {});

}  // namespace data_import::openapi

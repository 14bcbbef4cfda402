// Problems that an endpoint can answer, for the OpenAPI document. Private to the folder.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "service/http/endpoint.h"

namespace data_import::openapi {

/// JSON texts of a section of `components`, by the names of the components.
using Texts = std::map<std::string, std::string, std::less<>>;

/// Returns the refusals that every endpoint can answer, also those of nginx. Their status and code tell
/// clients what to do, whatever the endpoint. 401 and 429 are not among them: each endpoint lists these.
[[nodiscard]] std::vector<const codes::CodeRow*> general_problems();

/// Returns, for each status, the problems that an endpoint lists itself because general_problems() lacks
/// them. 429 is always among them, and 401 if the endpoint needs a token.
[[nodiscard]] std::map<int, std::vector<const codes::CodeRow*>> problems_of(const http::Endpoint& endpoint);

/// Returns the problems as Markdown. Each has its code in backquotes, a colon and its sentence.
[[nodiscard]] std::string codes_and_details(const std::vector<const codes::CodeRow*>& problems);

/// Returns the name of the component that describes an answer with one of these problems, which all have the
/// same status. Adds the component to `responses` if it is missing.
[[nodiscard]] std::string problem_response(const std::vector<const codes::CodeRow*>& problems,
                                           Texts& responses);

/// Returns the JSON of the component that describes the answers with the problems of general_problems().
[[nodiscard]] std::string general_response();

/// Returns the codes that items of `errors` in an answer can have at every endpoint that imports into an
/// account. Returns an empty list for other endpoints.
///
/// Leaves out the codes of violations of the payload's schema, such as `required`, and the codes that the
/// endpoint itself declares (Endpoint::rule_codes).
[[nodiscard]] std::vector<Code> general_item_codes(const http::Endpoint& endpoint);

/// The codes of errors with their meanings and actions, as rows of tables in Markdown.
struct CodeRows {
    std::string general;   ///< table rows for the codes of answers that every endpoint can give
    std::string specific;  ///< table rows for the codes of answers that only some endpoints can give
    std::string of_items;  ///< table rows for the codes of items in `errors`
};
[[nodiscard]] CodeRows code_rows();

/// Returns the JSON of a `headers` member that refers to components: X-Request-Id and `more`.
[[nodiscard]] std::string headers_reference(std::vector<std::string_view> more = {});

}  // namespace data_import::openapi

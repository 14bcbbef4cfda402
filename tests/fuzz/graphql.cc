// Parses, validates and executes GraphQL. The input is a document, and after a NUL the variables as JSON.
#include "service/graphql/execute.h"

#include <optional>
#include <string>

#include "../graphql/schemas.h"
#include "base/util/text.h"
#include "data/json/reader.h"
#include "input.h"
#include "service/graphql/error.h"

using namespace data_import;

namespace {

std::optional<json::Document> variables_of(std::string_view text) {
    try {
        json::Document document = json::read(std::string(text));
        if (document.root().is(json::Type::object)) return document;
    } catch (const json::SyntaxError&) {
    }
    return std::nullopt;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input = tests::input_text(data, size);
    const std::size_t end = input.find('\0');
    const auto variables = end == std::string_view::npos ? std::nullopt : variables_of(input.substr(end + 1));
    const graphql::Response response =
        graphql::execute(tests::sample_schema(),
                         {input.substr(0, end), variables ? std::optional(variables->root()) : std::nullopt},
                         tests::resolve_sample);
    const bool has_errors = response.body.starts_with("{\"errors\":[{\"message\":\"");
    tests::require(has_errors || response.body.starts_with("{\"data\":"), "an answer has data or errors");
    tests::require(response.executed || has_errors, "a request that is refused has errors");
    tests::require(util::is_utf8(response.body), "an answer is UTF-8");
    return 0;
}

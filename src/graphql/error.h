// What can be wrong with a GraphQL request, as its answer says it (specification of October 2021,
// section 7.1.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace data_import::graphql {

/// A place in a document. Both count from 1; columns count UTF-16 code units, as the reference implementation
/// does.
struct Location {
    std::uint32_t line = 1;
    std::uint32_t column = 1;

    [[nodiscard]] bool operator==(const Location& other) const = default;
};

/// A response key, or the index of an item of a list.
using PathSegment = std::variant<std::string, std::size_t>;

struct Error {
    std::string message;  ///< for the client: one sentence or more of plain English
    std::vector<Location> locations;
    std::vector<PathSegment> path;  ///< empty for request errors
    std::string code;               ///< `extensions.code`; left out where it is empty
};

/// Values of `extensions.code` that come from this folder; other ones come from resolvers.
namespace code {
inline constexpr std::string_view parse_failed = "GRAPHQL_PARSE_FAILED";
inline constexpr std::string_view validation_failed = "GRAPHQL_VALIDATION_FAILED";
/// No operation, or not the one that was asked for.
inline constexpr std::string_view operation_not_found = "OPERATION_RESOLUTION_FAILURE";
/// A variable or an argument whose value is not of its type.
inline constexpr std::string_view bad_user_input = "BAD_USER_INPUT";
/// A resolver broke the schema's promise, or execution came to a limit.
inline constexpr std::string_view internal_error = "INTERNAL_SERVER_ERROR";
}  // namespace code

/// Thrown by a resolver: the field is null, and `errors` has an item with this message and code.
class FieldError : public std::runtime_error {
public:
    FieldError(const std::string& message, std::string code)
        : std::runtime_error(message), code_(std::move(code)) {}

    [[nodiscard]] const std::string& code() const { return code_; }

private:
    std::string code_;
};

}  // namespace data_import::graphql

// Errors of a GraphQL request, as its answer reports them (specification of October 2021, section 7.1.2).
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace data_import::graphql {

/// The values of `extensions.code` for errors that the code of this folder finds. Errors of resolvers have
/// other values.
namespace code {
inline constexpr std::string_view parse_failed = "GRAPHQL_PARSE_FAILED";
inline constexpr std::string_view validation_failed = "GRAPHQL_VALIDATION_FAILED";
/// The document has no operation, or not the one that was asked for.
inline constexpr std::string_view operation_not_found = "OPERATION_RESOLUTION_FAILURE";
/// The value of a variable or an argument is not of its type.
inline constexpr std::string_view bad_user_input = "BAD_USER_INPUT";
/// A resolver returned a value that is not of its field's type, or execution reached a limit.
inline constexpr std::string_view internal_error = "INTERNAL_SERVER_ERROR";
/// The request has only a hash of the document, and not the document.
inline constexpr std::string_view persisted_query_not_supported = "PERSISTED_QUERY_NOT_SUPPORTED";
inline constexpr std::string_view all[] = {parse_failed,   validation_failed, operation_not_found,
                                           bad_user_input, internal_error,    persisted_query_not_supported};
}  // namespace code

/// Thrown by a resolver. The field becomes null, and `errors` gets an item with this message and code.
class FieldError : public std::runtime_error {
public:
    FieldError(const std::string& message, std::string_view code)
        : std::runtime_error(message), code_(code) {}

    [[nodiscard]] const std::string& code() const { return code_; }

private:
    std::string code_;
};

/// Thrown if a part of a document cannot be parsed, is not valid, or cannot be executed. `what()` is a
/// sentence for the client. Private to the folder.
class LocatedError : public FieldError {
public:
    /// `offset` counts bytes of the document; nothing if the error belongs to no place in it.
    LocatedError(const std::string& message, std::string_view code, std::optional<std::uint32_t> offset)
        : FieldError(message, code), offset_(offset) {}

    [[nodiscard]] std::optional<std::uint32_t> offset() const { return offset_; }

private:
    std::optional<std::uint32_t> offset_;
};

}  // namespace data_import::graphql

// The answers outside 2xx, which all have one shape (contract, section 3.1).
#pragma once

#include <exception>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/codes/codes.h"
#include "data/json/writer.h"
#include "data/schema/schema.h"
#include "service/http/request.h"

namespace data_import::http {

/// A request that cannot be fulfilled. Any stage of a request may throw it; it is rendered in one place.
struct Problem {
    Code code = Code::error;
    std::string detail = {};  ///< a sentence for the client; empty: the sentence of the table of codes
    std::vector<schema::Violation> violations = {};
    Headers headers = {};
    /// The supplier is in the token's scope, but has no account with the number that the request names.
    bool is_unknown_number = false;
    std::string hint = {};  ///< a sentence after `detail`, only in the answer and not in logs
};

/// Makes a 400 `validation_error` with these items.
[[nodiscard]] Problem validation_error(std::vector<schema::Violation> violations);

/// The detail of a 404 about a supplier or an account. Anything outside of a token's scope looks as if it did
/// not exist.
inline constexpr const char* not_in_scope = "There is no such import supplier or account for this token.";

/// Declares the schema of a value that is one of these codes.
[[nodiscard]] schema::Schema one_of(std::span<const codes::CodeRow> codes);

/// Declares the members of every answer outside 2xx that has one of these codes.
[[nodiscard]] schema::Object error_schema(std::span<const codes::CodeRow> codes);

/// Renders `{"detail": ..., "code": ..., "errors": [...]}` with the code's status and headers; `further`
/// writes members before `detail`.
[[nodiscard]] Reply render(const Problem& problem,
                           const std::function<void(json::Writer&)>& further = nullptr);

}  // namespace data_import::http

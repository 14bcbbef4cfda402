// Reads one line of input as a request.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "data/json/syntax.h"

namespace data_import::client {

/// Names of the members, or columns, in front of each line of a file in a directory of rejects. They say why
/// the line was rejected, and are ignored when the line is loaded again.
inline constexpr std::string_view rejection_names[] = {"reject_reason", "reject_code", "reject_attr"};

struct ImportRequest {
    std::string path;       ///< path with its query; visible ASCII, so that it can stand in a request line
    std::string_view body;  ///< JSON object of the body, byte for byte as it stands in the line

    /// Returns whether the request may be sent twice without harm. All may, except transactions with
    /// check_previously_added=false (contract, section 9.1).
    [[nodiscard]] bool is_idempotent() const;
    /// Returns the path without its query.
    [[nodiscard]] std::string_view address() const {
        return std::string_view(path).substr(0, path.find('?'));
    }
    /// Returns whether the request may be a line of a bulk request (contract, section 11.1).
    [[nodiscard]] bool fits_bulk() const;
};

/// Thrown if a line is no request. what() says why; it quotes only names of members, and no other text of the
/// line.
class MalformedLine : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Reads a line such as `{"path": "/v1/...", "body": {...}}`; its members may have any order. Checks only the
/// form of the line, because the service checks the body. Refuses a path with the parameter dry_run, because
/// the request would look as if it had been stored. The result's `body` points into `line`. Throws
/// MalformedLine.
[[nodiscard]] ImportRequest parse_line(std::string_view line);

/// Returns the text of a JSON syntax error, with its position in the line, such as `... at byte 12 of the
/// line.` `error` is about a part of the line, and `part` is the number of bytes before this part. So an
/// error at byte 5 of a part after 7 bytes is at byte 12.
[[nodiscard]] std::string told_of_line(const json::SyntaxError& error, std::size_t part);

/// Returns whether the text is a single JSON object or array. Checks no more than that its brackets are
/// closed.
[[nodiscard]] bool is_closed_json(std::string_view text);

/// Returns the number of items of the array `name` in the body; 0 if there is none.
[[nodiscard]] std::size_t count_items(std::string_view body, std::string_view name);

/// Returns supplier and account number with U+001F between them, as far as they can be read; empty if the
/// body has no account number.
[[nodiscard]] std::string account_of(std::string_view body);

}  // namespace data_import::client

// One line of input understood as a request.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "data/json/syntax.h"

namespace data_import::client {

/// Members and columns that files of rejects have in front. They tell why, and
/// are ignored.
inline constexpr std::string_view rejection_names[] = {"reject_reason", "reject_code", "reject_attr"};

struct ImportRequest {
    std::string path;       ///< with its query; visible ASCII, so that it can stand in a request line
    std::string_view body;  ///< a JSON object, byte for byte as it stands in the line

    /// Whether sending it twice does no harm: everything but transactions with check_previously_added=false
    /// (contract, section 9.1).
    [[nodiscard]] bool is_idempotent() const;
    /// The path without its query.
    [[nodiscard]] std::string_view address() const {
        return std::string_view(path).substr(0, path.find('?'));
    }
    /// Whether it may be a line of a bulk request (contract, section 11.1).
    [[nodiscard]] bool fits_bulk() const;
};

/// The line does not have the form. `what()` tells the fault and quotes nothing of the line but member names.
class MalformedLine : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Understands `{"path": "/v1/...", "body": {...}}`, members in any order. Only the line's own form is
/// checked: the service checks the body. No line is a dry run, which would look as if it had been stored.
/// `body` points into `line`. Throws MalformedLine.
[[nodiscard]] ImportRequest parse_line(std::string_view line);

/// The sentence about a mistake in a part of a line, with the place in the line: `... at byte 12 of the
/// line.` for byte 5 of a part after 7 bytes.
[[nodiscard]] std::string told_of_line(const json::SyntaxError& error, std::size_t part);

/// One JSON object or array from the first bracket to the last, as far as brackets tell.
[[nodiscard]] bool is_closed_json(std::string_view text);

/// The items of the array that the body has under this name; 0 for none.
[[nodiscard]] std::size_t count_items(std::string_view body, std::string_view name);

/// The text that tells the body's account from all others, as far as it can be read; empty if the body names
/// none.
[[nodiscard]] std::string account_of(std::string_view body);

}  // namespace data_import::client

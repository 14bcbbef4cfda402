// Reads one line of input as a request.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "data/json/syntax.h"

namespace data_import::client {

/// Members and columns that stand in front in files of rejects. They tell why, and are ignored.
inline constexpr std::string_view rejection_names[] = {"reject_reason", "reject_code", "reject_attr"};

struct ImportRequest {
    std::string path;       ///< with its query; visible ASCII, so that it can stand in a request line
    std::string_view body;  ///< a JSON object, byte for byte as it stands in the line

    /// Returns whether sending it twice does no harm: everything except transactions with
    /// check_previously_added=false (contract, section 9.1).
    [[nodiscard]] bool is_idempotent() const;
    /// Returns the path without its query.
    [[nodiscard]] std::string_view address() const {
        return std::string_view(path).substr(0, path.find('?'));
    }
    /// Returns whether it may be a line of a bulk request (contract, section 11.1).
    [[nodiscard]] bool fits_bulk() const;
};

/// The line does not have the form. `what()` tells the fault; of the line it quotes only names of members.
class MalformedLine : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Reads `{"path": "/v1/...", "body": {...}}`, members in any order. Only the line's own form is checked: the
/// service checks the body. A dry run is refused, because it would look as if it had been stored. `body`
/// points into `line`. Throws MalformedLine.
[[nodiscard]] ImportRequest parse_line(std::string_view line);

/// Returns the sentence about a mistake in a part of a line, with the place in the line: `... at byte 12 of
/// the line.` for byte 5 of a part after 7 bytes.
[[nodiscard]] std::string told_of_line(const json::SyntaxError& error, std::size_t part);

/// Returns whether the text is one JSON object or array from the first bracket to the last, by its brackets
/// alone.
[[nodiscard]] bool is_closed_json(std::string_view text);

/// Returns the number of items of the body's array of this name; 0 for none.
[[nodiscard]] std::size_t count_items(std::string_view body, std::string_view name);

/// Returns a text that is different for each account, as far as the body's account can be read; empty if the
/// body names none.
[[nodiscard]] std::string account_of(std::string_view body);

}  // namespace data_import::client

// Pieces of HTML. All text from outside goes through `escaped`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/util/readable.h"

namespace data_import::report {

/// Escapes a text for HTML and for attributes in double quotes. Control characters become blanks.
[[nodiscard]] std::string escaped(std::string_view text);

/// Escapes a text for HTML. If a word of the text is longer than 24 bytes, lines may break within any word of
/// the text, otherwise only between words.
[[nodiscard]] std::string breakable(std::string_view text);

using util::grouped;
using util::in_words;

/// Writes an RFC 3339 time as people read it, `2024-05-31 08:30:00 UTC`, in HTML that does not break within
/// the date.
[[nodiscard]] std::string time_of(std::string_view instant);

/// HTML that is shown for a missing value: a dash.
inline const std::string none = "<span class=\"dim\">–</span>";

/// Returns the name of a figure of control totals with its unit, as HTML: `quantity <small>(KWH)</small>`.
[[nodiscard]] std::string figure_name(const std::string& figure);
/// Returns the number `decimal` as people read it (`1,234.50`), or the HTML for a missing value (`none`).
/// `figure` is the name of the figure that has this value.
[[nodiscard]] std::string number(std::string_view figure, const std::optional<std::string>& decimal);
/// Returns the number `difference` as HTML, such as `<b>+5</b>`. Without a `difference`, returns the word
/// `equal` or, if `is_compared` is false, the HTML for a missing value (`none`). `figure` is the name of the
/// figure whose values were compared.
[[nodiscard]] std::string difference_cell(std::string_view figure, bool is_compared,
                                          const std::optional<std::string>& difference);

/// The heading of a table's column. `text` is put into the HTML as it is: it must not contain characters that
/// have to be escaped.
struct Heading {
    std::string_view text;
    bool is_number = false;
};

/// A table in HTML. If it has more than three columns, narrow screens show each row as a card.

class Table {
public:
    explicit Table(std::vector<Heading> headings);
    /// Adds a row: as many cells as there are headings, each of them HTML. `of_class` is the class of the
    /// row.
    void add(const std::vector<std::string>& cells, std::string_view of_class = {});
    [[nodiscard]] std::string take();

private:
    std::vector<Heading> headings_;
    bool is_wide_;
    std::string text_;
};

}  // namespace data_import::report

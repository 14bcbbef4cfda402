// Text for people: tables and lists of properties. Nothing is cut, and no word is broken.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/util/readable.h"

namespace data_import::console {

inline constexpr std::size_t line_width = 100;

/// Columns of text below their headings. On a terminal, a long text of the last column goes on in the next
/// line; elsewhere every row is one line. Control and direction characters are shown as blanks.
class Table {
public:
    explicit Table(std::vector<std::string> headings);
    /// Adds a row: as many cells as there are headings.
    void add(std::vector<std::string> cells);
    /// Returns the headings and the rows as lines, or `empty_sentence` if there are no rows. If
    /// `for_terminal` is true, a long text of the last column takes several lines, and the headings may have
    /// colour. The function without `for_terminal` looks whether standard output is a terminal.
    [[nodiscard]] std::string text(const std::string& empty_sentence) const;
    [[nodiscard]] std::string text(const std::string& empty_sentence, bool for_terminal) const;

private:
    [[nodiscard]] std::vector<std::size_t> widths() const;

    std::vector<std::vector<std::string>> rows_;  ///< the headings, and after them the rows
};

/// Returns the text, broken between words into lines that end by column `line_width`. `indent` is the number
/// of columns of the first line that the caller has already written. Each other line begins with `indent`
/// blanks. A word that is longer than a line is broken only if `break_words` is true.
[[nodiscard]] std::string wrapped(const std::string& text, std::size_t indent, bool break_words);

/// Returns a line for each name and value, with the values aligned; on a terminal, a long value takes several
/// lines. Empty values are shown as `-`.
[[nodiscard]] std::string property_list(const std::vector<std::pair<std::string, std::string>>& properties);

/// Returns a text from outside in one line: control characters become blanks, as in `util::printable`.
[[nodiscard]] std::string in_one_line(std::string_view text);

using util::in_words;

}  // namespace data_import::console

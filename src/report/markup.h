// Pieces of HTML. All text from outside goes through `escaped`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "util/readable.h"

namespace data_import::report {

/// As text, and within attributes in double quotes. Control characters become blanks.
[[nodiscard]] std::string escaped(std::string_view text);

/// As HTML; a line may end within a word only if the word is longer than usual columns.
[[nodiscard]] std::string breakable(std::string_view text);

using util::grouped;
using util::in_words;

/// RFC 3339 as people read it, `2024-05-31 08:30:00 UTC`, as HTML that does not break within the date.
[[nodiscard]] std::string time_of(std::string_view instant);

/// The heading of a table's column; `text` needs no escaping.
struct Heading {
    std::string_view text;
    bool is_number = false;
};

/// On narrow screens a table of more than three columns becomes one card per row.

class Table {
public:
    explicit Table(std::vector<Heading> headings);
    /// As many cells as there are headings, each of them HTML.
    void add(const std::vector<std::string>& cells, std::string_view of_class = {});
    [[nodiscard]] std::string take();

private:
    std::vector<Heading> headings_;
    bool is_wide_;
    std::string text_;
};

}  // namespace data_import::report

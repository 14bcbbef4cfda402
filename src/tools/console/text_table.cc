#include "tools/console/text_table.h"

#include <unistd.h>

#include <algorithm>
#include <numeric>

#include "base/util/printable.h"
#include "base/util/text.h"
#include "tools/console/colour.h"

namespace data_import::console {

namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t least_room = 24;  // the last column is wrapped only if it has at least so much room

std::string padded(const std::string& text, std::size_t width) {
    return text + std::string(width - std::min(width, util::count_code_points(text)), ' ');
}

bool is_terminal() {
    static const bool is = isatty(STDOUT_FILENO) == 1;
    return is;
}

std::string without_trailing_blanks(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

}  // namespace

std::string in_one_line(std::string_view text) {
    return util::printable(text);
}

Table::Table(std::vector<std::string> headings) : rows_{std::move(headings)} {}

void Table::add(std::vector<std::string> cells) {
    for (std::string& cell : cells) cell = cell.empty() ? "-" : in_one_line(cell);
    rows_.push_back(std::move(cells));
}

std::vector<std::size_t> Table::widths() const {
    std::vector<std::size_t> widths(rows_.front().size(), 0);
    for (const auto& row : rows_) {
        for (std::size_t column = 0; column < row.size(); ++column)
            widths[column] = std::max(widths[column], util::count_code_points(row[column]));
    }
    return widths;
}

std::string Table::text(const std::string& empty_sentence) const {
    return text(empty_sentence, is_terminal());
}

std::string Table::text(const std::string& empty_sentence, bool for_terminal) const {
    if (rows_.size() == 1) return empty_sentence + "\n";
    const std::vector<std::size_t> columns = widths();
    const std::size_t last =
        std::accumulate(columns.begin(), columns.end() - 1, std::size_t{0}) + gap * (columns.size() - 1);
    const bool wraps = for_terminal && last + least_room <= line_width;
    std::string text;
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t column = 0; column + 1 < row.size(); ++column)
            line += padded(row[column], columns[column] + gap);
        line += wraps ? wrapped(row.back(), last, false) : row.back();
        line = without_trailing_blanks(std::move(line));
        const bool is_heading = for_terminal && &row == &rows_.front();
        text += (is_heading ? coloured(std::move(line), Colour::heading) : line) + "\n";
    }
    return text;
}

std::string wrapped(const std::string& text, std::size_t indent, bool break_words) {
    const std::size_t width = line_width - std::min(indent, line_width / 2);
    if (util::count_code_points(text) <= width) return text;
    return util::wrapped(text, width, "\n" + std::string(indent, ' '), break_words);
}

std::string property_list(const std::vector<std::pair<std::string, std::string>>& properties) {
    std::size_t width = 0;
    for (const auto& property : properties) width = std::max(width, property.first.size());
    std::string text;
    for (const auto& [name, value] : properties) {
        const std::string shown = value.empty() ? "-" : in_one_line(value);
        text +=
            padded(name, width + gap) + (is_terminal() ? wrapped(shown, width + gap, false) : shown) + "\n";
    }
    return text;
}

}  // namespace data_import::console

#include "ctl/text_table.h"

#include <algorithm>
#include <numeric>
#include <sstream>
#include <string_view>

#include "util/text.h"

namespace data_import::ctl {

namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t least_cut_width = 8;

std::string padded(const std::string& text, std::size_t width) {
    const std::size_t length = util::count_code_points(text);
    if (length <= width) return text + std::string(width - length, ' ');
    return std::string(util::first_code_points(text, width - 1)) + "…";
}

std::string without_trailing_blanks(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

}  // namespace

std::string in_one_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(),
        [](char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f; }, ' ');
    return text;
}

std::string in_words(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

std::string joined(const std::vector<std::string>& texts) {
    std::string text;
    for (const std::string& part : texts) text += (text.empty() ? "" : ", ") + part;
    return text;
}

Table::Table(std::vector<std::string> headings) : rows_{std::move(headings)} {}

void Table::add(std::vector<std::string> cells) {
    for (std::string& cell : cells) cell = cell.empty() ? "-" : in_one_line(std::move(cell));
    rows_.push_back(std::move(cells));
}

std::vector<std::size_t> Table::widths() const {
    std::vector<std::size_t> widths(rows_.front().size(), 0);
    for (const auto& row : rows_) {
        for (std::size_t column = 0; column < row.size(); ++column) {
            widths[column] = std::max(widths[column], util::count_code_points(row[column]));
        }
    }
    const std::size_t available = line_width - gap * (widths.size() - 1);
    while (std::accumulate(widths.begin(), widths.end(), std::size_t{0}) > available) {
        const auto widest = std::max_element(widths.begin(), widths.end());
        if (*widest <= least_cut_width) break;
        --*widest;
    }
    return widths;
}

std::string Table::text(const std::string& empty_sentence) const {
    if (rows_.size() == 1) return empty_sentence + "\n";
    const std::vector<std::size_t> columns = widths();
    std::string text;
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t column = 0; column < row.size(); ++column) {
            if (column > 0) line.append(gap, ' ');
            line += padded(row[column], columns[column]);
        }
        text += without_trailing_blanks(std::move(line)) + "\n";
    }
    return text;
}

std::string wrapped(const std::string& text, std::size_t indent, bool break_words) {
    const std::size_t width = line_width - std::min(indent, line_width / 2);
    if (util::count_code_points(text) <= width) return text;
    const std::string next_line = "\n" + std::string(indent, ' ');
    std::string lines;
    std::size_t column = 0;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        std::string_view rest = word;
        const std::size_t length = util::count_code_points(word);
        if (column > 0) {
            const bool fits = column + 1 + length <= width;
            lines += fits ? " " : next_line;
            column = fits ? column + 1 : 0;
        }
        while (break_words && util::count_code_points(rest) > width) {
            const std::string_view part = util::first_code_points(rest, width);
            lines += std::string(part) + next_line;
            rest.remove_prefix(part.size());
        }
        lines += rest;
        column += util::count_code_points(rest);
    }
    return lines;
}

std::string property_list(const std::vector<std::pair<std::string, std::string>>& properties) {
    std::size_t width = 0;
    for (const auto& property : properties) width = std::max(width, property.first.size());
    std::string text;
    for (const auto& [name, value] : properties) {
        const std::string shown = value.empty() ? "-" : in_one_line(value);
        text += padded(name, width + gap) + wrapped(shown, width + gap, true) + "\n";
    }
    return text;
}

}  // namespace data_import::ctl

#include "data/report/markup.h"

#include <algorithm>

#include "base/util/printable.h"
#include "data/records/figure_text.h"

namespace data_import::report {

std::string escaped(std::string_view text) {
    std::string safe;
    for (const char character : util::printable(text)) {
        switch (character) {
            case '&':
                safe += "&amp;";
                break;
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '"':
                safe += "&quot;";
                break;
            case '\'':
                safe += "&#39;";
                break;
            default:
                safe += character;
        }
    }
    return safe;
}

std::string time_of(std::string_view instant) {
    constexpr std::size_t whole_seconds = 19;
    std::string text(instant.substr(0, whole_seconds));
    if (const std::size_t mark = text.find('T'); mark != std::string::npos) text[mark] = ' ';
    const std::size_t end_of_date = std::min(text.find(' '), text.size());
    return "<span class=\"whole\">" + text.substr(0, end_of_date) + "</span>" + text.substr(end_of_date) +
           " UTC";
}

std::string breakable(std::string_view text) {
    constexpr std::size_t longest_word = 24;
    std::size_t length = 0;
    const bool is_long = std::ranges::any_of(text, [&](char character) {
        length = character == ' ' ? 0 : length + 1;
        return length > longest_word;
    });
    return is_long ? "<span class=\"long\">" + escaped(text) + "</span>" : escaped(text);
}

namespace {

constexpr std::size_t most_narrow_columns = 3;

std::string opened(const char* element, const Heading& heading) {
    return std::string("<") + element + (heading.is_number ? " class=\"number\">" : ">");
}

/// Opens a cell that has the name of its column. Narrow screens show that name, because they show a row as a
/// card, with a line for each cell.
std::string opened_named(const Heading& heading) {
    return "<td data-name=\"" + std::string(heading.text) + "\"" +
           (heading.is_number ? " class=\"number\">" : ">");
}

}  // namespace

Table::Table(std::vector<Heading> headings)
    : headings_(std::move(headings)),
      is_wide_(headings_.size() > most_narrow_columns),
      text_(is_wide_ ? "<table class=\"wide\">\n<thead><tr>" : "<table>\n<thead><tr>") {
    for (const Heading& heading : headings_)
        (text_ += opened("th", heading)) += std::string(heading.text) + "</th>";
    text_ += "</tr></thead>\n<tbody>\n";
}

void Table::add(const std::vector<std::string>& cells, std::string_view of_class) {
    text_ += of_class.empty() ? "<tr>" : "<tr class=\"" + std::string(of_class) + "\">";
    for (std::size_t place = 0; place < cells.size(); ++place)
        (text_ += is_wide_ ? opened_named(headings_[place]) : opened("td", headings_[place])) +=
            cells[place] + "</td>";
    text_ += "</tr>\n";
}

std::string Table::take() {
    return std::move(text_) + "</tbody>\n</table>\n";
}

std::string figure_name(const std::string& figure) {
    const std::size_t colon = figure.find(':');
    const std::string of = colon == std::string::npos ? "" : breakable(figure.substr(colon + 1));
    if (figure.starts_with("amount:")) return "amount of " + of + " <small>(currency's main unit)</small>";
    if (figure.starts_with("quantity:")) return "quantity <small>(" + of + ")</small>";
    if (figure == "gross_amount") return "gross amount <small>(currency's main unit)</small>";
    if (figure == "amount_total") return "amount total <small>(currency's minor unit)</small>";
    return escaped(in_words(figure));
}

std::string number(std::string_view figure, const std::optional<std::string>& decimal) {
    return decimal ? records::figure_text(figure, *decimal) : none;
}

std::string difference_cell(std::string_view figure, bool is_compared,
                            const std::optional<std::string>& difference) {
    if (!difference) return is_compared ? "<span class=\"good\">equal</span>" : none;
    return "<b>" + std::string(difference->starts_with('-') ? "" : "+") +
           records::figure_text(figure, *difference) + "</b>";
}

}  // namespace data_import::report

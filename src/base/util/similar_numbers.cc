#include "base/util/similar_numbers.h"

#include <algorithm>
#include <set>

#include "base/util/code_point.h"
#include "base/util/invisible.h"
#include "base/util/text.h"

namespace data_import::util {

namespace {

constexpr std::size_t longest = 40;  // most bytes of a number for which similar ones are searched
constexpr std::size_t most_zeros = 10;
constexpr std::string_view separators = " -_./";
constexpr std::string_view hyphens[] = {"\u2010", "\u2011", "\u2012", "\u2013", "\u2014", "\u2015",
                                        "\u2043", "\u2212", "\uFE58", "\uFE63", "\uFF0D"};
constexpr std::string_view quotation_marks[] = {
    "\"",     "'",      "`",      "\u00B4", "\u00AB", "\u00BB", "\u2018", "\u2019", "\u201A", "\u201B",
    "\u201C", "\u201D", "\u201E", "\u201F", "\u2032", "\u2033", "\u2039", "\u203A", "\uFF02", "\uFF07"};

bool is_digit(char character) {
    return character >= '0' && character <= '9';
}

bool is_separator(char character) {
    return separators.find(character) != std::string_view::npos;
}

/// Reverses changes that word processors and spreadsheets make: turns other hyphens into `-`, and removes
/// quotation marks and decimal places that are zero.
std::string plain(std::string_view text) {
    std::string plain;
    for (std::size_t offset = 0; offset < text.size();) {
        const std::size_t begin = offset;
        static_cast<void>(next_code_point(text, offset));
        const std::string_view character = text.substr(begin, offset - begin);
        if (std::ranges::count(quotation_marks, character) > 0) continue;
        plain += std::ranges::count(hyphens, character) > 0 ? "-" : character;
    }
    const std::size_t end = plain.find_last_not_of('0');
    const bool has_zero_places = end != std::string::npos && end > 0 && end + 1 < plain.size() &&
                                 (plain[end] == '.' || plain[end] == ',') && is_digit(plain[end - 1]);
    return has_zero_places ? plain.substr(0, end) : plain;
}

/// Turns invisible white space into blanks, because a no-break space mostly stands for a blank, and removes
/// all other invisible characters.
std::string with_blanks(std::string_view text) {
    std::string seen;
    for (std::size_t offset = 0; offset < text.size();) {
        const std::size_t begin = offset;
        static_cast<void>(next_code_point(text, offset));
        const std::string_view character = text.substr(begin, offset - begin);
        seen += is_blank(character) ? " " : character;
    }
    return without_invisible(seen);
}

std::string with_each(std::string_view text, std::string_view old, std::string_view other) {
    std::string changed(text);
    for (std::size_t place = 0; (place = changed.find(old, place)) != std::string::npos;
         place += other.size())
        changed.replace(place, old.size(), other);
    return changed;
}

void add_dressed(std::set<std::string>& numbers, const std::string& text) {
    for (const std::string_view hyphen : hyphens) numbers.insert(with_each(text, "-", hyphen));
    numbers.insert("'" + text);
    numbers.insert('"' + text + '"');
    numbers.insert(text + ".0");
}

void add_other_separators(std::set<std::string>& numbers, const std::string& text) {
    std::string bare = text;
    std::erase_if(bare, is_separator);
    numbers.insert(bare);
    for (const char separator : separators) {
        std::string other = text;
        std::ranges::replace_if(other, is_separator, separator);
        numbers.insert(other);
    }
}

void add_zeros(std::set<std::string>& numbers, const std::string& text) {
    for (std::size_t begin = 0; begin < text.size(); ++begin) {
        if (!is_digit(text[begin]) || (begin > 0 && is_digit(text[begin - 1]))) continue;
        const std::size_t end = std::min(text.find_first_not_of("0123456789", begin), text.size());
        const std::size_t first = std::min(text.find_first_not_of('0', begin), end - 1);
        for (std::size_t zeros = 0; zeros <= most_zeros; ++zeros)
            numbers.insert(text.substr(0, begin) + std::string(zeros, '0') + text.substr(first));
    }
}

/// Adds the number with one separator more, and with one less. Separators between the bytes of one character
/// make broken UTF-8, which similar_numbers() removes.
void add_separators(std::set<std::string>& numbers, const std::string& text) {
    for (std::size_t place = 0; place <= text.size(); ++place) {
        for (const char separator : separators) numbers.insert(std::string(text).insert(place, 1, separator));
        if (place < text.size() && is_separator(text[place]))
            numbers.insert(std::string(text).erase(place, 1));
    }
}

}  // namespace

std::vector<std::string> similar_numbers(std::string_view text) {
    const std::string inner = plain(without_invisible(text));
    if (inner.empty() || inner.size() > longest) return {};
    std::set<std::string> numbers = {without_invisible(text), plain(with_blanks(text))};
    for (const std::string& form : {inner, raised(inner), lowered(inner)}) {
        numbers.insert(form);
        add_dressed(numbers, form);
        add_other_separators(numbers, form);
        add_zeros(numbers, form);
        add_separators(numbers, form);
    }
    numbers.erase(std::string(text));
    std::erase_if(numbers, [](const std::string& number) { return number.empty() || !is_utf8(number); });
    return {numbers.begin(), numbers.end()};
}

}  // namespace data_import::util

#include "json/source_text.h"

#include <algorithm>
#include <charconv>

#include "json/reader.h"

namespace data_import::json {

namespace {

bool is_digit(char character) {
    return character >= '0' && character <= '9';
}

bool starts_number(char character) {
    return is_digit(character) || character == '-';
}

bool continues_number(char character) {
    return starts_number(character) || character == '+' || character == '.' || character == 'e' ||
           character == 'E';
}

bool is_letter(char character) {
    return character >= 'a' && character <= 'z';
}

template <typename Predicate>
std::size_t end_of_run(std::string_view text, std::size_t start, Predicate belongs) {
    std::size_t end = start + 1;
    while (end < text.size() && belongs(text[end])) ++end;
    return end;
}

/// Behind the closing quote of the string whose opening quote is at `start`.
std::size_t end_of_string(std::string_view text, std::size_t start) {
    std::size_t offset = start + 1;
    for (;;) {
        const std::size_t quote = std::min(text.find('"', offset), text.size());
        const std::size_t backslash = text.substr(offset, quote - offset).find('\\');
        if (backslash == std::string_view::npos) return std::min(quote + 1, text.size());
        offset += backslash + 2;
        if (offset >= text.size()) return text.size();
    }
}

std::size_t end_of_token(std::string_view text, std::size_t start) {
    if (text[start] == '"') return end_of_string(text, start);
    if (starts_number(text[start])) return end_of_run(text, start, continues_number);
    if (is_letter(text[start])) return end_of_run(text, start, is_letter);
    return start + 1;
}

std::string place_of(std::string_view text, std::size_t offset) {
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n') + 1;
    return " near line " + std::to_string(line) + ", byte " + std::to_string(offset + 1);
}

/// `quoted` is a string token with its quotes.
bool holds_escaped_nul(std::string_view quoted) {
    std::size_t offset = quoted.find('\\');
    while (offset != std::string_view::npos) {
        if (quoted.substr(offset, 6) == "\\u0000") return true;
        offset = quoted.find('\\', offset + 2);
    }
    return false;
}

/// A literal within the length limit is out of a double's range at one end only: without a negative exponent
/// it cannot be too small, with one it cannot be too large.
bool is_infinite(std::string_view literal) {
    double ignored = 0;
    const auto result = std::from_chars(literal.data(), literal.data() + literal.size(), ignored);
    return result.ec == std::errc::result_out_of_range && literal.find("e-") == std::string_view::npos &&
           literal.find("E-") == std::string_view::npos;
}

/// An integer of 19 digits or more, written as JSON wants it.
bool is_long_integer(std::string_view literal) {
    if (literal.front() == '-') literal.remove_prefix(1);
    return literal.size() >= 19 && literal.front() != '0' &&
           std::all_of(literal.begin(), literal.end(), is_digit);
}

/// What numbers of PostgreSQL and of common languages cannot hold, a zero with such an exponent included.
bool has_extreme_exponent(std::string_view literal) {
    const std::size_t mark = literal.find_first_of("eE");
    if (mark == std::string_view::npos) return false;
    std::string_view digits = literal.substr(mark + 1);
    if (digits.starts_with('+') || digits.starts_with('-')) digits.remove_prefix(1);
    unsigned exponent = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    return result.ec == std::errc::result_out_of_range || exponent > max_exponent;
}

void check_number(std::string_view text, std::size_t start, std::string_view literal) {
    if (literal.size() > max_number_length) {
        throw SyntaxError("A number has more than " + std::to_string(max_number_length) + " characters" +
                          place_of(text, start) + ".");
    }
    if (is_infinite(literal)) throw SyntaxError("A number is too large" + place_of(text, start) + ".");
    if (has_extreme_exponent(literal)) {
        throw SyntaxError("A number has an exponent beyond " + std::to_string(max_exponent) +
                          place_of(text, start) + ".");
    }
}

void check_string(std::string_view text, std::size_t start, std::string_view quoted) {
    if (holds_escaped_nul(quoted)) {
        throw SyntaxError("A string or key contains the character U+0000" + place_of(text, start) + ".");
    }
}

}  // namespace

Survey survey(std::string_view text) {
    Survey found;
    std::size_t offset = 0;
    while (offset < text.size()) {
        const char first = text[offset];
        const std::size_t end = end_of_token(text, offset);
        const std::string_view token = text.substr(offset, end - offset);
        if (first == '"') {
            check_string(text, offset, token);
        } else if (starts_number(first)) {
            check_number(text, offset, token);
            found.numbers.push_back(static_cast<std::uint32_t>(offset));
            if (is_long_integer(token)) found.long_integers.push_back(offset);
        } else if (first == ',' || first == ':' || first == '[' || first == '{') {
            ++found.nodes;
        }
        offset = end;
    }
    return found;
}

std::string_view number_at(std::string_view text, std::size_t start) {
    return text.substr(start, end_of_run(text, start, continues_number) - start);
}

std::string with_points(std::string text, const std::vector<std::size_t>& long_integers) {
    for (const std::size_t start : long_integers) text[start + (text[start] == '-' ? 2 : 1)] = '.';
    return text;
}

void Cursor::next() {
    const std::size_t start = next_start();
    if (start < text_.size()) offset_ = end_of_token(text_, start);
}

std::string Cursor::place() const {
    const std::size_t here = behind_blanks(offset_);
    const bool after_value = offset_ > 0 && text_[offset_ - 1] != '[' && text_[offset_ - 1] != '{';
    const bool separated = here < text_.size() && (text_[here] == ',' || text_[here] == ':');
    return place_of(text_, after_value && separated ? behind_blanks(here + 1) : here);
}

std::size_t Cursor::next_start() const {
    return std::min(text_.find_first_not_of(" \t\r\n,:", offset_), text_.size());
}

std::size_t Cursor::behind_blanks(std::size_t offset) const {
    return std::min(text_.find_first_not_of(" \t\r\n", offset), text_.size());
}

}  // namespace data_import::json

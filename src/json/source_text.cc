#include "json/source_text.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "json/escapes.h"
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

bool is_blank(char character) {
    return character == ' ' || character == '\n' || character == '\r' || character == '\t';
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
        offset += unescaped_prefix(text.substr(offset));
        if (offset >= text.size()) return text.size();
        if (text[offset] == '"') return offset + 1;
        offset = std::min(offset + (text[offset] == '\\' ? 2 : 1), text.size());
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

bool is_exponent_mark(char character) {
    return character == 'e' || character == 'E';
}

/// What numbers of PostgreSQL and of common languages cannot hold, a zero with such an exponent included.
bool is_extreme(std::string_view exponent) {
    if (exponent.starts_with('+') || exponent.starts_with('-')) exponent.remove_prefix(1);
    unsigned value = 0;
    const auto result = std::from_chars(exponent.data(), exponent.data() + exponent.size(), value);
    return result.ec == std::errc::result_out_of_range || value > max_exponent;
}

void check_number(std::string_view text, std::size_t start, std::string_view literal) {
    if (literal.size() > max_number_length) {
        throw SyntaxError("A number has more than " + std::to_string(max_number_length) + " characters" +
                          place_of(text, start) + ".");
    }
    const auto mark = std::ranges::find_if(literal, is_exponent_mark);
    if (mark == literal.end()) return;  // not too large, with so few digits
    if (is_infinite(literal)) throw SyntaxError("A number is too large" + place_of(text, start) + ".");
    if (is_extreme(std::string_view(mark + 1, literal.end()))) {
        throw SyntaxError("A number has an exponent beyond " + std::to_string(max_exponent) +
                          place_of(text, start) + ".");
    }
}

/// Takes digits off the front; false where there are none.
bool take_digits(std::string_view& literal) {
    const auto end = std::find_if_not(literal.begin(), literal.end(), is_digit);
    const bool some = end != literal.begin();
    literal.remove_prefix(static_cast<std::size_t>(end - literal.begin()));
    return some;
}

bool take(std::string_view& literal, std::string_view any_of) {
    const bool there = !literal.empty() && any_of.find(literal.front()) != std::string_view::npos;
    if (there) literal.remove_prefix(1);
    return there;
}

/// RFC 8259, section 6.
bool is_number(std::string_view literal) {
    take(literal, "-");
    if (!take(literal, "0") && !take_digits(literal)) return false;
    if (take(literal, ".") && !take_digits(literal)) return false;
    if (take(literal, "eE")) {
        take(literal, "+-");
        if (!take_digits(literal)) return false;
    }
    return literal.empty();
}

class Surveyor {
public:
    explicit Surveyor(std::string_view text) : text_(text) { found_.skeleton.resize(text.size()); }

    Survey run() {
        while (offset_ < text_.size()) {
            const char first = text_[offset_];
            if (first == '"') {
                string();
            } else if (starts_number(first)) {
                number();
            } else {
                other(first);
            }
        }
        found_.skeleton.resize(written_);
        return std::move(found_);
    }

private:
    void string() {
        const std::size_t start = offset_ + 1;
        const std::size_t length = unescaped_prefix(text_.substr(start));
        if (start + length < text_.size() && text_[start + length] == '"') {
            add_scalar(start, length, true);
            return replace(length + 2, "\"\"");
        }
        const std::size_t end = end_of_string(text_, offset_);
        if (holds_escaped_nul(text_.substr(offset_, end - offset_))) {
            throw SyntaxError("A string or key contains the character U+0000" + place_of(text_, offset_) +
                              ".");
        }
        add_scalar(start, 0, false);
        found_.escaped_bytes += end - start;
        keep(end - offset_);
    }

    void number() {
        const std::size_t end = end_of_run(text_, offset_, continues_number);
        const std::string_view literal = text_.substr(offset_, end - offset_);
        check_number(text_, offset_, literal);
        const bool is_plain = is_number(literal);
        add_scalar(offset_, literal.size(), is_plain);
        replace(literal.size(), is_plain ? "0" : literal);
    }

    void other(char first) {
        keep(1);
        if (first != ',' && first != ':' && first != '[' && first != '{') return;
        ++found_.nodes;
        while (offset_ < text_.size() && is_blank(text_[offset_])) ++offset_;
    }

    void add_scalar(std::size_t start, std::size_t length, bool is_plain) {
        found_.scalars.push_back({.start = static_cast<std::uint32_t>(start),
                                  .length = static_cast<std::uint32_t>(length) & 0x7FFF'FFFFU,
                                  .is_plain = is_plain ? 1U : 0U});
    }

    void keep(std::size_t length) { replace(length, text_.substr(offset_, length)); }

    /// `by` is not longer than what it stands for.
    void replace(std::size_t length, std::string_view by) {
        std::memcpy(found_.skeleton.data() + written_, by.data(), by.size());
        written_ += by.size();
        offset_ += length;
    }

    std::string_view text_;
    std::size_t offset_ = 0;
    std::size_t written_ = 0;
    Survey found_;
};

}  // namespace

Survey survey(std::string_view text) {
    return Surveyor(text).run();
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

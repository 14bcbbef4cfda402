#include "json/source_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <utility>

#include "json/escapes.h"
#include "json/reader.h"
#include "util/decimal.h"

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

bool is_white_space(char character) {
    return character == ' ' || character == '\n' || character == '\r' || character == '\t';
}

bool is_letter(char character) {
    return character >= 'a' && character <= 'z';
}

std::size_t behind_white_space(std::string_view text, std::size_t offset) {
    while (offset < text.size() && is_white_space(text[offset])) ++offset;
    return offset;
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
bool is_infinite(std::string_view literal, std::string_view exponent) {
    if (exponent.starts_with('-')) return false;
    double ignored = 0;
    const auto result = std::from_chars(literal.data(), literal.data() + literal.size(), ignored);
    return result.ec == std::errc::result_out_of_range;
}

/// What numbers of PostgreSQL and of common languages cannot hold, a zero with such an exponent included.
bool is_extreme(std::string_view exponent) {
    if (exponent.starts_with('+') || exponent.starts_with('-')) exponent.remove_prefix(1);
    unsigned value = 0;
    const auto result = std::from_chars(exponent.data(), exponent.data() + exponent.size(), value);
    return result.ec == std::errc::result_out_of_range || value > max_exponent;
}

void check_exponent(std::string_view text, std::size_t start, std::string_view literal) {
    const auto mark = std::ranges::find_if(literal, [](char each) { return each == 'e' || each == 'E'; });
    if (mark == literal.end()) return;  // not too large, with so few digits
    const std::string_view exponent(mark + 1, literal.end());
    if (is_infinite(literal, exponent))
        throw SyntaxError("A number is too large" + place_of(text, start) + ".");
    if (is_extreme(exponent)) {
        throw SyntaxError("A number has an exponent beyond " + std::to_string(max_exponent) +
                          place_of(text, start) + ".");
    }
}

void check_number(std::string_view text, std::size_t start, std::string_view literal) {
    if (literal.size() > max_number_length) {
        throw SyntaxError("A number has more than " + std::to_string(max_number_length) + " characters" +
                          place_of(text, start) + ".");
    }
    check_exponent(text, start, literal);
    if (!util::is_json_number(literal))
        throw SyntaxError("A number is not written as JSON wants it" + place_of(text, start) + ".");
}

/// Of a text, for each string or number in it: what payloads mostly have, or more.
constexpr std::size_t bytes_of_scalar = 16;

class Surveyor {
public:
    explicit Surveyor(std::string_view text) : text_(text), most_nodes_(max_nodes(text.size())) {
        found_.skeleton.resize(text.size());
        found_.scalars.reserve(text.size() / bytes_of_scalar + 1);
    }

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
            add_scalar(start, length);
            return replace(length + 2, "\"\"");
        }
        const std::string_view token = text_.substr(offset_, end_of_string(text_, offset_) - offset_);
        if (holds_escaped_nul(token)) {
            throw SyntaxError("A string or key contains the character U+0000" + place_of(text_, offset_) +
                              ".");
        }
        add_scalar(start, length_unknown);
        found_.decoded_bytes += token.size();
        replace(token.size(), token);
    }

    void number() {
        const std::size_t end = end_of_run(text_, offset_, continues_number);
        const std::string_view literal = text_.substr(offset_, end - offset_);
        check_number(text_, offset_, literal);
        add_scalar(offset_, literal.size());
        replace(literal.size(), "0");
    }

    void other(char character) {
        replace(1, {&character, 1});
        switch (character) {
            case '[':
            case '{':
                open();
                break;
            case ']':
            case '}':
                if (level_ > 0) --level_;
                return;
            case ':':
                if (++members_[level_] > max_members) refuse_members();
                break;
            case ',':
                break;
            default:
                return;
        }
        if (++found_.nodes > most_nodes_) refuse_nodes();
        offset_ = behind_white_space(text_, offset_);
    }

    void open() {
        if (level_ == max_nesting) {
            refuse("Arrays and objects are nested more than " + std::to_string(max_nesting) + " levels deep");
        }
        members_[++level_] = 0;
    }

    [[noreturn]] void refuse_nodes() const {
        refuse("There are more than " + std::to_string(most_nodes_) +
               " values and keys, the most that a JSON text of this length may have,");
    }

    [[noreturn]] void refuse_members() const {
        refuse("An object has more than " + std::to_string(max_members) + " members");
    }

    /// Because of the character that was just read.
    [[noreturn]] void refuse(const std::string& reason) const {
        throw SyntaxError(reason + place_of(text_, offset_ - 1) + ".");
    }

    void add_scalar(std::size_t start, std::size_t length) {
        found_.scalars.push_back({static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(length)});
    }

    /// Writes `by`, which is not longer, for the next `length` characters of the text.
    void replace(std::size_t length, std::string_view by) {
        std::memcpy(found_.skeleton.data() + written_, by.data(), by.size());
        written_ += by.size();
        offset_ += length;
    }

    std::string_view text_;
    std::size_t offset_ = 0;
    std::size_t written_ = 0;
    std::size_t level_ = 0;                                 ///< arrays and objects that are open
    std::array<std::uint32_t, max_nesting + 1> members_{};  ///< of each of them so far
    std::size_t most_nodes_;
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
    const std::size_t here = behind_white_space(text_, offset_);
    const bool after_value = offset_ > 0 && text_[offset_ - 1] != '[' && text_[offset_ - 1] != '{';
    const bool separated = here < text_.size() && (text_[here] == ',' || text_[here] == ':');
    return place_of(text_, after_value && separated ? behind_white_space(text_, here + 1) : here);
}

std::size_t Cursor::next_start() const {
    std::size_t start = behind_white_space(text_, offset_);
    while (start < text_.size() && (text_[start] == ',' || text_[start] == ':'))
        start = behind_white_space(text_, start + 1);
    return start;
}

}  // namespace data_import::json

#include "service/graphql/lexer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <vector>

#include "service/graphql/error.h"

namespace data_import::graphql {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view triple_quote = "\"\"\"";
constexpr std::string_view escaped_triple_quote = "\\\"\"\"";

[[noreturn]] void refuse(const std::string& sentence, std::size_t offset) {
    throw LocatedError(sentence, code::parse_failed, static_cast<std::uint32_t>(offset));
}

bool is_digit(char character) {
    return character >= '0' && character <= '9';
}

bool starts_name(char character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           character == '_';
}

// --- escapes in strings ---

/// Reads a hexadecimal number of one to eight digits. Returns nothing for any other text.
std::optional<std::uint32_t> hexadecimal(std::string_view digits) {
    std::uint32_t number = 0;
    const char* end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, number, 16);
    if (digits.size() > 8 || read.ec != std::errc() || read.ptr != end) return std::nullopt;
    return number;
}

bool is_surrogate(std::uint32_t unit) {
    return unit >= 0xD800 && unit <= 0xDFFF;
}

bool is_trailing_surrogate(std::uint32_t unit) {
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

void append_utf8(std::string& target, std::uint32_t code_point) {
    if (code_point < 0x80) {
        target += static_cast<char>(code_point);
        return;
    }
    static constexpr std::array<std::uint32_t, 4> first_bytes = {0, 0xC0, 0xE0, 0xF0};
    std::uint32_t continuations = code_point < 0x800 ? 1 : code_point < 0x10000 ? 2 : 3;
    target += static_cast<char>(first_bytes[continuations] | code_point >> 6U * continuations);
    while (continuations-- > 0)
        target += static_cast<char>(0x80U | (code_point >> 6U * continuations & 0x3FU));
}

struct Escape {
    std::uint32_t code_point;
    std::size_t length;
};

/// Decodes an escape of four digits, or two such escapes that are a surrogate pair. `text` begins with the
/// backslash. A surrogate without a partner is returned as it is, and refused by the caller.
std::optional<Escape> fixed_width_escape(std::string_view text) {
    const auto unit = hexadecimal(text.substr(2, 4));
    if (!unit || text.size() < 6) return std::nullopt;
    const bool is_leading = is_surrogate(*unit) && !is_trailing_surrogate(*unit);
    if (!is_leading || !text.substr(6).starts_with("\\u")) return Escape{*unit, 6};
    const auto second = hexadecimal(text.substr(8, 4));
    if (!second || !is_trailing_surrogate(*second)) return std::nullopt;
    return Escape{0x10000 + ((*unit - 0xD800) << 10U) + (*second - 0xDC00), 12};
}

std::optional<Escape> braced_escape(std::string_view text) {
    const std::size_t brace = text.substr(0, 12).find('}');
    if (brace == std::string_view::npos) return std::nullopt;
    const auto code_point = hexadecimal(text.substr(3, brace - 3));
    return code_point ? std::optional<Escape>({*code_point, brace + 1}) : std::nullopt;
}

std::optional<Escape> escape_at(std::string_view text) {
    if (text.starts_with("\\u{")) return braced_escape(text);
    if (text.starts_with("\\u")) return fixed_width_escape(text);
    constexpr std::string_view letters = "\"\\/bfnrt";
    constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    const std::size_t which = text.size() < 2 ? std::string_view::npos : letters.find(text[1]);
    if (which == std::string_view::npos) return std::nullopt;
    return Escape{static_cast<unsigned char>(meanings[which]), 2};
}

// --- block strings ---

std::size_t indentation(std::string_view line) {
    return std::min(line.find_first_not_of(" \t"), line.size());
}

bool is_blank(std::string_view line) {
    return indentation(line) == line.size();
}

/// Returns the indentation that all lines have in common. The first line does not count, because it follows
/// the quotation marks; blank lines do not count either.
std::size_t common_indentation(const std::vector<std::string>& lines) {
    std::size_t common = std::numeric_limits<std::size_t>::max();
    for (std::size_t line = 1; line < lines.size(); ++line) {
        if (!is_blank(lines[line])) common = std::min(common, indentation(lines[line]));
    }
    return common;
}

/// Returns the value of a block string: its lines without the common indentation, and without blank lines at
/// both ends.
std::string block_value(const std::vector<std::string>& lines) {
    const std::size_t common = common_indentation(lines);
    const auto is_text = [](const std::string& line) { return !is_blank(line); };
    const auto first = std::find_if(lines.begin(), lines.end(), is_text);
    const auto behind = std::find_if(lines.rbegin(), lines.rend(), is_text).base();
    std::string value;
    for (auto line = first; line < behind; ++line) {
        if (line != first) value += '\n';
        value += line == lines.begin() ? *line : line->substr(std::min(common, line->size()));
    }
    return value;
}

}  // namespace

void Lexer::skip_ignored() {
    while (position_ < text_.size()) {
        const char character = text_[position_];
        if (character == '#') {
            position_ = std::min(text_.find_first_of("\r\n", position_), text_.size());
        } else if (starts_with(byte_order_mark)) {
            position_ += byte_order_mark.size();
        } else if (character == ' ' || character == '\t' || character == ',' || character == '\n' ||
                   character == '\r') {
            ++position_;
        } else {
            return;
        }
    }
}

Token Lexer::next() {
    skip_ignored();
    const char character = at(position_);
    if (position_ >= text_.size()) return token(TokenKind::end, position_);
    if (starts_name(character)) return name();
    if (is_digit(character) || character == '-') return number();
    if (starts_with(triple_quote)) return block_string();
    return character == '"' ? string() : punctuator();
}

Token Lexer::token(TokenKind kind, std::size_t end) {
    Token read{kind, static_cast<std::uint32_t>(position_), text_.substr(position_, end - position_), {}};
    position_ = end;
    return read;
}

Token Lexer::punctuator() {
    constexpr std::string_view single = "!$&():=@[]{|}";
    if (single.find(text_[position_]) != std::string_view::npos)
        return token(TokenKind::punctuator, position_ + 1);
    if (starts_with("...")) return token(TokenKind::punctuator, position_ + 3);
    refuse("This character is not allowed here.", position_);
}

Token Lexer::name() {
    std::size_t end = position_;
    while (starts_name(at(end)) || is_digit(at(end))) ++end;
    return token(TokenKind::name, end);
}

Token Lexer::number() {
    TokenKind kind = TokenKind::integer;
    std::size_t end = position_ + (text_[position_] == '-' ? 1 : 0);
    if (at(end) == '0' && is_digit(at(end + 1)))
        refuse("A number must not begin with an unnecessary 0.", end + 1);
    end = behind_digits(end);
    if (at(end) == '.') {
        kind = TokenKind::floating;
        end = behind_digits(end + 1);
    }
    if (at(end) == 'e' || at(end) == 'E') {
        kind = TokenKind::floating;
        const bool has_sign = at(end + 1) == '+' || at(end + 1) == '-';
        end = behind_digits(end + (has_sign ? 2 : 1));
    }
    if (at(end) == '.' || starts_name(at(end))) refuse("A number cannot go on with this character.", end);
    return token(kind, end);
}

std::size_t Lexer::behind_digits(std::size_t offset) const {
    if (!is_digit(at(offset))) refuse("This number lacks a digit here.", offset);
    while (is_digit(at(offset))) ++offset;
    return offset;
}

Token Lexer::string() {
    std::string value;
    std::size_t at = position_ + 1;
    while (true) {
        const std::size_t special = std::min(text_.find_first_of("\"\\\r\n", at), text_.size());
        value += text_.substr(at, special - at);
        if (special == text_.size() || text_[special] == '\r' || text_[special] == '\n')
            refuse("This string has no end on its line.", special);
        if (text_[special] == '"') {
            Token read = token(TokenKind::string, special + 1);
            read.string = std::move(value);
            return read;
        }
        const auto escape = escape_at(text_.substr(special));
        if (!escape || escape->code_point > 0x10FFFF || is_surrogate(escape->code_point))
            refuse("This escape sequence is not valid.", special);
        append_utf8(value, escape->code_point);
        at = special + escape->length;
    }
}

Token Lexer::block_string() {
    std::vector<std::string> lines(1);
    std::size_t at = position_ + triple_quote.size();
    while (true) {
        const std::size_t special = std::min(text_.find_first_of("\"\\\r\n", at), text_.size());
        lines.back() += text_.substr(at, special - at);
        if (special == text_.size()) refuse("This block string has no end.", special);
        const std::string_view rest = text_.substr(special);
        if (rest.starts_with(triple_quote)) {
            Token read = token(TokenKind::string, special + triple_quote.size());
            read.string = block_value(lines);
            return read;
        }
        at = special + 1;
        if (rest.starts_with(escaped_triple_quote)) {
            lines.back() += triple_quote;
            at = special + escaped_triple_quote.size();
        } else if (rest.front() == '\r' || rest.front() == '\n') {
            if (rest.starts_with("\r\n")) ++at;
            lines.emplace_back();
        } else {
            lines.back() += rest.front();
        }
    }
}

}  // namespace data_import::graphql

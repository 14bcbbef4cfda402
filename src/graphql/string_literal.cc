#include "graphql/string_literal.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "graphql/source_text.h"

namespace data_import::graphql {

namespace {

constexpr std::string_view triple_quote = "\"\"\"";
constexpr std::string_view escaped_triple_quote = "\\\"\"\"";

std::optional<unsigned> hexadecimal(char digit) {
    if (digit >= '0' && digit <= '9') return static_cast<unsigned>(digit - '0');
    if (digit >= 'a' && digit <= 'f') return static_cast<unsigned>(digit - 'a' + 10);
    if (digit >= 'A' && digit <= 'F') return static_cast<unsigned>(digit - 'A' + 10);
    return std::nullopt;
}

/// At most eight digits; nothing for none and for other characters.
std::optional<std::uint32_t> hexadecimal(std::string_view digits) {
    if (digits.empty() || digits.size() > 8) return std::nullopt;
    std::uint32_t number = 0;
    for (const char character : digits) {
        const auto digit = hexadecimal(character);
        if (!digit) return std::nullopt;
        number = number << 4U | *digit;
    }
    return number;
}

bool is_leading_surrogate(std::uint32_t unit) {
    return unit >= 0xD800 && unit <= 0xDBFF;
}

bool is_trailing_surrogate(std::uint32_t unit) {
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

bool is_scalar_value(std::uint32_t code_point) {
    return code_point <= 0x10FFFF && !is_leading_surrogate(code_point) && !is_trailing_surrogate(code_point);
}

void append_utf8(std::string& target, std::uint32_t code_point) {
    const auto continuation = [&](unsigned shift) {
        target += static_cast<char>(0x80U | (code_point >> shift & 0x3FU));
    };
    if (code_point < 0x80) {
        target += static_cast<char>(code_point);
    } else if (code_point < 0x800) {
        target += static_cast<char>(0xC0U | code_point >> 6U);
        continuation(0);
    } else if (code_point < 0x10000) {
        target += static_cast<char>(0xE0U | code_point >> 12U);
        continuation(6);
        continuation(0);
    } else {
        target += static_cast<char>(0xF0U | code_point >> 18U);
        continuation(12);
        continuation(6);
        continuation(0);
    }
}

/// A code point that an escape stands for, and how long the escape is in the document.
struct Escape {
    std::uint32_t code_point;
    std::size_t length;
};

std::optional<std::uint32_t> four_digits(std::string_view text) {
    return text.size() < 4 ? std::nullopt : hexadecimal(text.substr(0, 4));
}

/// `text` begins with the backslash.
std::optional<Escape> fixed_width_escape(std::string_view text) {
    const auto unit = four_digits(text.substr(2));
    if (!unit) return std::nullopt;
    if (!is_leading_surrogate(*unit)) return Escape{*unit, 6};
    if (!text.substr(6).starts_with("\\u")) return std::nullopt;
    const auto second = four_digits(text.substr(8));
    if (!second || !is_trailing_surrogate(*second)) return std::nullopt;
    return Escape{0x10000 + ((*unit - 0xD800) << 10U) + (*second - 0xDC00), 12};
}

std::optional<Escape> braced_escape(std::string_view text) {
    const std::size_t brace = text.substr(0, 12).find('}');
    if (brace == std::string_view::npos) return std::nullopt;
    const auto code_point = hexadecimal(text.substr(3, brace - 3));
    return code_point ? std::optional<Escape>({*code_point, brace + 1}) : std::nullopt;
}

std::optional<Escape> simple_escape(std::string_view text) {
    constexpr std::string_view letters = "\"\\/bfnrt";
    constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    const std::size_t which = text.size() < 2 ? std::string_view::npos : letters.find(text[1]);
    if (which == std::string_view::npos) return std::nullopt;
    return Escape{static_cast<unsigned char>(meanings[which]), 2};
}

std::optional<Escape> escape_at(std::string_view text) {
    if (text.starts_with("\\u{")) return braced_escape(text);
    if (text.starts_with("\\u")) return fixed_width_escape(text);
    return simple_escape(text);
}

std::size_t indentation(std::string_view line) {
    return std::min(line.find_first_not_of(" \t"), line.size());
}

bool is_blank(std::string_view line) {
    return indentation(line) == line.size();
}

/// The first line follows the quotes, so its indentation says nothing.
std::size_t common_indentation(const std::vector<std::string>& lines) {
    std::size_t common = std::numeric_limits<std::size_t>::max();
    for (std::size_t line = 1; line < lines.size(); ++line) {
        if (!is_blank(lines[line])) common = std::min(common, indentation(lines[line]));
    }
    return common;
}

/// Common indentation and blank lines at both ends taken away.
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

StringLiteral read_string(std::string_view text, std::size_t start) {
    StringLiteral literal;
    std::size_t at = start + 1;
    while (true) {
        const std::size_t special = std::min(text.find_first_of("\"\\\r\n", at), text.size());
        literal.value += text.substr(at, special - at);
        if (special == text.size() || text[special] == '\r' || text[special] == '\n')
            throw SyntaxError("This string has no end on its line.", special);
        literal.end = special + 1;
        if (text[special] == '"') return literal;
        const auto escape = escape_at(text.substr(special));
        if (!escape || !is_scalar_value(escape->code_point))
            throw SyntaxError("This escape sequence stands for no character.", special);
        append_utf8(literal.value, escape->code_point);
        at = special + escape->length;
    }
}

StringLiteral read_block_string(std::string_view text, std::size_t start) {
    std::vector<std::string> lines(1);
    std::size_t at = start + triple_quote.size();
    while (true) {
        const std::size_t special = std::min(text.find_first_of("\"\\\r\n", at), text.size());
        lines.back() += text.substr(at, special - at);
        if (special == text.size()) throw SyntaxError("This block string has no end.", special);
        const std::string_view rest = text.substr(special);
        if (rest.starts_with(triple_quote)) return {block_value(lines), special + triple_quote.size()};
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

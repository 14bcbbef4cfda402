#include "graphql/lexer.h"

#include <array>
#include <optional>

#include "graphql/source_text.h"
#include "graphql/string_literal.h"

namespace data_import::graphql {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_digit(char character) {
    return character >= '0' && character <= '9';
}

bool starts_name(char character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           character == '_';
}

std::optional<TokenKind> punctuator_of(char character) {
    switch (character) {
        case '!':
            return TokenKind::bang;
        case '$':
            return TokenKind::dollar;
        case '&':
            return TokenKind::ampersand;
        case '(':
            return TokenKind::left_parenthesis;
        case ')':
            return TokenKind::right_parenthesis;
        case ':':
            return TokenKind::colon;
        case '=':
            return TokenKind::equals;
        case '@':
            return TokenKind::at;
        case '[':
            return TokenKind::left_bracket;
        case ']':
            return TokenKind::right_bracket;
        case '{':
            return TokenKind::left_brace;
        case '|':
            return TokenKind::pipe;
        case '}':
            return TokenKind::right_brace;
        default:
            return std::nullopt;
    }
}

}  // namespace

std::string_view name_of(TokenKind kind) {
    static constexpr std::array<std::string_view, 19> names = {"the end of the document",
                                                               "\"!\"",
                                                               "\"$\"",
                                                               "\"&\"",
                                                               "\"(\"",
                                                               "\")\"",
                                                               "\"...\"",
                                                               "\":\"",
                                                               "\"=\"",
                                                               "\"@\"",
                                                               "\"[\"",
                                                               "\"]\"",
                                                               "\"{\"",
                                                               "\"|\"",
                                                               "\"}\"",
                                                               "a name",
                                                               "an integer",
                                                               "a float",
                                                               "a string"};
    return names.at(static_cast<std::size_t>(kind));
}

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
    if (position_ >= text_.size()) return token(TokenKind::end, text_.size());
    const char character = text_[position_];
    if (starts_name(character)) return name();
    if (is_digit(character) || character == '-') return number();
    if (character != '"') return punctuator();
    const bool is_block = starts_with("\"\"\"");
    StringLiteral literal = is_block ? read_block_string(text_, position_) : read_string(text_, position_);
    Token read = token(TokenKind::string, literal.end);
    read.string = std::move(literal.value);
    return read;
}

Token Lexer::token(TokenKind kind, std::size_t end) {
    Token read;
    read.kind = kind;
    read.offset = static_cast<std::uint32_t>(position_);
    read.text = text_.substr(position_, end - position_);
    position_ = end;
    return read;
}

Token Lexer::punctuator() {
    if (const auto kind = punctuator_of(text_[position_])) return token(*kind, position_ + 1);
    if (starts_with("...")) return token(TokenKind::spread, position_ + 3);
    if (text_[position_] == '\'')
        throw SyntaxError("Strings stand in double quotes, not in single ones.", position_);
    throw SyntaxError("This character cannot stand here.", position_);
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
        throw SyntaxError("A number does not begin with a superfluous 0.", end + 1);
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
    if (at(end) == '.' || starts_name(at(end)))
        throw SyntaxError("A number cannot go on with this character.", end);
    return token(kind, end);
}

std::size_t Lexer::behind_digits(std::size_t offset) const {
    if (!is_digit(at(offset))) throw SyntaxError("This number lacks a digit here.", offset);
    while (is_digit(at(offset))) ++offset;
    return offset;
}

}  // namespace data_import::graphql

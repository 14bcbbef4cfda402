// Tokens of a document (specification of October 2021, section 2.1). Private to the folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace data_import::graphql {

enum class TokenKind : std::uint8_t {
    end,
    bang,
    dollar,
    ampersand,
    left_parenthesis,
    right_parenthesis,
    spread,
    colon,
    equals,
    at,
    left_bracket,
    right_bracket,
    left_brace,
    pipe,
    right_brace,
    name,
    integer,
    floating,
    string,
};

struct Token {
    TokenKind kind = TokenKind::end;
    std::uint32_t offset = 0;  ///< of its first byte
    std::string_view text;     ///< as it stands in the document
    std::string string;  ///< what a string stands for: escapes decoded, indentation of a block taken away
};

/// How a message names a kind of token.
[[nodiscard]] std::string_view name_of(TokenKind kind);

/// Reads one token after the other. Cheap to copy: a copy looks ahead. The text has to outlive it and its
/// tokens.
class Lexer {
public:
    explicit Lexer(std::string_view text) : text_(text) {}

    /// The next token; at the end of the text `end`, again and again. Throws SyntaxError at the character
    /// that cannot be there.
    [[nodiscard]] Token next();

private:
    [[nodiscard]] char at(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
    [[nodiscard]] bool starts_with(std::string_view prefix) const {
        return text_.substr(position_).starts_with(prefix);
    }
    void skip_ignored();
    [[nodiscard]] Token token(TokenKind kind, std::size_t end);
    [[nodiscard]] Token punctuator();
    [[nodiscard]] Token name();
    [[nodiscard]] Token number();
    [[nodiscard]] std::size_t behind_digits(std::size_t offset) const;

    std::string_view text_;
    std::size_t position_ = 0;
};

}  // namespace data_import::graphql

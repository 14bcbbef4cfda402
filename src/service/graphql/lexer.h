// Tokens of a document (specification of October 2021, sections 2.1 and 2.9.4). Private to the folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace data_import::graphql {

enum class TokenKind : std::uint8_t { end, punctuator, name, integer, floating, string };

struct Token {
    TokenKind kind = TokenKind::end;
    std::uint32_t offset = 0;  ///< offset of the token's first byte
    std::string_view text;     ///< the token as it stands in the document
    std::string string;        ///< value of a string: escapes decoded, indentation of a block removed
};

/// Reads one token after the other. The text has to outlive the lexer and its tokens.
class Lexer {
public:
    explicit Lexer(std::string_view text) : text_(text) {}

    /// Reads the next token. At the end of the text returns a token of the kind `end`, and so does every
    /// further call. Throws LocatedError if the text does not go on with a valid token.
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
    [[nodiscard]] Token string();
    [[nodiscard]] Token block_string();

    std::string_view text_;
    std::size_t position_ = 0;
};

}  // namespace data_import::graphql

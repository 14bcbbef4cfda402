// From text to a document (specification of October 2021, section 2 and the grammar of its appendix B).
// Private to the folder.
#pragma once

#include <cstddef>
#include <string_view>

#include "graphql/document.h"
#include "graphql/lexer.h"
#include "graphql/source_text.h"

namespace data_import::graphql {

/// Reads a whole document. Definitions of types are read as well, so that a mistake in one of them is found
/// where it is; of what they say nothing is kept. Throws SyntaxError, at the first token that cannot stand
/// where it stands, and for a text above the limits of graphql/execute.h.
[[nodiscard]] Document parse(std::string_view text);

/// Reads one value without variables, such as `{a: [1]}`. Throws SyntaxError.
[[nodiscard]] ValueNode parse_constant(std::string_view text);

/// Reads a type, such as `[Int!]!`. Throws SyntaxError.
[[nodiscard]] TypeNode parse_type(std::string_view text);

/// The current token, and what grammars are made of.
class TokenReader {
public:
    explicit TokenReader(std::string_view text);

    [[nodiscard]] const Token& token() const { return token_; }
    [[nodiscard]] bool sees(TokenKind kind) const { return token_.kind == kind; }
    [[nodiscard]] bool sees_keyword(std::string_view word) const {
        return sees(TokenKind::name) && token_.text == word;
    }
    /// The token behind the current one.
    [[nodiscard]] Token look_ahead() const { return Lexer(lexer_).next(); }
    /// The current token; goes on to the next.
    Token take();
    Token expect(TokenKind kind);
    void expect_keyword(std::string_view word);
    Name expect_name();
    /// True when the current token was of this kind; it is taken then.
    bool skip(TokenKind kind);
    bool skip_keyword(std::string_view word);
    [[noreturn]] void refuse(const Token& token, std::string_view expected = {}) const;

    /// At least one item between two tokens.
    template <typename Read>
    void many(TokenKind open, TokenKind close, Read read) {
        expect(open);
        do read();
        while (!skip(close));
    }

    /// One level of nesting, for as long as it lives. Throws SyntaxError when there are too many.
    class Level {
    public:
        explicit Level(TokenReader& reader);
        ~Level() { --reader_.nesting_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

    private:
        TokenReader& reader_;
    };

private:
    Lexer lexer_;
    Token token_;
    std::size_t tokens_ = 0;
    std::size_t nesting_ = 0;
};

/// Values and types, which executable documents and definitions of types have in common.
[[nodiscard]] ValueNode read_value(TokenReader& reader, bool constant);
[[nodiscard]] TypeNode read_type(TokenReader& reader);
[[nodiscard]] std::vector<Directive> read_directives(TokenReader& reader, bool constant);

/// Reads over a definition or an extension of a type, a directive or a schema, if one stands here; `keyword`
/// is its first word. False where none does.
[[nodiscard]] bool skip_type_system_definition(TokenReader& reader, std::string_view keyword);

}  // namespace data_import::graphql

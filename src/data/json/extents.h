// The extents of the values of a JSON text, found without looking into them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace data_import::json {

/// Goes through a text from its beginning. White space before a part is skipped. A text that is no JSON may
/// yield parts too; they lie in the text.
class ExtentScanner {
public:
    explicit ExtentScanner(std::string_view text) : text_(text) {}

    [[nodiscard]] bool at_end();
    /// Passes the character if it stands there, and tells whether it did.
    [[nodiscard]] bool take(char wanted);
    /// A string literal with its quotes; nothing if there is none, or if it does not end.
    [[nodiscard]] std::optional<std::string_view> string_literal();
    /// Any value; nothing if there is none, or if it does not end.
    [[nodiscard]] std::optional<std::string_view> value();
    /// The part of the text that has not been passed.
    [[nodiscard]] std::string_view rest();

private:
    void skip_space();

    std::string_view text_;
    std::size_t at_ = 0;
};

/// The text of a string literal with its quotes, escapes resolved. Nothing if an escape is wrong, or where
/// it is no string literal.
[[nodiscard]] std::optional<std::string> text_of(std::string_view literal);
/// Whether the literal is this text, with escapes or without.
[[nodiscard]] bool is_text(std::string_view literal, std::string_view text);

}  // namespace data_import::json

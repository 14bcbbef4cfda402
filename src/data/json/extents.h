// Finds where the values of a JSON text begin and end, without parsing them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace data_import::json {

/// Goes through a JSON text from its beginning, and returns the values in it as views of the text. Skips
/// white space before each value or character. Does not check that the text is JSON, so the scanner may
/// return values even if the text is not JSON.
class ExtentScanner {
public:
    explicit ExtentScanner(std::string_view text) : text_(text) {}

    [[nodiscard]] bool at_end();
    /// Passes over the character `wanted` if it comes next. Returns whether it came next.
    [[nodiscard]] bool take(char wanted);
    /// Returns the next string literal with its quotes, and passes over it. Returns nothing if no string
    /// literal comes next, or if it does not end.
    [[nodiscard]] std::optional<std::string_view> string_literal();
    /// Returns the next value, of any type, and passes over it. Returns nothing if no value comes next, or if
    /// it does not end.
    [[nodiscard]] std::optional<std::string_view> value();
    /// Returns the part of the text that has not been passed over yet.
    [[nodiscard]] std::string_view rest();

private:
    void skip_space();

    std::string_view text_;
    std::size_t at_ = 0;
};

/// Returns the text of a string literal, its escapes resolved; nothing if an escape is wrong, or if `literal`
/// is no string literal.
[[nodiscard]] std::optional<std::string> text_of(std::string_view literal);
/// Returns whether the literal stands for this text, with escapes or without.
[[nodiscard]] bool is_text(std::string_view literal, std::string_view text);

}  // namespace data_import::json

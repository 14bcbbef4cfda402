#include "data/json/extents.h"

#include <algorithm>

#include "data/json/reader.h"

namespace data_import::json {

namespace {

constexpr std::size_t none = std::string_view::npos;

/// Returns the place behind the quotation mark that ends a string; `none` if no mark ends it. `at` is the
/// place behind the quotation mark that begins the string.
std::size_t end_of_string(std::string_view text, std::size_t at) {
    while ((at = text.find('"', at)) != none) {
        std::size_t backslashes = 0;
        while (text[at - 1 - backslashes] == '\\') ++backslashes;
        ++at;
        if (backslashes % 2 == 0) return at;
    }
    return none;
}

/// Returns the end of the string, array or object that begins at `at`.
std::size_t end_of_bracketed(std::string_view text, std::size_t at) {
    std::size_t depth = 0;
    while (at < text.size()) {
        switch (text[at++]) {
            case '"':
                at = end_of_string(text, at);
                break;
            case '{':
            case '[':
                ++depth;
                break;
            case '}':
            case ']':
                --depth;
                break;
            default:
                continue;
        }
        if (depth == 0) return at;
    }
    return none;
}

/// Returns the end of the number or other word that begins at `at`; `none` if none begins there.
std::size_t end_of_word(std::string_view text, std::size_t at) {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n,:{}[]\"", at), text.size());
    return end > at ? end : none;
}

std::size_t end_of_value(std::string_view text, std::size_t at) {
    if (at == text.size()) return none;
    const bool is_bracketed = text[at] == '"' || text[at] == '{' || text[at] == '[';
    return is_bracketed ? end_of_bracketed(text, at) : end_of_word(text, at);
}

}  // namespace

std::optional<std::string> text_of(std::string_view literal) {
    if (literal.size() < 2 || !literal.starts_with('"') || !literal.ends_with('"')) return std::nullopt;
    if (literal.find('\\') == none) return std::string(literal.substr(1, literal.size() - 2));
    try {
        return std::string(read(std::string(literal)).root().text());
    } catch (const SyntaxError&) {
        return std::nullopt;
    }
}

bool is_text(std::string_view literal, std::string_view text) {
    const bool is_plain = literal.find('\\') == none;
    if (is_plain) return literal.size() == text.size() + 2 && literal.substr(1, text.size()) == text;
    return text_of(literal) == text;
}

bool ExtentScanner::at_end() {
    skip_space();
    return at_ == text_.size();
}

bool ExtentScanner::take(char wanted) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
}

std::optional<std::string_view> ExtentScanner::string_literal() {
    skip_space();
    return at_ < text_.size() && text_[at_] == '"' ? value() : std::nullopt;
}

std::optional<std::string_view> ExtentScanner::value() {
    skip_space();
    const std::size_t begin = at_;
    const std::size_t end = end_of_value(text_, begin);
    if (end == none) return std::nullopt;
    at_ = end;
    return text_.substr(begin, end - begin);
}

std::string_view ExtentScanner::rest() {
    skip_space();
    return text_.substr(at_);
}

void ExtentScanner::skip_space() {
    while (at_ < text_.size() && is_white_space(text_[at_])) ++at_;
}

}  // namespace data_import::json

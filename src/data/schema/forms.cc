#include "data/schema/forms.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "base/util/text.h"

namespace data_import::schema {

namespace {

bool is_digit(char character) {
    return character >= '0' && character <= '9';
}

bool is_capital(char character) {
    return character >= 'A' && character <= 'Z';
}

bool is_letter(char character) {
    return is_capital(character) || (character >= 'a' && character <= 'z');
}

bool is_letter_or_digit(char character) {
    return is_letter(character) || is_digit(character);
}

bool is_beyond_ascii(char character) {
    return static_cast<unsigned char>(character) >= 0x80;
}

template <typename Predicate>
bool all(std::string_view text, Predicate belongs) {
    return !text.empty() && std::all_of(text.begin(), text.end(), belongs);
}

/// Returns true if each part between separators passes the test. An empty text is one empty part.
template <typename Test>
bool all_parts(std::string_view text, char separator, Test test) {
    while (true) {
        const std::size_t end = text.find(separator);
        if (!test(text.substr(0, end))) return false;
        if (end == std::string_view::npos) return true;
        text.remove_prefix(end + 1);
    }
}

bool is_local_part(std::string_view text) {
    constexpr std::string_view others = "!#$%&'*+-/=?^_`{|}~";
    return text.size() <= 64 && all_parts(text, '.', [&](std::string_view atom) {
               return all(atom, [&](char character) {
                   return is_letter_or_digit(character) || is_beyond_ascii(character) ||
                          others.find(character) != std::string_view::npos;
               });
           });
}

bool is_domain_label(std::string_view label) {
    return label.size() <= 63 && !label.starts_with('-') && !label.ends_with('-') &&
           all(label, [](char character) {
               return is_letter_or_digit(character) || is_beyond_ascii(character) || character == '-';
           });
}

std::optional<char> byte_of_escape(std::string_view escape) {
    unsigned byte = 0;
    if (escape.size() < 3 || escape[0] != '%') return std::nullopt;
    const auto [end, error] = std::from_chars(escape.data() + 1, escape.data() + 3, byte, 16);
    if (error != std::errc() || end != escape.data() + 3) return std::nullopt;
    return static_cast<char>(byte);
}

/// Decodes percent-encoding once. Broken escapes stay as they are.
std::string percent_decoded_once(std::string_view text) {
    std::string decoded;
    for (std::size_t offset = 0; offset < text.size(); ++offset) {
        const auto byte = byte_of_escape(text.substr(offset));
        decoded += byte.value_or(text[offset]);
        if (byte) offset += 2;
    }
    return decoded;
}

bool has_dot_segment(std::string_view text) {
    return !all_parts(text, '/', [](std::string_view segment) { return segment != "." && segment != ".."; });
}

/// Returns whether the path starts with a scheme as RFC 3986 writes it, or with a drive letter.
bool starts_with_scheme(std::string_view path) {
    const std::size_t end = path.find_first_of(":/");
    if (end == std::string_view::npos || path[end] != ':' || !is_letter(path.front())) return false;
    return all(path.substr(0, end), [](char character) {
        return is_letter_or_digit(character) || character == '+' || character == '-' || character == '.';
    });
}

}  // namespace

bool is_digits(std::string_view text) {
    return all(text, is_digit);
}

bool is_alphanumeric(std::string_view text) {
    return all(text, is_letter_or_digit);
}

bool is_email(std::string_view text) {
    const std::size_t at = text.rfind('@');
    if (at == std::string_view::npos || util::has_control_character(text)) return false;
    const std::string_view domain = text.substr(at + 1);
    return is_local_part(text.substr(0, at)) && domain.find('.') != std::string_view::npos &&
           all_parts(domain, '.', is_domain_label);
}

bool is_phone(std::string_view text) {
    if (!text.starts_with('+')) return false;
    const std::string_view digits = text.substr(1);
    return digits.size() >= 7 && digits.size() <= 15 && is_digits(digits) && digits.front() != '0';
}

bool is_fixed_decimal(std::string_view text, std::size_t precision, std::size_t scale) {
    if (text.starts_with('-')) text.remove_prefix(1);
    const std::size_t point = std::min(text.find('.'), text.size());
    const std::string_view fraction = text.substr(std::min(point + 1, text.size()));
    return is_digits(text.substr(0, point)) && point <= precision - scale && fraction.size() == scale &&
           is_digits(fraction);
}

bool is_country_code(std::string_view text) {
    return text.size() == 2 && all(text, is_capital);
}

bool is_url_text(std::string_view text) {
    std::string present(text);
    while (!has_dot_segment(present)) {
        std::string decoded = percent_decoded_once(present);
        if (decoded == present) return true;
        present = std::move(decoded);
    }
    return false;
}

bool is_document_path(std::string_view text) {
    if (text.find('\\') != std::string_view::npos || util::has_control_character(text) ||
        starts_with_scheme(text)) {
        return false;
    }
    return all_parts(text, '/', [](std::string_view segment) {
        return !segment.empty() && segment != "." && segment != "..";
    });
}

// Because the pattern has no lookahead, it lists how segments other than `.` and `..` begin: with a character
// that is no dot, with one dot and a character that is no dot, or with two dots and any character. A first
// segment that begins with a letter has no colon, or has before its colon a character that cannot stand in a
// scheme.
std::string document_path_pattern() {
    const std::string other = R"(/\\\x00-\x1f\x7f-\x9f)";  // characters that stand in no segment
    const std::string any = "[^" + other + "]";
    const std::string behind_dots = "\\.[^." + other + "]|\\.\\." + any;
    const std::string segment = "([^." + other + "]|" + behind_dots + ")" + any + "*";
    const std::string lettered = "[A-Za-z][A-Za-z0-9+.-]*([^A-Za-z0-9+.:" + other + "-]" + any + "*)?";
    const std::string unlettered = "([^A-Za-z.\\s" + other + "]|" + behind_dots + ")" + any + "*";
    const std::string blanks = R"([^\S\x00-\x1f\x7f-\x9f]+)";
    const std::string indented = blanks + "[^\\s" + other + "]" + any + "*";
    const std::string more = "(/" + segment + ")";
    return "^((" + lettered + "|" + unlettered + "|" + indented + ")" + more + "*|" + blanks + more + "+)$";
}

std::string url_text_pattern() {
    const std::string dotted = "\\.[^/.][^/]*|\\.\\.[^/]+";
    const std::string segment = "([^/.][^/]*|" + dotted + ")?";
    return "^(([^/.\\s]|\\s+[^/\\s])[^/]*|" + dotted + "|" + segment + "(/" + segment + ")+)$";
}

// The pattern lists the characters that are not allowed: some of ASCII, and the control characters from
// U+0080 to U+009F. All other characters are allowed.
std::string email_pattern() {
    const std::string atom = R"([^\x00-\x20"(),.:;<>@\[\\\]\x7f-\x9f]+)";
    const std::string inner = R"(\x00-,./:-@\[-`{-\x9f)";
    const std::string label = "[^" + inner + "-]([^" + inner + "]*[^" + inner + "-])?";
    return "^" + atom + "(\\." + atom + ")*@" + label + "(\\." + label + ")+$";
}

}  // namespace data_import::schema

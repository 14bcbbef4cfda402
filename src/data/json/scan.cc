#include "data/json/scan.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/util/decimal.h"
#include "data/json/escapes.h"

namespace data_import::json {

namespace {

bool starts_number(char character) {
    return (character >= '0' && character <= '9') || character == '-';
}

bool continues_number(char character) {
    return std::string_view("0123456789-+.eE").find(character) != std::string_view::npos;
}

bool is_letter(char character) {
    return character >= 'a' && character <= 'z';
}

/// Returns whether a number is too large for a double. `literal` is the number, of allowed length, and
/// `exponent` the part of it after the `e`.
///
/// Because the length is limited, a number with a negative exponent is never too large, and any other number
/// is never too small.
bool is_infinite(std::string_view literal, std::string_view exponent) {
    if (exponent.starts_with('-')) return false;
    double ignored = 0;
    const auto result = std::from_chars(literal.data(), literal.data() + literal.size(), ignored);
    return result.ec == std::errc::result_out_of_range;
}

/// Returns true for an exponent that numbers of PostgreSQL and of common languages cannot hold.
bool is_extreme(std::string_view exponent) {
    if (exponent.starts_with('+') || exponent.starts_with('-')) exponent.remove_prefix(1);
    unsigned value = 0;
    const auto result = std::from_chars(exponent.data(), exponent.data() + exponent.size(), value);
    return result.ec == std::errc::result_out_of_range || value > max_exponent;
}

/// Returns the fault of a number, in words; empty for a good one.
std::string fault_of_number(std::string_view literal) {
    if (literal.size() > max_number_length)
        return "A number has more than " + std::to_string(max_number_length) + " characters";
    const auto mark = std::ranges::find_if(literal, [](char each) { return each == 'e' || each == 'E'; });
    // Numbers without an exponent are not too large, because they have few digits. Zero is zero with any
    // exponent.
    if (mark != literal.end() && !util::is_zero_number(literal)) {
        const std::string_view exponent(mark + 1, literal.end());
        if (is_infinite(literal, exponent)) return "A number is too large";
        if (is_extreme(exponent)) return "A number has an exponent beyond " + std::to_string(max_exponent);
    }
    return util::is_json_number(literal) ? "" : "A number is not written as JSON wants it";
}

/// The estimated bytes of text for each token. The memory for tokens is reserved by this estimate. Most
/// payloads have more bytes of text for each token, so the memory suffices.
constexpr std::size_t bytes_of_token = 6;

class Scanner {
public:
    explicit Scanner(std::string_view text) : text_(text), most_nodes_(max_nodes(text.size())) {
        found_.skeleton.reserve(text.size());
        found_.tokens.reserve(text.size() / bytes_of_token + 1);
    }

    /// Scans the text. Ends early if there are more than `most_nodes_` tokens, the limit of values and keys
    /// for a text of this length. Then the parser refuses the part that was scanned.
    Scan run() {
        while (offset_ < text_.size() && found_.tokens.size() <= most_nodes_) scan_token();
        return std::move(found_);
    }

private:
    void scan_token() {
        const std::size_t start = offset_;
        switch (const char first = text_[start]) {
            case ':':
                count_member();
                return separator();
            case ',':
                return separator();
            case '[':
            case '{':
                open();
                break;
            case ']':
            case '}':
                return close();
            case '"':
                string();
                break;
            default:
                if (is_white_space(first)) return white_space();
                if (starts_number(first)) {
                    number();
                } else {
                    copy(length_of_run(is_letter));
                }
        }
        found_.tokens.push_back(
            {static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(offset_ - start)});
    }

    void separator() {
        count_node();
        copy(1);
        while (offset_ < text_.size() && is_white_space(text_[offset_])) ++offset_;
    }

    void open() {
        if (level_ == max_nesting) {
            throw error("Arrays and objects are nested more than " + std::to_string(max_nesting) +
                        " levels deep");
        }
        members_[++level_] = 0;
        count_node();
        copy(1);
    }

    void close() {
        if (level_ > 0) --level_;
        copy(1);
    }

    void string() {
        const std::string_view rest = text_.substr(offset_);
        const std::size_t plain = 1 + unescaped_prefix(rest.substr(1));
        const bool has_escapes = plain < rest.size() && rest[plain] != '"';
        const std::size_t end = has_escapes ? closing_quote(rest, plain) : plain;
        if (end >= rest.size()) return copy(rest.size());
        if (has_escapes) found_.escaped.push_back(static_cast<std::uint32_t>(found_.tokens.size()));
        put("\"\"", end + 1);
    }

    /// Returns the position of the closing quote, from `end` on; the end of the text if there is none.
    std::size_t closing_quote(std::string_view rest, std::size_t end) const {
        for (; end < rest.size() && rest[end] != '"'; end += unescaped_prefix(rest.substr(end))) {
            if (rest.substr(end, 6) == "\\u0000")
                throw error("A string or key contains the character U+0000");
            end = std::min(end + (rest[end] == '\\' ? 2 : 1), rest.size());
        }
        return end;
    }

    void number() {
        const std::size_t length = length_of_run(continues_number);
        if (const std::string fault = fault_of_number(text_.substr(offset_, length)); !fault.empty())
            throw error(fault);
        put("0", length);
    }

    void white_space() { put(" ", length_of_run(is_white_space)); }

    void count_member() {
        if (++members_[level_] > max_members)
            throw error("An object has more than " + std::to_string(max_members) + " members");
    }

    /// Counts the places where a value or key may stand: after each opening bracket, comma and colon.
    void count_node() {
        if (++nodes_ > most_nodes_) {
            throw error("There are more than " + std::to_string(most_nodes_) +
                        " values and keys, the most that a JSON text of this length may have,");
        }
    }

    template <typename Predicate>
    std::size_t length_of_run(Predicate belongs) const {
        std::size_t end = offset_ + 1;
        while (end < text_.size() && belongs(text_[end])) ++end;
        return end - offset_;
    }

    void copy(std::size_t length) { put(text_.substr(offset_, length), length); }

    /// Passes over `length` characters of the text. Appends `instead`, which is not longer, to the skeleton
    /// in their place.
    void put(std::string_view instead, std::size_t length) {
        found_.skeleton += instead;
        offset_ += length;
    }

    /// Returns an error at the present offset.
    [[nodiscard]] SyntaxError error(const std::string& reason) const {
        return SyntaxError(reason, text_, offset_);
    }

    std::string_view text_;
    std::size_t offset_ = 0;
    std::size_t level_ = 0;                                 ///< number of arrays and objects that are open
    std::array<std::uint32_t, max_nesting + 1> members_{};  ///< members read so far, for each open object
    std::size_t nodes_ = 1;                                 ///< upper bound of the number of values and keys
    std::size_t most_nodes_;
    Scan found_;
};

}  // namespace

Scan scan(std::string_view text) {
    return Scanner(text).run();
}

}  // namespace data_import::json

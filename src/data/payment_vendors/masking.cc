#include "data/payment_vendors/masking.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace data_import::payment_vendors {

namespace {

// Classes of characters for the search for numbers of cards and accounts.

/// The zeros of Unicode's decimal digits (general category Nd) in the basic plane; the nine others follow.
constexpr std::array<char32_t, 37> zeros = {
    U'0',   0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66,
    0x0DE6, 0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50,
    0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10};

/// The mathematical digits, five alphabets of ten.
constexpr char32_t first_mathematical_digit = 0x1D7CE;
constexpr char32_t last_mathematical_digit = 0x1D7FF;

std::optional<unsigned> digit_value(char32_t code) {
    if (code >= first_mathematical_digit && code <= last_mathematical_digit)
        return static_cast<unsigned>((code - first_mathematical_digit) % 10);
    const auto behind = std::ranges::upper_bound(zeros, code);
    if (behind == zeros.begin()) return std::nullopt;
    const char32_t distance = code - *std::prev(behind);
    return distance < 10 ? std::optional(static_cast<unsigned>(distance)) : std::nullopt;
}

constexpr char32_t full_width_shift = 0xFF21 - U'A';

std::optional<unsigned> letter_value(char32_t code) {
    const char32_t plain = code >= 0xFF21 && code <= 0xFF5A ? code - full_width_shift : code;
    if (plain >= U'A' && plain <= U'Z') return static_cast<unsigned>(plain - U'A' + 10);
    if (plain >= U'a' && plain <= U'z') return static_cast<unsigned>(plain - U'a' + 10);
    return std::nullopt;
}

std::size_t length_of(char lead) {
    const auto byte = static_cast<unsigned char>(lead);
    if (byte < 0x80) return 1;
    if (byte < 0xE0) return 2;
    return byte < 0xF0 ? 3 : 4;
}

char32_t decode(std::string_view bytes) {
    const auto lead = static_cast<unsigned char>(bytes.front());
    char32_t code = bytes.size() == 1 ? lead : lead & (0xFFU >> (bytes.size() + 1));
    for (const char byte : bytes.substr(1)) code = code << 6U | (static_cast<unsigned char>(byte) & 0x3FU);
    return code;
}

struct Range {
    char32_t first;
    char32_t last;
};

constexpr std::array<Range, 17> separators = {{{0x09, 0x0D},
                                               {0x20, 0x20},
                                               {0x2D, 0x2F},
                                               {0x5F, 0x5F},
                                               {0x85, 0x85},
                                               {0xA0, 0xA0},
                                               {0xAD, 0xAD},
                                               {0xB7, 0xB7},
                                               {0x1680, 0x1680},
                                               {0x180E, 0x180E},
                                               {0x2000, 0x2015},
                                               {0x2022, 0x2022},
                                               {0x2024, 0x2044},
                                               {0x205F, 0x2064},
                                               {0x2212, 0x2212},
                                               {0x3000, 0x3000},
                                               {0xFEFF, 0xFEFF}}};

struct Character {
    char32_t code;
    std::string_view bytes;
    bool is_masked = false;
};

/// The code points of well-formed UTF-8; views are those of `text`.
std::vector<Character> characters_of(std::string_view text) {
    std::vector<Character> characters;
    characters.reserve(text.size());
    while (!text.empty()) {
        const std::string_view bytes = text.substr(0, length_of(text.front()));
        characters.push_back({decode(bytes), bytes});
        text.remove_prefix(bytes.size());
    }
    return characters;
}

/// A decimal digit of ASCII or of another script in use.
bool is_digit(char32_t code) {
    return digit_value(code).has_value();
}

/// A letter A to Z or a to z, also of the full-width forms.
bool is_letter(char32_t code) {
    return letter_value(code).has_value();
}

bool is_letter_or_digit(char32_t code) {
    return is_letter(code) || is_digit(code);
}

/// The characters that people and programs put between the digits of one number: white space, hyphens and
/// dashes, dots, slashes, underscores, and invisible characters.
bool is_separator(char32_t code) {
    return std::ranges::any_of(
        separators, [code](const Range& range) { return code >= range.first && code <= range.last; });
}

/// A character that shows something of a secret: none of ASCII's punctuation, no control character, no
/// separator.
bool is_visible(char32_t code) {
    return code < 0x80 ? is_letter_or_digit(code) : !is_separator(code);
}

/// 0 to 9 for a digit, 10 to 35 for a letter.
unsigned value_of(char32_t code) {
    const auto digit = digit_value(code);
    return digit ? *digit : letter_value(code).value_or(0);
}

constexpr std::size_t fewest_digits = 12;
constexpr std::size_t visible = 4;
constexpr std::size_t widest_gap = 3;  // separators between two characters of one number
constexpr std::size_t shortest_iban = 15;
constexpr std::size_t longest_iban = 34;
constexpr std::size_t fewest_iban_digits = 6;  // in an IBAN that is known by its grouping alone

/// Places in the text of the characters that one number is made of, in order.
using Places = std::vector<std::size_t>;

/// A text whose characters are masked one by one.
class Masking {
public:
    explicit Masking(std::string_view text) : characters_(characters_of(text)) {}

    void mask_digits() {
        for (std::size_t at = 0; at < characters_.size();) {
            const Places digits = chain(at, longest_text, is_digit);
            if (digits.size() >= fewest_digits) mask(digits);
            at = digits.empty() ? at + 1 : digits.back() + 1;
        }
    }

    void mask_ibans() {
        for (std::size_t at = 0; at < characters_.size(); ++at) {
            if (!is_letter(characters_[at].code)) continue;
            Places places = chain(at, longest_iban, is_letter_or_digit);
            if (!begins_like_iban(places)) continue;
            places.resize(iban_length(places));
            if (!places.empty()) mask(places);
        }
    }

    void mask_wholly(std::size_t kept) {
        Places places;
        for (std::size_t at = 0; at < characters_.size(); ++at) {
            if (is_visible(characters_[at].code)) places.push_back(at);
        }
        mask(places, kept);
    }

    [[nodiscard]] std::string text() const {
        std::string text;
        for (const Character& character : characters_) {
            if (character.is_masked) {
                text += '*';
            } else {
                text += character.bytes;
            }
        }
        return text;
    }

private:
    static constexpr std::size_t longest_text = SIZE_MAX;

    /// The characters of a kind from `begin` on that no more than a gap stands between, at most `most`.
    template <typename Kind>
    [[nodiscard]] Places chain(std::size_t begin, std::size_t most, Kind is_of_kind) const {
        Places places;
        std::size_t gap = 0;
        for (std::size_t at = begin; at < characters_.size() && places.size() < most; ++at) {
            const char32_t code = characters_[at].code;
            if (is_of_kind(code)) {
                places.push_back(at);
                gap = 0;
            } else if (places.empty() || !is_separator(code) || ++gap > widest_gap) {
                break;
            }
        }
        return places;
    }

    [[nodiscard]] char32_t code(const Places& places, std::size_t number) const {
        return characters_[places[number]].code;
    }

    [[nodiscard]] bool begins_like_iban(const Places& places) const {
        return places.size() >= shortest_iban && is_letter(code(places, 1)) && is_digit(code(places, 2)) &&
               is_digit(code(places, 3));
    }

    /// How many of the characters are an IBAN; 0 for none.
    [[nodiscard]] std::size_t iban_length(const Places& places) const {
        for (std::size_t length = places.size(); length >= shortest_iban; --length) {
            if (has_check_digits(places, length)) return length;
        }
        const std::size_t piece = length_in_one_piece(places);
        return piece > 0 ? piece : length_in_groups(places);
    }

    /// ISO 13616: the first four behind the rest, letters as 10 to 35, make 1 modulo 97.
    [[nodiscard]] bool has_check_digits(const Places& places, std::size_t length) const {
        unsigned remainder = 0;
        for (std::size_t number = 0; number < length; ++number) {
            const unsigned value = value_of(code(places, (number + visible) % length));
            remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
        }
        return remainder == 1;
    }

    [[nodiscard]] std::size_t length_in_one_piece(const Places& places) const {
        const bool is_begin =
            places.front() == 0 || !is_letter_or_digit(characters_[places.front() - 1].code);
        std::size_t length = 1;
        while (length < places.size() && places[length] == places[length - 1] + 1) ++length;
        const std::size_t behind = places[length - 1] + 1;
        const bool is_end = behind == characters_.size() || !is_letter_or_digit(characters_[behind].code);
        return is_begin && is_end && length >= shortest_iban ? length : 0;
    }

    /// Groups of four with one character between them; the last may be shorter.
    [[nodiscard]] std::size_t length_in_groups(const Places& places) const {
        std::size_t length = 1;
        std::size_t digits = 0;
        for (; length < places.size(); ++length) {
            const std::size_t step = length % visible == 0 ? 2 : 1;
            if (places[length] != places[length - 1] + step) break;
            digits += is_digit(code(places, length)) ? 1 : 0;
        }
        return length >= shortest_iban && digits >= fewest_iban_digits ? length : 0;
    }

    void mask(const Places& places, std::size_t kept = visible) {
        for (std::size_t number = 0; number + kept < places.size(); ++number)
            characters_[places[number]].is_masked = true;
    }

    std::vector<Character> characters_;
};

}  // namespace

std::string masked_text(std::string_view text) {
    if (text.size() < fewest_digits) return std::string(text);
    Masking masking(text);
    masking.mask_digits();
    masking.mask_ibans();
    return masking.text();
}

std::string masked_wholly(std::string_view text, std::size_t kept) {
    Masking masking(text);
    masking.mask_wholly(kept);
    return masking.text();
}

bool is_long_number(std::string_view literal) {
    const auto is_ascii_digit = [](char character) { return character >= '0' && character <= '9'; };
    return static_cast<std::size_t>(std::ranges::count_if(literal, is_ascii_digit)) >= fewest_digits;
}

}  // namespace data_import::payment_vendors

#include "vendor/masking.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "vendor/characters.h"

namespace data_import::vendor {

namespace {

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

}  // namespace data_import::vendor

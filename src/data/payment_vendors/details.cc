#include "data/payment_vendors/details.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "data/json/writer.h"
#include "data/payment_vendors/masking.h"

namespace data_import::payment_vendors {

namespace {

using json::Type;
using json::Value;

constexpr std::size_t visible = 4;
constexpr std::size_t fewest_card_digits = 12;

/// The kind of value that a member's name stands for.
enum class Kind {
    other,
    last_four,  ///< the last digits of a card
    card,       ///< the number of a card
    account,    ///< the number of a bank account
    secret,     ///< must not be kept at all
};

char small(char character) {
    return character >= 'A' && character <= 'Z' ? static_cast<char>(character - 'A' + 'a') : character;
}

bool is_capital(char character) {
    return character >= 'A' && character <= 'Z';
}

bool is_letter_or_digit(char character) {
    const char letter = small(character);
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
}

/// The words of `card_number`, `cardNumber`, `Card number`, in small letters.
std::vector<std::string> words_of(std::string_view name) {
    std::vector<std::string> words(1);
    char before = ' ';
    for (const char character : name) {
        const bool begins = is_capital(character) && !is_capital(before);
        if (!words.back().empty() && (begins || !is_letter_or_digit(character))) words.emplace_back();
        if (is_letter_or_digit(character)) words.back() += small(character);
        before = character;
    }
    return words;
}

template <std::size_t Count>
bool holds_word(const std::vector<std::string>& words, const std::array<std::string_view, Count>& wanted) {
    return std::ranges::any_of(
        words, [&](const std::string& word) { return std::ranges::find(wanted, word) != wanted.end(); });
}

template <std::size_t Count>
bool holds_part(std::string_view name, const std::array<std::string_view, Count>& parts) {
    return std::ranges::any_of(
        parts, [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

constexpr std::array<std::string_view, 12> secret_words = {
    "cvc", "cvc2", "cvv", "cvv2", "csc", "cid", "pin", "pins", "track", "track1", "track2", "tracks"};
constexpr std::array<std::string_view, 4> secret_parts = {"securitycode", "verificationvalue",
                                                          "verificationcode", "trackdata"};
constexpr std::array<std::string_view, 4> card_words = {"pan", "pans", "dpan", "fpan"};
constexpr std::array<std::string_view, 4> card_parts = {"cardnumber", "cardno", "cardnum", "kartennummer"};
constexpr std::array<std::string_view, 4> account_words = {"iban", "bban", "ibans", "acct"};
constexpr std::array<std::string_view, 6> account_parts = {"accountnumber", "accountno", "accountnum",
                                                           "acctnumber",    "acctno",    "kontonummer"};
constexpr std::array<std::string_view, 4> last_four_names = {"lastfour", "last4", "lastfourdigits",
                                                             "last4digits"};

Kind kind_of(std::string_view name) {
    const std::vector<std::string> words = words_of(name);
    std::string joined;
    for (const std::string& word : words) joined += word;
    const auto ends_with = [&](std::string_view end) { return joined.ends_with(end); };
    if (std::ranges::any_of(last_four_names, ends_with)) return Kind::last_four;
    if (holds_word(words, secret_words) || holds_part(joined, secret_parts)) return Kind::secret;
    if (holds_word(words, card_words) || holds_part(joined, card_parts)) return Kind::card;
    if (holds_word(words, account_words) || holds_part(joined, account_parts)) return Kind::account;
    return Kind::other;
}

/// The kind of a text or number by its name. The name says nothing of the inside of an object.
Kind kind_of_scalar(std::string_view name, Kind number) {
    const std::vector<std::string> words = words_of(name);
    const std::string& last = words.back();
    if (last == "account") return Kind::account;
    if (last == "card") return Kind::card;
    if (words.size() == 1 && last == "number") return number == Kind::other ? Kind::card : number;
    return Kind::other;
}

/// The kind of `number` inside of `account` and `card`.
Kind kind_of_number_in(std::string_view name) {
    const std::vector<std::string> words = words_of(name);
    return std::ranges::find(words, "account") != words.end() ? Kind::account : Kind::other;
}

/// The last four digits of a text that has so many at least.
std::optional<std::string> last_digits(std::string_view text, std::size_t fewest) {
    std::string digits;
    for (const char character : text) {
        if (character >= '0' && character <= '9') digits += character;
    }
    if (digits.size() < fewest) return std::nullopt;
    return digits.substr(digits.size() - visible);
}

class DetailsWriter {
public:
    /// The kinds that the names around a value give it.
    struct Place {
        Kind kind = Kind::other;           ///< for everything inside
        Kind number_inside = Kind::other;  ///< for a member called number
    };

    void write(const Value& value, const Place& place, Kind scalar) {
        switch (value.type()) {
            case Type::string:
            case Type::number:
                return write_scalar(value, scalar);
            case Type::array:
                writer_.begin_array();
                for (const Value item : value.items()) write(item, place, scalar);
                writer_.end_array();
                return;
            case Type::object:
                writer_.begin_object();
                for (const auto& [name, member] : value.members()) write_member(name, member, place);
                writer_.end_object();
                return;
            case Type::null:
            case Type::boolean:
                writer_.value(value);
        }
    }

    Details take() {
        details_.json = writer_.take();
        if (!details_.last_four) details_.last_four = card_digits_;
        return std::move(details_);
    }

private:
    void write_member(std::string_view name, const Value& member, const Place& around) {
        const Kind named = kind_of(name);
        const Kind kind = named == Kind::other || around.kind == Kind::secret ? around.kind : named;
        const Kind scalar = kind == Kind::other ? kind_of_scalar(name, around.number_inside) : kind;
        writer_.key(masked_text(name));
        write(member, {kind, kind_of_number_in(name)}, scalar);
    }

    void write_scalar(const Value& value, Kind kind) {
        const std::string_view text = value.text();
        switch (kind) {
            case Kind::last_four:
                return write_last_four(value);
            case Kind::secret:
                writer_.string(masked_wholly(text, 0));
                return;
            case Kind::card:
                if (!card_digits_) card_digits_ = last_digits(text, fewest_card_digits);
                return write_masked(value, masked_wholly(text, visible));
            case Kind::account:
                return write_account(value);
            case Kind::other:
                break;
        }
        if (value.is(Type::string)) return static_cast<void>(writer_.string(masked_text(text)));
        write_masked(value, is_long_number(text) ? masked_wholly(text, visible) : std::string(text));
    }

    /// Vendors that give more than four digits under such a name do not get them stored.
    void write_last_four(const Value& value) {
        const std::string masked = masked_wholly(value.text(), visible);
        if (!details_.last_four && value.text().size() == visible)
            details_.last_four = last_digits(masked, visible);
        write_masked(value, masked);
    }

    void write_account(const Value& value) {
        const std::string masked = masked_wholly(value.text(), visible);
        if (!details_.masked_account) details_.masked_account = masked;
        write_masked(value, masked);
    }

    /// A number of which something was masked becomes a string.
    void write_masked(const Value& value, const std::string& masked) {
        if (value.is(Type::number) && masked == value.text()) {
            writer_.raw(masked);
        } else {
            writer_.string(masked);
        }
    }

    json::Writer writer_;
    Details details_;
    std::optional<std::string> card_digits_;
};

}  // namespace

Details masked_details(const Value& answer) {
    DetailsWriter writer;
    writer.write(answer, {}, Kind::other);
    return writer.take();
}

}  // namespace data_import::payment_vendors

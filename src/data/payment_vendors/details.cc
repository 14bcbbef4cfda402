#include "data/payment_vendors/details.h"

#include <algorithm>
#include <array>

#include "base/util/datetime.h"
#include "data/json/writer.h"

namespace data_import::payment_vendors {

namespace {

using json::Type;
using json::Value;

constexpr std::size_t visible = 4;
constexpr std::ptrdiff_t fewest_digits = 12;

enum class Use { none, kept, last_four, card, account };

struct Field {
    std::string_view name;
    Use use;
};

constexpr auto fields = std::to_array<Field>({{"holder", Use::kept},
                                              {"bank", Use::kept},
                                              {"brand", Use::kept},
                                              {"expires", Use::kept},
                                              {"createdat", Use::kept},
                                              {"lastfour", Use::last_four},
                                              {"last4", Use::last_four},
                                              {"cardnumber", Use::card},
                                              {"pan", Use::card},
                                              {"accountnumber", Use::account},
                                              {"iban", Use::account}});

bool is_digit(char character) {
    return character >= '0' && character <= '9';
}

bool is_capital(char character) {
    return character >= 'A' && character <= 'Z';
}

char small(char character) {
    return is_capital(character) ? static_cast<char>(character - 'A' + 'a') : character;
}

/// Returns the name in small letters and without underscores, so that `card_number` and `cardNumber` become
/// the same.
std::string plain(std::string_view name) {
    std::string letters;
    for (const char character : name) {
        if (character != '_') letters += small(character);
    }
    return letters;
}

Use use_of(std::string_view group, std::string_view name) {
    if (name == "number") return group == "card" ? Use::card : group == "account" ? Use::account : Use::none;
    const auto* const field = std::ranges::find(fields, name, &Field::name);
    return field == fields.end() ? Use::none : field->use;
}

/// Returns the last four digits; nothing if the text has fewer digits than the number of a card.
std::optional<std::string> last_digits(std::string_view number) {
    if (!may_hold_number(number)) return std::nullopt;
    std::string digits;
    std::ranges::copy_if(number, std::back_inserter(digits), is_digit);
    return digits.substr(digits.size() - visible);
}

/// Masks letters and digits except the last four. Characters beyond ASCII may be digits, and are masked, too.
std::string masked(std::string_view number) {
    std::string text(number);
    std::size_t shown = 0;
    for (auto place = text.rbegin(); place != text.rend(); ++place) {
        char& character = *place;
        const bool is_beyond_ascii = static_cast<unsigned char>(character) >= 0x80;
        const char letter = small(character);
        const bool is_part = is_digit(character) || (letter >= 'a' && letter <= 'z');
        if (is_beyond_ascii || (is_part && ++shown > visible)) character = '*';
    }
    return text;
}

class Keeping {
public:
    Details take(const Value& answer) {
        take_object(answer, "");
        details_.json = writer_.take();
        if (!details_.last_four) details_.last_four = card_digits_;
        return std::move(details_);
    }

private:
    void take_object(const Value& object, std::string_view group) {
        writer_.begin_object();
        for (const auto& [key, member] : object.members()) {
            const std::string name = plain(key);
            if (group.empty() && (name == "card" || name == "account") && member.is(Type::object)) {
                writer_.key(key);
                take_object(member, name);
            } else if (member.is(Type::string) || member.is(Type::number)) {
                take_scalar(key, member, use_of(group, name));
            }
        }
        writer_.end_object();
    }

    void take_scalar(std::string_view key, const Value& value, Use use) {
        const std::string_view text = value.text();
        switch (use) {
            case Use::kept:
                if (!may_hold_number(text) || util::parse_datetime(text)) writer_.key(key).value(value);
                break;
            case Use::last_four:
                if (!details_.last_four && text.size() == visible && std::ranges::all_of(text, is_digit))
                    details_.last_four = text;
                break;
            case Use::card:
                if (!card_digits_) card_digits_ = last_digits(text);
                break;
            case Use::account:
                if (!details_.masked_account) details_.masked_account = masked(text);
                break;
            case Use::none:
                break;
        }
    }

    json::Writer writer_;
    Details details_;
    std::optional<std::string> card_digits_;
};

}  // namespace

Details kept_details(const Value& answer) {
    return Keeping().take(answer);
}

bool may_hold_number(std::string_view text) {
    return std::ranges::count_if(text, is_digit) >= fewest_digits;
}

}  // namespace data_import::payment_vendors

// The part of a vendor's answer that is kept: named fields, and nothing else.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "data/json/value.h"

namespace data_import::payment_vendors {

struct Details {
    std::string json;                      ///< an object of the kept fields that the vendor has sent
    std::optional<std::string> last_four;  ///< last four digits of a card's number
    /// Number of a bank account, masked except its last four characters.
    std::optional<std::string> masked_account;
};

/// Returns the fields that the contract names (section 8), from a vendor's answer and from its objects `card`
/// and `account`. The numbers of cards and accounts become `last_four` and `masked_account`, and nothing else
/// of them is kept. Any other text that may hold such a number is left out, unless the text is a time.
[[nodiscard]] Details kept_details(const json::Value& answer);

/// Returns whether the text has 12 digits or more, as every card number and every IBAN has. Letters may stand
/// between the digits.
[[nodiscard]] bool may_hold_number(std::string_view text);

}  // namespace data_import::payment_vendors

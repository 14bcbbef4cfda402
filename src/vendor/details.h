// What is kept of a vendor's answer about an instruction.
#pragma once

#include <optional>
#include <string>

#include "json/value.h"

namespace data_import::vendor {

struct Details {
    std::string json;                           ///< the whole answer, masked; an object
    std::optional<std::string> last_four;       ///< digits of a card
    std::optional<std::string> masked_account;  ///< number of a bank account
};

/// Masks every text, name and number of the object by masking.h. Where a name says that a value is the number
/// of a card or an account (`card_number`, `iban`, `account.number`), all but its last four characters are
/// masked however short it is; where it says that it is a secret of a card (`cvc`, `pin`, `track_data`),
/// all.
[[nodiscard]] Details masked_details(const json::Value& answer);

}  // namespace data_import::vendor

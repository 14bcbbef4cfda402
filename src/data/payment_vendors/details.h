// The part of a vendor's answer about an instruction that is kept.
#pragma once

#include <optional>
#include <string>

#include "data/json/value.h"

namespace data_import::payment_vendors {

struct Details {
    std::string json;                           ///< the whole answer, masked; an object
    std::optional<std::string> last_four;       ///< digits of a card
    std::optional<std::string> masked_account;  ///< number of a bank account
};

/// Masks every text, name and number of the object by masking.h. A value whose name says that it is the
/// number of a card or an account (`card_number`, `iban`, `account.number`) is masked but for its last four
/// characters, however short it is. A value whose name says that it is a secret of a card (`cvc`, `pin`,
/// `track_data`) is masked completely.
[[nodiscard]] Details masked_details(const json::Value& answer);

}  // namespace data_import::payment_vendors

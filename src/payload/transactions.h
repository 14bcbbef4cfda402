// The payload of transactions (contract, sections 4.5 and 5.4).
#pragma once

#include "schema/schema.h"

namespace data_import::payload {

inline constexpr std::size_t max_transactions = 1000;

/// One item of `transactions`: told apart by `type`, with the rules of that type.
[[nodiscard]] const schema::Schema& transaction();

/// A transaction as answers echo it: `amount` is a decimal string, `description` says why its date was
/// changed, `status` stands in one that was added earlier. For the documentation.
[[nodiscard]] schema::Schema echoed_transaction();

/// The whole payload, with the rule that no transaction_id stands in it twice.
[[nodiscard]] schema::Object transactions();

}  // namespace data_import::payload

// The declarations of payloads (contract, section 4): the service checks and documents by them, and
// data-import-load checks before it sends.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/util/datetime.h"
#include "data/schema/schema.h"

namespace data_import::payload {

[[nodiscard]] schema::Object notes();
/// One item of `notes`.
[[nodiscard]] schema::Object note();
/// The text that valid repeats of a note have in common besides the time: the body or, without one, the
/// documents in their order.
[[nodiscard]] std::string identity_of_note(const json::Value& note);
/// Places of those valid notes of a request that are to be unpinned before `now`, their time of creation:
/// they were sent without one, and none before them in the request is the same.
[[nodiscard]] std::vector<std::size_t> unpinned_before_creation(const json::Value& notes, util::Instant now);
/// The sentence for a note that is to be unpinned before its creation.
inline constexpr std::string_view unpinned_too_early =
    "unpin_at must not be earlier than created_at, which is the present where it is not sent.";

/// The sentence of `import_supplier_migration_not_ongoing` for a supplier that is complete; another one is
/// paused.
inline constexpr std::string_view supplier_is_complete =
    "The import supplier is complete: its migration is over. If something is missing, ask the operator.";

inline constexpr std::size_t max_transactions = 1000;

/// One item of `transactions`: told apart by `type`, with the rules of that type.
[[nodiscard]] const schema::Schema& transaction();

/// A transaction as answers echo it: `amount` is a decimal string, `description` says why its date was
/// changed, `status` stands in one that was added earlier. For the documentation.
[[nodiscard]] schema::Schema echoed_transaction();

/// The whole payload, with the rule that no transaction_id stands in it twice.
[[nodiscard]] schema::Object transactions();

[[nodiscard]] schema::Object historical_statements();
/// One item of `statements`.
[[nodiscard]] schema::Object historical_statement();
/// One text for all valid statements of the same content.
[[nodiscard]] std::string content_of_historical_statement(const json::Value& statement);

/// Documents: objects that stand in a payload beside the account.
[[nodiscard]] schema::Object delivery_note();
[[nodiscard]] schema::Object energy_amount();
[[nodiscard]] schema::Object market_participant_invoice();

/// `is_vendor` knows the codes of vendors.
/// `what` completes "This value must be ..." for a vendor that is none.
[[nodiscard]] schema::Object payment_instruction(
    const std::function<bool(std::string_view)>& is_vendor,
    std::string what = "the code of a payment vendor of this service");

[[nodiscard]] schema::Object market_participant();

[[nodiscard]] schema::Object price_sheets();
[[nodiscard]] schema::Object price_sheet();
/// One text for all valid price sheets of the same content.
[[nodiscard]] std::string content_of_price_sheet(const json::Value& sheet);
/// Places of those valid price sheets of a request whose market participant and external_id an earlier one
/// has with other content.
[[nodiscard]] std::vector<std::size_t> differing_price_sheets(const json::Value& sheets);
/// The sentence for a price sheet that is stored, or stands earlier in the request, with other content.
inline constexpr std::string_view price_sheet_differs =
    "A price sheet of this market participant has this external_id and other content: a stored one of this "
    "organisation, or an earlier one in the request.";

}  // namespace data_import::payload

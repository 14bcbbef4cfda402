// The declarations of payloads (contract, section 4). The service checks requests against them, and makes its
// documentation from them; data-import-load checks requests against them before it sends.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/util/datetime.h"
#include "data/schema/schema.h"

namespace data_import::payload {

[[nodiscard]] schema::Object notes();
/// Declares one item of `notes`.
[[nodiscard]] schema::Object note();
/// Returns the text that tells, together with the note's time, whether a valid note is a repeat: its body or,
/// without one, the paths of its documents in their order.
[[nodiscard]] std::string identity_of_note(const json::Value& note);
/// Returns the indexes in the array `notes`, from 0, of the notes with an unpin_at before `now` and without a
/// created_at. Leaves out notes that repeat an earlier note of the request. `notes` has to be valid.
///
/// Such a note would be unpinned before its creation, because a note without created_at is created at `now`.
[[nodiscard]] std::vector<std::size_t> unpinned_before_creation(const json::Value& notes, util::Instant now);
/// The sentence for a note that is to be unpinned before its creation.
inline constexpr std::string_view unpinned_too_early =
    "unpin_at must not be earlier than created_at, which is the present where it is not sent.";

/// The sentence in an answer `import_supplier_migration_not_ongoing` if the supplier is complete. An answer
/// with another sentence means that the supplier is paused.
inline constexpr std::string_view supplier_is_complete =
    "The import supplier is complete: its migration is over. If something is missing, ask the operator.";

inline constexpr std::size_t max_transactions = 1000;

/// Declares one item of `transactions`. Its `type` decides which fields and rules it has.
[[nodiscard]] const schema::Schema& transaction();

/// Declares a transaction as answers echo it, for the documentation. Its `amount` is a decimal string. Its
/// `description` is the reason why the service changed transaction_date; it is missing if the date is as it
/// was sent. Its `status` is there only if the account had the transaction already.
[[nodiscard]] schema::Schema echoed_transaction();

/// Declares the whole payload of an import of transactions, with the rule that no transaction_id stands in it
/// twice.
[[nodiscard]] schema::Object transactions();

[[nodiscard]] schema::Object historical_statements();
/// Declares one item of `statements`.
[[nodiscard]] schema::Object historical_statement();
/// Returns a text that is the same for all valid statements with the same content, and different for others.
[[nodiscard]] std::string content_of_historical_statement(const json::Value& statement);

/// Declares a document, as energy_amount() and market_participant_invoice() do. A document is an object that
/// stands in the payload next to the fields of the account.
[[nodiscard]] schema::Object delivery_note();
[[nodiscard]] schema::Object energy_amount();
[[nodiscard]] schema::Object market_participant_invoice();

/// Declares a payment instruction. `is_vendor` returns whether a text is the code of a vendor. `what`
/// completes "This value must be ..." for any other text.
[[nodiscard]] schema::Object payment_instruction(
    const std::function<bool(std::string_view)>& is_vendor,
    std::string what = "the code of a payment vendor of this service");

[[nodiscard]] schema::Object market_participant();

[[nodiscard]] schema::Object price_sheets();
[[nodiscard]] schema::Object price_sheet();
/// Returns a text that is the same for all valid price sheets with the same content, and different for
/// others.
[[nodiscard]] std::string content_of_price_sheet(const json::Value& sheet);
/// Compares each price sheet with the first sheet of the request that has the same market participant and
/// external_id. Returns the places of the sheets whose content differs. `sheets` have to be valid.
[[nodiscard]] std::vector<std::size_t> differing_price_sheets(const json::Value& sheets);
inline constexpr std::string_view price_sheet_differs =
    "A price sheet of this market participant has this external_id and other content: a stored one of this "
    "organisation, or an earlier one in the request.";

}  // namespace data_import::payload

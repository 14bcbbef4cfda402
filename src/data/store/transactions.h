// Financial transactions of accounts: tables data_import.financial_transaction, transaction_line_item and
// transaction_tax_item.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/util/limits.h"
#include "data/database/rows.h"
#include "data/store/import.h"

namespace data_import::store {

/// How transactions are added (contract, section 5.4).
struct AddTransactions {
    bool check_previously_added = true;  ///< skip those whose transaction_id the account has
    std::size_t most_stored =
        util::limits::stored_transactions;  ///< bytes of stored transactions in an answer
    bool force_add_to_statement = true;     ///< move dates into the open statement period instead of refusing
};

/// The least and the greatest transaction_id, byte by byte, and the earliest and the latest
/// transaction_date of a request.
struct TransactionBounds {
    std::string_view least_id;
    std::string_view greatest_id;
    std::string_view earliest;
    std::string_view latest;
};

/// Stores the transactions with dates inside the account's open statement period, or none of them. Repeatable
/// only if transactions that are there already are skipped. `transactions`: the fields that
/// payload::transaction() declares, in their order; `items`: tax items and line items of these.
[[nodiscard]] Import import_transactions(const ImportTarget& target, const AddTransactions& how,
                                         const TransactionBounds& bounds, RowSet transactions,
                                         std::vector<RowSet> items);

/// The outcome of one transaction.
struct ImportedTransaction {
    /// The date, YYYY-MM-DD, of a transaction that was moved into the period; nothing: as sent.
    std::optional<std::string> transaction_date = {};
    std::optional<std::string> description = {};  ///< why its date was changed
    /// JSON object: all of one that was there and is not added; `requested_transaction_date` in it is the
    /// date that was sent, where it was changed then.
    std::optional<std::string> stored = {};
};

/// A transaction whose date kept the whole request from being stored.
struct MisdatedTransaction {
    std::size_t index = 0;  ///< in the request
    /// The open period, both days inclusive; nothing if the account has none.
    std::optional<std::string> period_first_day = {};
    std::optional<std::string> period_last_day = {};
};

/// With the verdict `done` either `is_too_much_stored` or `misdated` has items, and nothing was stored, or
/// all transactions are there: `remarkable` has those, by their index in the request, that were not simply
/// added as sent.
struct TransactionsImported {
    ImportVerdict verdict = ImportVerdict::account_not_found;
    bool is_too_much_stored = false;  ///< stored ones are longer than AddTransactions::most_stored
    std::vector<MisdatedTransaction> misdated;
    std::map<std::size_t, ImportedTransaction> remarkable;
};
[[nodiscard]] TransactionsImported read_imported_transactions(const database::Rows& rows);

}  // namespace data_import::store

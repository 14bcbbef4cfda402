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

/// The way to add transactions (contract, section 5.4).
struct AddTransactions {
    bool check_previously_added = true;  ///< transactions whose transaction_id the account has are skipped
    std::size_t most_stored =
        util::limits::stored_transactions;  ///< the most bytes of stored transactions that an answer repeats
    /// True: dates outside of the open statement period are moved into the period. False: they are refused.
    bool force_add_to_statement = true;
};

/// The least and the greatest transaction_id, byte by byte, and the earliest and the latest
/// transaction_date of a request.
struct TransactionBounds {
    std::string_view least_id;
    std::string_view greatest_id;
    std::string_view earliest;
    std::string_view latest;
};

/// Stores the transactions. Stores none of them if the account has no open statement period, or if the date
/// of a transaction to add is outside of the period and must not be moved into it. `transactions` has the
/// fields that payload::transaction() declares, in their order. `items` are the tax items and line items of
/// the transactions. `bounds` are the least and the greatest id and date of all transactions.
///
/// The call is retryable only with `how.check_previously_added`, because without it a retry would add the
/// transactions once more.
[[nodiscard]] Import import_transactions(const ImportTarget& target, const AddTransactions& how,
                                         const TransactionBounds& bounds, RowSet transactions,
                                         std::vector<RowSet> items);

/// The outcome of one transaction.
struct ImportedTransaction {
    /// YYYY-MM-DD: the date that an added transaction got instead of the sent date, which was outside of the
    /// open statement period. Nothing: the date is as sent. Without meaning if `stored` is given.
    std::optional<std::string> transaction_date = {};
    /// A sentence that tells the changed date, the sent date and the reason for the change. Nothing: the date
    /// is as sent. Without meaning if `stored` is given.
    std::optional<std::string> description = {};
    /// The whole stored transaction as a JSON object, if the account had the transaction already; nothing if
    /// the transaction was added. If the stored date is not the date that was sent for the stored
    /// transaction, the member `requested_transaction_date` has the sent date.
    std::optional<std::string> stored = {};
};

/// A transaction whose date kept the whole request from being stored.
struct MisdatedTransaction {
    std::size_t index = 0;  ///< place of the transaction in the request, from 0
    /// The open period, both days inclusive; nothing if the account has none.
    std::optional<std::string> period_first_day = {};
    std::optional<std::string> period_last_day = {};
};

/// The outcome of a request. With the verdict `done`, there are two cases:
///   - nothing was stored: `is_too_much_stored` is true, or `misdated` has items
///   - all transactions are in the account: `remarkable` has those that were added with a changed date, or
///     that the account had already, by their index in the request
struct TransactionsImported {
    ImportVerdict verdict = ImportVerdict::account_not_found;
    /// True: the request was refused as a whole, and added no transaction. The answer would have to repeat
    /// the transactions that the account had already, and these exceed AddTransactions::most_stored bytes.
    bool is_too_much_stored = false;
    std::vector<MisdatedTransaction> misdated;
    std::map<std::size_t, ImportedTransaction> remarkable;
};
[[nodiscard]] TransactionsImported read_imported_transactions(const database::Rows& rows);

}  // namespace data_import::store

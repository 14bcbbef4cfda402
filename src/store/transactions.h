// Financial transactions of accounts: tables data_import.financial_transaction, transaction_line_item and
// transaction_tax_item.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/database.h"
#include "store/import.h"

namespace data_import::store {

/// How transactions are added (specification 4.4).
struct AddTransactions {
    std::string transactions;            ///< JSON array of checked transactions
    bool check_previously_added = true;  ///< skip those whose transaction_id the account has
    bool force_add_to_statement = true;  ///< move dates into the open statement period instead of refusing
};

/// Stores the transactions with dates inside the account's open statement period, or none of them. Repeatable
/// only while those that are there are skipped.
[[nodiscard]] Call import_transactions(const ImportTarget& target, AddTransactions added);

/// What became of one transaction.
struct ImportedTransaction {
    bool added = false;                           ///< false: the account had it already
    std::string transaction_date = {};            ///< as stored, YYYY-MM-DD; of an added one
    std::optional<std::string> description = {};  ///< why its date was changed; of an added one
    std::string stored = {};                      ///< JSON object: all of one that was there
};

/// A transaction whose date kept the whole request from being stored.
struct MisdatedTransaction {
    std::size_t index = 0;  ///< in the request
    /// The open period, both days inclusive; nothing where the account has none.
    std::optional<std::string> period_first_day = {};
    std::optional<std::string> period_last_day = {};
};

/// With the verdict `done` either `misdated` has items and nothing was stored, or `transactions` has one item
/// per transaction in the order of the request.
struct TransactionsImported {
    ImportVerdict verdict = ImportVerdict::account_not_found;
    std::vector<MisdatedTransaction> misdated;
    std::vector<ImportedTransaction> transactions;
};
[[nodiscard]] TransactionsImported read_imported_transactions(const Rows& rows);

}  // namespace data_import::store

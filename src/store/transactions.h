// Financial transactions of accounts: tables data_import.financial_transaction, transaction_line_item and
// transaction_tax_item.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "database/rows.h"
#include "store/import.h"

namespace data_import::store {

struct LineItem {
    std::string_view start_date;  ///< YYYY-MM-DD
    std::string_view end_date;    ///< YYYY-MM-DD
    std::string_view number_of_units;
    std::string_view net_amount;
    std::optional<std::string_view> price_per_unit = {};
    std::optional<std::string_view> rate_band = {};
    /// Both or none of the two values of `units`.
    std::optional<std::string_view> first_units = {};
    std::optional<std::string_view> second_units = {};
    /// How number_of_units, net_amount, price_per_unit and the units were written: data_import.as_written.
    std::optional<std::string> written = {};
};

struct TaxItem {
    std::string_view amount;
    std::string_view tax_type;
    std::string_view value_taxed;
    std::string_view rate;
    std::string_view unit_type;
    std::optional<std::string> written = {};  ///< the same of amount, value_taxed and rate
};

/// One that was checked; texts are as sent.
struct Transaction {
    std::string_view transaction_id;
    std::string_view type;
    std::string_view transaction_date;  ///< YYYY-MM-DD
    std::string_view amount;            ///< a decimal, an exponent allowed
    std::optional<std::string_view> note = {};
    std::optional<std::string_view> reason = {};
    std::optional<std::string_view> reference = {};
    std::optional<std::string_view> payment_type = {};
    std::optional<std::string_view> product_code = {};
    std::optional<std::string_view> display_note = {};
    std::vector<LineItem> line_items = {};
    std::optional<std::vector<TaxItem>> tax_items = {};
};

/// How transactions are added (specification 4.4).
struct AddTransactions {
    std::vector<Transaction> transactions = {};  ///< not empty
    bool check_previously_added = true;          ///< skip those whose transaction_id the account has
    std::size_t most_stored = 256UL * 1024;      ///< bytes of what is told because it is there already
    bool force_add_to_statement = true;  ///< move dates into the open statement period instead of refusing
};

/// Stores the transactions with dates inside the account's open statement period, or none of them. Repeatable
/// only while those that are there are skipped.
[[nodiscard]] Import import_transactions(const ImportTarget& target, const AddTransactions& added);

/// What became of one transaction.
struct ImportedTransaction {
    /// Of one that was dated into the period, YYYY-MM-DD; nothing: as sent.
    std::optional<std::string> transaction_date = {};
    std::optional<std::string> description = {};  ///< why its date was changed
    /// JSON object: all of one that was there and is not added; `requested_transaction_date` in it is the
    /// date that was sent, where it was changed then.
    std::optional<std::string> stored = {};
};

/// A transaction whose date kept the whole request from being stored.
struct MisdatedTransaction {
    std::size_t index = 0;  ///< in the request
    /// The open period, both days inclusive; nothing where the account has none.
    std::optional<std::string> period_first_day = {};
    std::optional<std::string> period_last_day = {};
};

/// With the verdict `done` either `is_too_much_stored` or `misdated` has items, and nothing was stored, or
/// all transactions are there: `remarkable` has those, by their index in the request, that were not simply
/// added as sent.
struct TransactionsImported {
    ImportVerdict verdict = ImportVerdict::account_not_found;
    bool is_too_much_stored = false;  ///< those that are there are longer than AddTransactions::most_stored
    std::vector<MisdatedTransaction> misdated;
    std::map<std::size_t, ImportedTransaction> remarkable;
};
[[nodiscard]] TransactionsImported read_imported_transactions(const database::Rows& rows);

}  // namespace data_import::store

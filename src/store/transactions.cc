#include "store/transactions.h"

#include <stdexcept>

namespace data_import::store {

namespace {

enum Column : std::size_t {
    verdict,
    place,
    added,
    transaction_date,
    description,
    stored,
    period_first_day,
    period_last_day
};

MisdatedTransaction read_misdated(const Rows& rows, std::size_t row) {
    return {.index = static_cast<std::size_t>(rows.integer(row, Column::place)),
            .period_first_day = rows.optional_text(row, Column::period_first_day),
            .period_last_day = rows.optional_text(row, Column::period_last_day)};
}

ImportedTransaction read_imported(const Rows& rows, std::size_t row) {
    return {.added = rows.boolean(row, Column::added),
            .transaction_date = std::string(rows.text(row, Column::transaction_date)),
            .description = rows.optional_text(row, Column::description),
            .stored = std::string(rows.text(row, Column::stored))};
}

}  // namespace

Call import_transactions(const ImportTarget& target, AddTransactions added) {
    return {.name = "import_transactions",
            .sql =
                "SELECT verdict, place, added, transaction_date, description, stored, period_first_day, "
                "period_last_day FROM data_import.transactions_import("
                "data_import.account_key($1, $2), $1, $3, $4, $5, $6, $7)",
            .parameters = {std::string(target.import_supplier), std::string(target.external_account_number),
                           std::string(target.request_id), std::string(target.api_key_id),
                           std::move(added.transactions), added.check_previously_added ? "t" : "f",
                           added.force_add_to_statement ? "t" : "f"},
            .repeatable = added.check_previously_added};
}

TransactionsImported read_imported_transactions(const Rows& rows) {
    TransactionsImported imported;
    const std::string_view outcome = rows.text(0, Column::verdict);
    const bool is_misdated =
        outcome == "no_open_statement_period" || outcome == "transaction_outside_statement_period";
    imported.verdict = is_misdated ? ImportVerdict::done : parse_import_verdict(outcome);
    if (imported.verdict != ImportVerdict::done) return imported;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (is_misdated) {
            imported.misdated.push_back(read_misdated(rows, row));
        } else {
            imported.transactions.push_back(read_imported(rows, row));
        }
    }
    return imported;
}

}  // namespace data_import::store

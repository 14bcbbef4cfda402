#include "store/transactions.h"
#include "util/array_text.h"

#include <stdexcept>

namespace data_import::store {

namespace {

enum Column : std::size_t {
    verdict,
    place,
    transaction_date,
    description,
    stored,
    period_first_day,
    period_last_day
};

MisdatedTransaction read_misdated(const database::Rows& rows, std::size_t row) {
    return {.index = static_cast<std::size_t>(rows.integer(row, Column::place)),
            .period_first_day = rows.optional_text(row, Column::period_first_day),
            .period_last_day = rows.optional_text(row, Column::period_last_day)};
}

ImportedTransaction read_imported(const database::Rows& rows, std::size_t row) {
    return {.transaction_date = rows.optional_text(row, Column::transaction_date),
            .description = rows.optional_text(row, Column::description),
            .stored = rows.optional_text(row, Column::stored)};
}

/// One field of all transactions.
std::string column(const std::vector<Transaction>& transactions, std::string_view Transaction::*field) {
    util::ArrayText texts;
    for (const Transaction& transaction : transactions) texts.add(transaction.*field);
    return texts.take();
}

std::string column(const std::vector<Transaction>& transactions,
                   std::optional<std::string_view> Transaction::*field) {
    util::ArrayText texts;
    for (const Transaction& transaction : transactions) {
        const std::optional<std::string_view>& text = transaction.*field;
        text ? texts.add(*text) : texts.add_null();
    }
    return texts.take();
}

}  // namespace

database::Call import_transactions(const ImportTarget& target, AddTransactions added) {
    const std::vector<Transaction>& sent = added.transactions;
    return {
        .name = "import_transactions",
        .sql =
            "SELECT verdict, place, transaction_date, description, stored, period_first_day, period_last_day "
            "FROM data_import.transactions_import(data_import.account_key($1, $2), $1, $3, $4, $5, $6, $7, "
            "$8, "
            "$9, $10, $11, $12, $13, $14, $15, $16, $17)",
        .parameters = {std::string(target.import_supplier), std::string(target.external_account_number),
                       std::string(target.request_id), std::string(target.api_key_id),
                       column(sent, &Transaction::transaction_id), column(sent, &Transaction::type),
                       column(sent, &Transaction::transaction_date), column(sent, &Transaction::amount),
                       column(sent, &Transaction::note), column(sent, &Transaction::reason),
                       column(sent, &Transaction::reference), column(sent, &Transaction::payment_type),
                       column(sent, &Transaction::product_code), column(sent, &Transaction::display_note),
                       std::move(added.items), added.check_previously_added ? "t" : "f",
                       added.force_add_to_statement ? "t" : "f"},
        .repeatable = added.check_previously_added};
}

TransactionsImported read_imported_transactions(const database::Rows& rows) {
    TransactionsImported imported;
    const std::string_view outcome = rows.text(0, Column::verdict);
    const bool is_misdated =
        outcome == "no_open_statement_period" || outcome == "transaction_outside_statement_period";
    imported.verdict = is_misdated ? ImportVerdict::done : parse_import_verdict(outcome);
    if (imported.verdict != ImportVerdict::done) return imported;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (is_misdated) {
            imported.misdated.push_back(read_misdated(rows, row));
        } else if (!rows.is_null(row, Column::place)) {
            imported.remarkable.emplace(static_cast<std::size_t>(rows.integer(row, Column::place)),
                                        read_imported(rows, row));
        }
    }
    return imported;
}

}  // namespace data_import::store

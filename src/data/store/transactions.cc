#include "data/store/transactions.h"

#include <array>
#include <numeric>
#include <utility>

namespace data_import::store {

namespace {

enum Column : std::size_t {
    request,
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

using enum database::ElementType;

// The types of the first parameters of data_import.transactions_import, in their order. Each of these
// parameters has one value for each request.
constexpr std::array fields = {uuid, text, uuid, bigint, boolean, boolean, bigint, text, text, date, date};

}  // namespace

Import import_transactions(const ImportTarget& target, const AddTransactions& how,
                           const TransactionBounds& bounds, RowSet transactions, std::vector<RowSet> items) {
    static const ImportFunction function{
        "import_transactions",
        import_sql(
            "transactions_import",
            "request, verdict, place, transaction_date, description, stored, period_first_day, "
            "period_last_day",
            std::accumulate(items.begin(), items.end(), fields.size() + transactions.parameters(),
                            [](std::size_t sum, const RowSet& rows) { return sum + rows.parameters(); })),
        fields};
    Import import(function, target);
    import.retryable = how.check_previously_added;
    for (const bool choice : {how.check_previously_added, how.force_add_to_statement})
        import.fields.emplace_back(choice ? "t" : "f");
    import.fields.emplace_back(std::to_string(how.most_stored));
    for (const std::string_view bound : {bounds.least_id, bounds.greatest_id, bounds.earliest, bounds.latest})
        import.fields.emplace_back(bound);
    import.rows.push_back(std::move(transactions));
    import.parts = std::move(items);
    return import;
}

TransactionsImported read_imported_transactions(const database::Rows& rows) {
    TransactionsImported imported;
    const std::string_view outcome = rows.text(0, Column::verdict);
    const bool is_misdated =
        outcome == "no_open_statement_period" || outcome == "transaction_outside_statement_period";
    imported.is_too_much_stored = outcome == "too_much_stored";
    imported.verdict =
        is_misdated || imported.is_too_much_stored ? ImportVerdict::done : read_import_verdict(rows);
    if (imported.is_too_much_stored) return imported;
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

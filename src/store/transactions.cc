#include "store/transactions.h"

#include <algorithm>
#include <array>
#include <functional>

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

using enum util::ElementType;

// in the order of data_import.transactions_import
constexpr std::array fields = {uuid, text, uuid, bigint, boolean, boolean, bigint, text, text, date, date};
constexpr std::array transaction_types = {text, text, date, numeric, text,   text,
                                          text, text, text, text,    boolean};
constexpr std::array line_item_types = {integer, text,    date,    date,   numeric,
                                        numeric, numeric, numeric, numeric, text};
constexpr std::array tax_item_types = {integer, numeric, text, numeric, numeric, text, text};
constexpr ImportFunction function{
    "import_transactions",
    "SELECT request, verdict, place, transaction_date, description, stored, period_first_day, "
    "period_last_day "
    "FROM data_import.transactions_import($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, "
    "$16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, "
    "$36, $37, $38, $39, $40, $41, $42)",
    fields};

/// The least and the greatest, byte by byte: the order of PostgreSQL's collation C, and that of dates.
void add_bounds(Import& import, const std::vector<Transaction>& transactions,
                std::string_view Transaction::*field) {
    const auto [least, greatest] = std::ranges::minmax_element(transactions, std::less(), field);
    import.fields.emplace_back((*least).*field);
    import.fields.emplace_back((*greatest).*field);
}

void add_line_items(RowSet& rows, std::size_t owner, const std::vector<LineItem>& items) {
    std::size_t position = 0;
    for (const LineItem& item : items) {
        rows.add(owner, {std::to_string(position++), item.rate_band, item.start_date, item.end_date,
                         item.number_of_units, item.net_amount, item.price_per_unit, item.first_units,
                         item.second_units, item.written});
    }
}

void add_tax_items(RowSet& rows, std::size_t owner, const std::vector<TaxItem>& items) {
    std::size_t position = 0;
    for (const TaxItem& item : items) {
        rows.add(owner, {std::to_string(position++), item.amount, item.tax_type, item.value_taxed, item.rate,
                         item.unit_type, item.written});
    }
}

}  // namespace

Import import_transactions(const ImportTarget& target, const AddTransactions& added) {
    Import import(function, target);
    import.repeatable = added.check_previously_added;
    import.fields.emplace_back(added.check_previously_added ? "t" : "f");
    import.fields.emplace_back(added.force_add_to_statement ? "t" : "f");
    import.fields.emplace_back(std::to_string(added.most_stored));
    add_bounds(import, added.transactions, &Transaction::transaction_id);
    add_bounds(import, added.transactions, &Transaction::transaction_date);
    RowSet transactions(transaction_types);
    RowSet line_items(line_item_types);
    RowSet tax_items(tax_item_types);
    for (const Transaction& sent : added.transactions) {
        transactions.add(1, {sent.transaction_id, sent.type, sent.transaction_date, sent.amount, sent.note,
                             sent.reason, sent.reference, sent.payment_type, sent.product_code,
                             sent.display_note, sent.tax_items ? "t" : "f"});
        add_line_items(line_items, transactions.size(), sent.line_items);
        if (sent.tax_items) add_tax_items(tax_items, transactions.size(), *sent.tax_items);
    }
    import.rows = {std::move(transactions)};
    import.parts = {std::move(line_items), std::move(tax_items)};
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

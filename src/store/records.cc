#include "store/records.h"

#include <algorithm>
#include <stdexcept>

#include "store/import.h"
#include "store/record_counts.h"
#include "util/array_text.h"

namespace data_import::store {

namespace {

/// A table with the items of records.
struct ItemTable {
    std::string_view kind;
    std::string_view items;
    std::string_view table;
    std::string_view of_record;  ///< tells which items belong to a record, and whether it can have any
    std::string_view order;
};

constexpr ItemTable item_tables[] = {
    {"transactions", "line_items", "transaction_line_item",
     "item.transaction_id = record.transaction_id AND item.copy = record.copy AND record.type = "
     "'SUPPLY_CHARGE'",
     "position"},
    {"transactions", "tax_items", "transaction_tax_item",
     "item.transaction_id = record.transaction_id AND item.copy = record.copy AND record.has_tax_items",
     "position"},
    {"market_participant_invoices", "line_items", "market_participant_invoice_line_item",
     "item.content_digest = record.content_digest", "ordinal"},
    {"market_participant_invoices", "tax_amounts", "market_participant_invoice_tax_amount",
     "item.content_digest = record.content_digest", "ordinal"},
};

/// A column that does not hold by itself what was sent.
struct SentColumn {
    std::string_view kind;
    std::string_view name;
    std::string_view expression;
};

constexpr SentColumn sent_columns[] = {
    {"notes", "created_at", "CASE WHEN record.has_created_at THEN record.created_at END"},
    {"notes", "is_pinned", "CASE WHEN record.has_is_pinned THEN record.is_pinned END"},
    {"notes", "document_paths_document_path", "record.document_paths"},
    {"transactions", "transaction_date",
     "coalesce(record.requested_transaction_date, record.transaction_date)"},
    {"historical_statements", "is_annulled", "CASE WHEN record.has_is_annulled THEN record.is_annulled END"},
};

std::string own_expression(std::string_view kind, const RecordColumn& column) {
    const auto is_it = [&](const SentColumn& sent) { return sent.kind == kind && sent.name == column.name; };
    const auto* sent = std::ranges::find_if(sent_columns, is_it);
    if (sent != std::end(sent_columns)) return std::string(sent->expression);
    return "record." + std::string(column.name) + (column.is_literal ? "::text" : "");
}

/// The arrays of a table of items, for one record.
std::string items_of(const ItemTable& table, std::span<const RecordColumn> columns) {
    std::string arrays;
    for (const RecordColumn& column : columns) {
        if (column.items != table.items) continue;
        arrays += arrays.empty() ? "array_agg(" : ", array_agg(";
        ((arrays += column.name) += column.is_literal ? "::text) AS " : ") AS ") += column.name;
    }
    std::string sql = " LEFT JOIN LATERAL (SELECT " + arrays + " FROM (SELECT * FROM data_import.";
    (sql += table.table) += " AS item WHERE item.account_key = record.account_key AND ";
    ((sql += table.of_record) += " ORDER BY ") += table.order;
    return (sql += ") AS item) AS ") += std::string(table.items) + " ON true";
}

std::string_view table_of(std::string_view kind) {
    const auto tables = record_tables();
    const auto found = std::ranges::find(tables, kind, &RecordTable::name);
    if (found == tables.end())
        throw std::logic_error("there are no records of the kind " + std::string(kind));
    return found->table;
}

std::string select_records(std::string_view kind, std::span<const RecordColumn> columns) {
    std::string sql = "SELECT ";
    for (const RecordColumn& column : columns) {
        sql += column.items.empty() ? own_expression(kind, column)
                                    : std::string(column.items) + '.' + std::string(column.name);
        sql += ", ";
    }
    (sql += "record.account_key FROM data_import.") += std::string(table_of(kind)) + " AS record";
    for (const ItemTable& table : item_tables) {
        if (table.kind == kind) sql += items_of(table, columns);
    }
    return sql;
}

/// An array of keys, which have none but hexadecimal digits in them.
std::string keys_literal(std::span<const std::string> account_keys) {
    std::string literal = "'{";
    for (const std::string& key : account_keys) (literal += literal.ends_with('{') ? "" : ",") += key;
    return literal += "}'::uuid[]";
}

std::vector<NumberedAccount> read_numbers(const database::Rows& rows, std::string_view import_supplier) {
    std::vector<NumberedAccount> accounts;
    accounts.reserve(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::string_view number = rows.text(row, 0);
        accounts.push_back({std::string(number), account_key(import_supplier, number)});
    }
    return accounts;
}

}  // namespace

// COPY takes no parameters.
void read_records(database::Database& database, std::string_view kind, std::span<const RecordColumn> columns,
                  std::span<const std::string> account_keys,
                  const std::function<void(const std::vector<util::BinaryValue>&)>& each,
                  database::Deadline deadline) {
    std::string sql = "COPY (" + select_records(kind, columns) + " WHERE record.account_key = ANY (" +
                      keys_literal(account_keys) + ")";
    if (kind == "notes") sql += " AND NOT record.is_by_service";
    std::vector<util::BinaryValue> values;
    const auto sink = [&](std::string_view row) {
        util::read_binary_row(row, values);
        each(values);
    };
    database.copy_out_binary(sql += ") TO STDOUT (FORMAT binary)", sink, deadline);
}

void begin_reading_records(database::Database& database, database::Deadline deadline) {
    database.execute_script(
        "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; SET LOCAL enable_seqscan = off; "
        "SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL jit = off",
        deadline);
}

void allow_reading_whole_tables(database::Database& database, database::Deadline deadline) {
    database.execute_script(
        "SET LOCAL enable_seqscan = on; SET LOCAL enable_hashjoin = on; SET LOCAL enable_mergejoin = on",
        deadline);
}

std::vector<NumberedAccount> next_accounts(database::Database& database, std::string_view import_supplier,
                                           std::string_view behind, std::size_t most,
                                           database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = "next_accounts",
         .sql = "SELECT external_account_number FROM data_import.account "
                "WHERE import_supplier = $1 AND external_account_number > $2 "
                "ORDER BY external_account_number LIMIT $3",
         .parameters = {std::string(import_supplier), std::string(behind), std::to_string(most)}},
        deadline);
    return read_numbers(rows, import_supplier);
}

std::vector<NumberedAccount> find_accounts(database::Database& database, std::string_view import_supplier,
                                           std::span<const std::string> external_account_numbers,
                                           database::Deadline deadline) {
    util::ArrayText keys;
    for (const std::string& number : external_account_numbers) keys.add(account_key(import_supplier, number));
    const database::Rows rows =
        database.execute({.name = "find_numbered_accounts",
                          .sql = "SELECT external_account_number FROM data_import.account "
                                 "WHERE account_key = ANY ($1::uuid[])",
                          .parameters = {keys.take()}},
                         deadline);
    return read_numbers(rows, import_supplier);
}

}  // namespace data_import::store

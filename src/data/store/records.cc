#include "data/store/records.h"

#include <algorithm>

#include "data/database/array_text.h"
#include "data/store/import.h"
#include "data/store/snapshot.h"

namespace data_import::store {

namespace {

std::string own_expression(const records::Kind& kind, const RecordColumn& column) {
    const auto sent = std::ranges::find(kind.sent_columns, column.name, &records::SentColumn::name);
    if (sent != kind.sent_columns.end()) return std::string(sent->expression);
    return "record." + std::string(column.name) + (column.is_literal ? "::text" : "");
}

std::string rows_of(const records::Items& items) {
    if (items.table.empty()) return std::string(items.call) + " AS item";
    return "data_import." + std::string(items.table) +
           " AS item WHERE item.account_key = record.account_key AND " + std::string(items.of_record);
}

/// Returns the join that reads the items of a record as one row, with an array for each column of the items.
std::string arrays_of(const records::Items& items, std::span<const RecordColumn> columns) {
    std::string arrays;
    for (const RecordColumn& column : columns) {
        if (column.items != items.field) continue;
        arrays += arrays.empty() ? "array_agg(" : ", array_agg(";
        ((arrays += column.name) += column.is_literal ? "::text) AS " : ") AS ") += column.name;
    }
    std::string sql = " LEFT JOIN LATERAL (SELECT " + arrays + " FROM (SELECT * FROM " + rows_of(items);
    ((sql += " ORDER BY ") += items.order) += ") AS item) AS ";
    return (sql += items.field) += " ON true";
}

/// Returns SQL that packs a row into one value: `columns`, then the account's key, then `more`. `more` has
/// further columns, each with a comma in front.
///
/// Citus decodes and encodes each value that its workers send, which takes longest for arrays. A packed row
/// is one plain value.
std::string packed_row(const records::Kind& kind, std::span<const RecordColumn> columns,
                       std::string_view more = {}) {
    std::string sql = "record_send(ROW(";
    for (const RecordColumn& column : columns) {
        sql += column.items.empty() ? own_expression(kind, column)
                                    : std::string(column.items) + '.' + std::string(column.name);
        sql += ", ";
    }
    return ((sql += "record.account_key") += more) += "))";
}

/// Returns the FROM clause of a query that selects `columns`. The SQL text `from` names the source of the
/// records, with the alias `record`.
std::string from_records(const records::Kind& kind, std::span<const RecordColumn> columns,
                         std::string_view from) {
    std::string sql = " FROM " + std::string(from);
    for (const records::Items& items : kind.items) sql += arrays_of(items, columns);
    return sql;
}

std::string select_records(const records::Kind& kind, std::span<const RecordColumn> columns,
                           std::string_view from, std::string_view more = {}) {
    return "SELECT " + packed_row(kind, columns, more) + from_records(kind, columns, from);
}

std::string table_of(const records::Kind& kind) {
    return "data_import." + std::string(kind.table);
}

/// Returns SQL that selects the rows of a page, the newest first. Rows with the same time are ordered by
/// their place in the table (ctid). No import changes this place, so pages do not overlap.
std::string rows_of_page(const records::Kind& kind) {
    std::string sql = "(SELECT record.*, record.ctid AS place FROM " + table_of(kind) +
                      " AS record WHERE record.account_key = $1::uuid";
    if (!kind.condition.empty()) (sql += " AND ") += kind.condition;
    return sql +=
           " AND record.imported_at <= coalesce($2::timestamptz, 'infinity') "
           "ORDER BY record.imported_at DESC, record.ctid DESC OFFSET $3::bigint LIMIT $4::bigint) AS record";
}

/// Returns SQL that joins the records of a kind with their accounts. Without the join, Citus would look up
/// the keys of all accounts on every shard.
std::string with_accounts(const records::Kind& kind) {
    return "data_import.account JOIN " + table_of(kind) +
           " AS record ON record.account_key = account.account_key";
}

/// An SQL condition: the account is in a range. $1 to $3 are the members of AccountRange.
constexpr std::string_view in_range =
    " WHERE account.import_supplier = $1 AND account.external_account_number > $2 "
    "AND account.external_account_number <= $3";

database::Call select_records_of(const records::Kind& kind, std::span<const RecordColumn> columns,
                                 const SomeAccounts& accounts) {
    if (const auto* keys = std::get_if<std::vector<std::string>>(&accounts)) {
        database::ArrayText array;
        for (const std::string& key : *keys) array.add(key);
        return {.sql = select_records(kind, columns, table_of(kind) + " AS record") +
                       " WHERE record.account_key = ANY ($1::uuid[])",
                .parameters = {array.take()}};
    }
    const auto& range = std::get<AccountRange>(accounts);
    return {.sql = select_records(kind, columns, with_accounts(kind)) + std::string(in_range),
            .parameters = {range.import_supplier, range.behind, range.last}};
}

/// Returns the part of select_in_order() that selects the kind at `place`. `conditions` are the conditions
/// that hold for all kinds.
std::string select_for_order(const OrderedRecords& wanted, std::size_t place, std::string_view conditions) {
    const auto& [kind, columns] = wanted.kinds[place];
    std::string sql =
        "SELECT account.external_account_number::text COLLATE \"C\" AS number, " + std::to_string(place) +
        " AS kind, " + (kind->copy.empty() ? "1" : "record." + std::string(kind->copy)) + " AS copy, " +
        (kind->comes_first.empty() ? "true" : std::string(kind->comes_first)) +
        " AS comes_first, data_import.record_id('" + std::string(kind->name) + "', record.account_key, " +
        std::string(kind->id_name) + ") AS record_id, " + packed_row(*kind, columns) + " AS packed" +
        from_records(*kind, columns, with_accounts(*kind));
    (sql += in_range) += conditions;
    if (!kind->condition.empty()) (sql += " AND ") += kind->condition;
    return sql;
}

enum OrderedColumn : std::size_t { ordered_number, ordered_kind, ordered_copy, ordered_row };

database::Call select_in_order(const OrderedRecords& wanted) {
    std::vector<database::Parameter> parameters = {wanted.accounts.import_supplier, wanted.accounts.behind,
                                                   wanted.accounts.last};
    std::string conditions;
    if (wanted.since) {
        parameters.emplace_back(*wanted.since);
        conditions += " AND record.imported_at >= $" + std::to_string(parameters.size()) + "::timestamptz";
    }
    if (!wanted.numbers.empty()) {
        database::ArrayText numbers;
        for (const std::string& number : wanted.numbers) numbers.add(number);
        parameters.emplace_back(numbers.take());
        conditions +=
            " AND account.external_account_number = ANY ($" + std::to_string(parameters.size()) + "::text[])";
    }
    std::string sql = "SELECT number, kind, copy, packed FROM (";
    for (std::size_t place = 0; place < wanted.kinds.size(); ++place)
        (sql += place == 0 ? "" : " UNION ALL ") += select_for_order(wanted, place, conditions);
    sql += ") AS record ORDER BY number, kind, copy, comes_first DESC, record_id";
    return {.sql = std::move(sql), .parameters = std::move(parameters)};
}

using EachRecord = std::function<void(const std::vector<database::BinaryValue>&)>;

void stream(database::Database& database, const database::Call& call, const EachRecord& each,
            database::Deadline deadline) {
    std::vector<database::BinaryValue> values;
    const auto read = [&](const database::StreamedRow& row) {
        database::read_sent_record(row.text(0), values);
        each(values);
    };
    database.stream(call, database::ValueFormat::binary, read, deadline);
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

void read_records(database::Database& database, const records::Kind& kind,
                  std::span<const RecordColumn> columns, const SomeAccounts& accounts,
                  const std::function<void(const std::vector<database::BinaryValue>&)>& each,
                  database::Deadline deadline) {
    database::Call call = select_records_of(kind, columns, accounts);
    if (!kind.condition.empty()) (call.sql += " AND ") += kind.condition;
    stream(database, call, each, deadline);
}

void read_records_in_order(database::Database& database, const OrderedRecords& wanted,
                           const std::function<void(const OrderedRecord&)>& each,
                           database::Deadline deadline) {
    std::vector<database::BinaryValue> values;
    const auto read = [&](const database::StreamedRow& row) {
        database::read_sent_record(row.text(ordered_row), values);
        each({.external_account_number = row.text(ordered_number),
              .kind = static_cast<std::size_t>(database::binary_integer(row.text(ordered_kind))),
              .copy = database::binary_integer(row.text(ordered_copy)),
              .row = values});
    };
    database.stream(select_in_order(wanted), database::ValueFormat::binary, read, deadline);
}

void read_records_without_account(database::Database& database, const std::string& kind,
                                  const std::optional<std::string>& since,
                                  const std::function<void(std::string_view)>& each,
                                  database::Deadline deadline) {
    database.stream(
        {.sql = "SELECT canonical_content FROM platform.record WHERE kind = $1 "
                "AND imported_at >= coalesce($2::timestamptz, '-infinity') ORDER BY record_id",
         .parameters = {kind, since}},
        database::ValueFormat::text, [&](const database::StreamedRow& row) { each(row.text(0)); }, deadline);
}

void read_last_records(database::Database& database, const records::Kind& kind,
                       std::span<const RecordColumn> columns, const std::string& account_key,
                       const RecordPage& page,
                       const std::function<void(const std::vector<database::BinaryValue>&)>& each,
                       database::Deadline deadline) {
    const std::string moved_to = kind.moved_to.empty() ? "NULL" : std::string(kind.moved_to);
    const database::Call call{
        .sql = select_records(
                   kind, columns, rows_of_page(kind),
                   ", record.imported_at, record.request_id, record.api_key_id, (" + moved_to + ")::text") +
               " ORDER BY record.imported_at DESC, record.place DESC",
        .parameters = {account_key,
                       page.until ? database::Parameter(util::to_text(*page.until)) : std::nullopt,
                       std::to_string(page.skipped), std::to_string(page.most)}};
    stream(database, call, each, deadline);
}

void begin_reading_records(database::Database& database, database::Deadline deadline,
                           std::string_view snapshot) {
    begin_snapshot(
        database,
        "SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off",
        deadline, snapshot);
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
    database::ArrayText keys;
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

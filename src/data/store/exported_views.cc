#include "data/store/exported_views.h"

#include <algorithm>
#include <iterator>

#include "data/database/array_text.h"

namespace data_import::store {

namespace {

constexpr std::string_view time_type = "timestamp with time zone";

bool is_text(std::string_view type) {
    constexpr std::string_view others[] = {"boolean", "date",   time_type, "numeric",
                                           "integer", "bigint", "uuid"};
    return std::ranges::find(others, type) == std::end(others);
}

std::string expression_of(const std::string& column, std::string_view type) {
    if (type == time_type) return "trim('\"' FROM data_import.canonical_instant(" + column + "))";
    return (type.ends_with("[]") ? "to_json(" + column + ")" : column) + "::text";
}

bool has_column(const ExportedView& view, std::string_view column) {
    return std::ranges::find(view.columns, column, &ExportedColumn::name) != view.columns.end();
}

std::string select_from(const ExportedView& view) {
    std::string expressions;
    for (const ExportedColumn& column : view.columns)
        (expressions += expressions.empty() ? "" : ", ") += column.expression;
    return "SELECT " + expressions + " FROM platform." + view.name;
}

std::string order_of(const ExportedView& view) {
    std::string sql;
    for (const std::string_view column : {"external_account_number", "record_id", "position"}) {
        if (has_column(view, column)) (sql += sql.empty() ? " ORDER BY " : ", ") += column;
    }
    return sql;
}

/// Returns an SQL condition for rows that were stored at or after a time. `place` is the number of the
/// parameter that holds the time. `where` is the WHERE clause that selects the wanted accounts.
///
/// In some views, each row is an item of a list in a record (ExportedView::records). Such a row has no time,
/// so the time of its record counts. `where` limits the search for these records.
std::string since_condition(const ExportedView& view, std::string_view where, std::size_t place) {
    const std::string time = " AND imported_at >= $" + std::to_string(place) + "::timestamptz";
    if (view.name == view.records) return time;
    return " AND record_id IN (SELECT record_id FROM platform." + view.records + std::string(where) + time +
           ")";
}

database::Call select_rows(const ExportedView& view, const ExportedRows& wanted) {
    database::Call call;
    std::string where = " WHERE true";
    if (view.has_accounts) {
        where =
            " WHERE import_supplier = $1 AND external_account_number > $2 AND external_account_number <= $3";
        call.parameters = {wanted.accounts.import_supplier, wanted.accounts.behind, wanted.accounts.last};
    }
    call.sql = select_from(view) + where;
    if (wanted.since && !view.records.empty()) {
        call.parameters.emplace_back(*wanted.since);
        call.sql += since_condition(view, where, call.parameters.size());
    }
    if (view.has_accounts && !wanted.numbers.empty()) {
        database::ArrayText numbers;
        for (const std::string& number : wanted.numbers) numbers.add(number);
        call.parameters.emplace_back(numbers.take());
        call.sql +=
            " AND external_account_number = ANY ($" + std::to_string(call.parameters.size()) + "::text[])";
    }
    call.sql += order_of(view);
    return call;
}

}  // namespace

void find_columns(database::Database& database, ExportedView& view, database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = "columns_of_view",
         .sql = "SELECT attname, format_type(atttypid, NULL) FROM pg_catalog.pg_attribute "
                "WHERE attrelid = ('platform.' || $1::text)::regclass AND attnum > 0 ORDER BY attnum",
         .parameters = {view.name}},
        deadline);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::string name(rows.text(row, 0));
        const std::string_view type = rows.text(row, 1);
        view.columns.push_back({name, expression_of(name, type), is_text(type)});
    }
}

void read_view(database::Database& database, const ExportedView& view, const ExportedRows& wanted,
               const std::function<void(std::span<const std::optional<std::string_view>>)>& each,
               database::Deadline deadline) {
    std::vector<std::optional<std::string_view>> cells(view.columns.size());
    database.stream(
        select_rows(view, wanted), database::ValueFormat::text,
        [&](const database::StreamedRow& row) {
            for (std::size_t column = 0; column < cells.size(); ++column)
                cells[column] = row.optional(column);
            each(cells);
        },
        deadline);
}

}  // namespace data_import::store

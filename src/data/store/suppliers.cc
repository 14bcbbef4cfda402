#include "data/store/suppliers.h"

#include "data/database/array_text.h"

namespace data_import::store {

namespace {

Supplier read_supplier(const database::Row& row) {
    return {.code = row.text(0),
            .name = row.text(1),
            .status = row.text(2),
            .document_root = row.text(3),
            .created_at = row.time(4),
            .status_since = row.time(5),
            .status_by = row.optional_text(6),
            .planned_end = row.optional_text(7),
            .attention = row.integer(8),
            .erase_after_days = row.is_null(9) ? std::nullopt : std::optional(row.integer(9)),
            .erase_at = row.optional_time(10)};
}

database::Call select_suppliers(const char* name, const std::string& condition,
                                std::vector<database::Parameter> parameters) {
    return {.name = name,
            .sql =
                "SELECT code, name, status, document_root, created_at, status_since, status_by, "
                "planned_end, attention, erase_after_days, CASE WHEN status = 'Complete' "
                "THEN status_since + make_interval(days => erase_after_days) END "
                "FROM data_import.import_supplier " +
                condition + " ORDER BY code",
            .parameters = std::move(parameters)};
}

database::Parameter unless_empty(const std::optional<std::string>& text) {
    return text && !text->empty() ? text : std::nullopt;
}

std::string flag(const std::optional<std::string>& change) {
    return change ? "true" : "false";
}

void plan_supplier(database::Database& database, const std::string& code, const SupplierChange& change,
                   database::Deadline deadline) {
    database.execute(
        {.name = "plan_supplier",
         .sql = "UPDATE data_import.import_supplier SET "
                "attention = coalesce($2::bigint, attention), "
                "erase_after_days = CASE WHEN $3::boolean THEN $4::integer ELSE erase_after_days END "
                "WHERE code = $1",
         .parameters = {code, change.attention, flag(change.erase_after_days),
                        unless_empty(change.erase_after_days)}},
        deadline);
}

}  // namespace

bool create_supplier(database::Database& database, const Supplier& supplier, database::Deadline deadline) {
    const database::Call call{
        .name = "create_supplier",
        .sql = "SELECT data_import.create_import_supplier($1, $2, $3, $4)",
        .parameters = {supplier.code, supplier.name, supplier.status, supplier.document_root},
        .retryable = false};
    return database.execute(call, deadline).boolean(0, 0);
}

bool change_supplier(database::Database& database, const std::string& code, const SupplierChange& change,
                     const std::string& author, database::Deadline deadline) {
    const bool is_known =
        database
            .execute({.name = "change_supplier",
                      .sql = "SELECT data_import.change_import_supplier($1, $2, $3, $4) "
                             "FROM set_config('data_import.operator', $5, true)",
                      .parameters = {code, change.status, change.name, change.document_root, author}},
                     deadline)
            .boolean(0, 0);
    if (is_known && (change.attention || change.erase_after_days))
        plan_supplier(database, code, change, deadline);
    return is_known;
}

bool remove_supplier(database::Database& database, const std::string& code, database::Deadline deadline) {
    // Acknowledgements and comparisons are removed with the supplier. Unlike records, they do not prevent its
    // removal.
    for (const std::string table : {"acknowledgement", "account_comparison"})
        database.execute({.name = "forget_" + table,
                          .sql = "DELETE FROM data_import." + table + " WHERE import_supplier = $1",
                          .parameters = {code},
                          .retryable = false},
                         deadline);
    return database
        .execute({.name = "remove_supplier",
                  .sql = "SELECT data_import.remove_import_supplier($1)",
                  .parameters = {code},
                  .retryable = false},
                 deadline)
        .boolean(0, 0);
}

std::vector<Supplier> list_suppliers(database::Database& database, database::Deadline deadline) {
    return read_suppliers(database.execute(select_suppliers("list_suppliers", "", {}), deadline));
}

std::optional<Supplier> find_supplier(database::Database& database, const std::string& code,
                                      database::Deadline deadline) {
    const database::Rows rows =
        database.execute(select_suppliers("find_supplier", "WHERE code = $1", {code}), deadline);
    return rows.size() == 0 ? std::nullopt : std::optional(read_supplier(rows[0]));
}

database::Call find_suppliers(const std::set<std::string, std::less<>>& codes) {
    database::ArrayText array;
    for (const std::string& code : codes) array.add(code);
    return select_suppliers("find_suppliers", "WHERE code = ANY ($1::text[])", {array.take()});
}

std::vector<Supplier> read_suppliers(const database::Rows& rows) {
    return rows.each(read_supplier);
}

}  // namespace data_import::store

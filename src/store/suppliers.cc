#include "store/suppliers.h"

#include "database/array_text.h"
#include "store/column_text.h"

namespace data_import::store {

namespace {

Supplier read_supplier(const database::Rows& rows, std::size_t row) {
    return {std::string(rows.text(row, 0)), std::string(rows.text(row, 1)), std::string(rows.text(row, 2)),
            std::string(rows.text(row, 3)), to_rfc3339(rows.text(row, 4))};
}

}  // namespace

bool create_supplier(database::Database& database, const Supplier& supplier, database::Deadline deadline) {
    const database::Call call{
        .name = "create_supplier",
        .sql =
            "INSERT INTO data_import.import_supplier (code, name, status, document_root) "
            "VALUES ($1, $2, $3, $4) ON CONFLICT (code) DO NOTHING RETURNING code",
        .parameters = {supplier.code, supplier.name, supplier.status, supplier.document_root},
        .repeatable = false};
    return database.execute(call, deadline).size() == 1;
}

bool change_supplier(database::Database& database, const std::string& code, const SupplierChange& change,
                     const std::string& author, database::Deadline deadline) {
    return database
        .execute({.name = "change_supplier",
                  .sql = "SELECT data_import.change_import_supplier($1, $2, $3, $4) "
                         "FROM set_config('data_import.operator', $5, true)",
                  .parameters = {code, change.status, change.name, change.document_root, author}},
                 deadline)
        .boolean(0, 0);
}

std::vector<Supplier> list_suppliers(database::Database& database, database::Deadline deadline) {
    const database::Rows rows =
        database.execute({.name = "list_suppliers",
                          .sql = "SELECT code, name, status, document_root, created_at "
                                 "FROM data_import.import_supplier ORDER BY code"},
                         deadline);
    return read_suppliers(rows);
}

std::optional<Supplier> find_supplier(database::Database& database, const std::string& code,
                                      database::Deadline deadline) {
    const database::Rows rows =
        database.execute({.name = "find_supplier",
                          .sql = "SELECT code, name, status, document_root, created_at "
                                 "FROM data_import.import_supplier WHERE code = $1",
                          .parameters = {code}},
                         deadline);
    if (rows.size() == 0) return std::nullopt;
    return read_supplier(rows, 0);
}

database::Call find_suppliers(const std::set<std::string, std::less<>>& codes) {
    database::ArrayText array;
    for (const std::string& code : codes) array.add(code);
    return {.name = "find_suppliers",
            .sql =
                "SELECT code, name, status, document_root, created_at FROM data_import.import_supplier "
                "WHERE code = ANY ($1::text[]) ORDER BY code",
            .parameters = {array.take()}};
}

std::vector<Supplier> read_suppliers(const database::Rows& rows) {
    std::vector<Supplier> suppliers;
    for (std::size_t row = 0; row < rows.size(); ++row) suppliers.push_back(read_supplier(rows, row));
    return suppliers;
}

}  // namespace data_import::store

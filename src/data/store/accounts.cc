#include "data/store/accounts.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <tuple>

#include "base/util/similar_numbers.h"
#include "data/database/array_text.h"
#include "data/store/suppliers.h"

namespace data_import::store {

namespace {

/// Finds at most two accounts, of one supplier or of all, whose external account number meets the condition.
/// In the condition, $1 is the array `numbers`.
database::Call find_accounts_where(std::string_view name, std::string_view condition,
                                   const std::string& numbers,
                                   const std::optional<std::string>& import_supplier) {
    return {.name = "find_accounts_" + std::string(name),
            .sql =
                "SELECT import_supplier, external_account_number FROM data_import.account "
                "WHERE import_supplier = ANY (ARRAY(SELECT code FROM data_import.import_supplier "
                "WHERE $2::text IS NULL OR code = $2)) AND " +
                std::string(condition) + " LIMIT 2",
            .parameters = {numbers, import_supplier}};
}

std::vector<AccountName> read_names(const database::Rows& rows) {
    return rows.each([](const database::Row& row) { return AccountName{row.text(0), row.text(1)}; });
}

}  // namespace

std::size_t place_of_state(std::string_view state) {
    const auto known = std::ranges::find(account_states, state);
    if (known == account_states.end()) throw std::logic_error("a state that accounts do not have");
    return static_cast<std::size_t>(known - account_states.begin());
}

database::Call find_account_status(std::string_view import_supplier,
                                   std::string_view external_account_number) {
    return {.name = "find_account_status",
            .sql =
                "SELECT state, coalesce(service_account_number, '') FROM data_import.account "
                "WHERE account_key = data_import.account_key($1, $2)",
            .parameters = {std::string(import_supplier), std::string(external_account_number)}};
}

std::optional<AccountStatus> read_account_status(const database::Rows& rows) {
    if (rows.size() == 0) return std::nullopt;
    return AccountStatus{rows[0].text(0), rows[0].text(1)};
}

// The numbers that begin with a text lie BETWEEN the text and the text with the greatest character after it,
// so that an index finds them.
std::vector<std::string> account_numbers(database::Database& database, const std::string& import_supplier,
                                         const std::string& beginning, std::size_t most,
                                         database::Deadline deadline) {
    return database
        .execute(
            {.name = "account_numbers",
             .sql = "SELECT external_account_number FROM data_import.account WHERE import_supplier = $1 AND "
                    "external_account_number BETWEEN $2::text AND $2::text || chr(1114111) "
                    "ORDER BY external_account_number LIMIT $3::bigint",
             .parameters = {import_supplier, beginning, std::to_string(most)}},
            deadline)
        .texts();
}

// Makes a call for each supplier, because one statement for all would need LATERAL, which Citus refuses.
std::vector<AccountName> find_accounts_beginning(database::Database& database, std::string_view text,
                                                 std::size_t most, database::Deadline deadline) {
    std::vector<database::Call> calls;
    for (const Supplier& supplier : list_suppliers(database, deadline)) {
        calls.push_back({.name = "find_accounts_beginning",
                         .sql = "SELECT import_supplier, external_account_number FROM data_import.account "
                                "WHERE import_supplier = $1 AND external_account_number > $2::text "
                                "AND external_account_number <= $2::text || chr(1114111) "
                                "ORDER BY external_account_number LIMIT $3::bigint",
                         .parameters = {supplier.code, std::string(text), std::to_string(most)}});
    }
    std::vector<AccountName> found;
    for (const database::Rows& rows : database.execute_together(calls, deadline))
        std::ranges::move(read_names(rows), std::back_inserter(found));
    std::ranges::sort(found, {}, [](const AccountName& one) {
        return std::tie(one.external_account_number, one.import_supplier);
    });
    found.resize(std::min(found.size(), most));
    return found;
}

std::optional<AccountName> find_meant_account(database::Database& database, const std::string& number,
                                              const std::optional<std::string>& import_supplier,
                                              database::Deadline deadline) {
    database::ArrayText similar;
    similar.add(number);
    for (const std::string& one : util::similar_numbers(number)) similar.add(one);
    const std::string numbers = similar.take();
    const std::vector<database::Call> calls = {
        find_accounts_where("similar", "external_account_number = ANY ($1::text[])", numbers,
                            import_supplier),
        find_accounts_where(
            "alike",
            "external_account_number ~ data_import.invisible_characters() AND regexp_replace("
            "external_account_number, data_import.invisible_characters(), '', 'g') = ANY ($1::text[])",
            numbers, import_supplier)};
    std::vector<AccountName> found;
    for (const database::Rows& rows : database.execute_together(calls, deadline)) {
        for (AccountName& account : read_names(rows)) {
            if (std::ranges::find(found, account) == found.end()) found.push_back(std::move(account));
        }
    }
    return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

std::vector<AccountName> find_accounts_of_number(database::Database& database, std::string_view number,
                                                 database::Deadline deadline) {
    const std::string text(number);
    auto accounts = read_names(database.execute(
        {.name = "find_accounts_of_external_number",
         .sql = "SELECT import_supplier, external_account_number FROM data_import.account "
                "WHERE import_supplier = ANY (ARRAY(SELECT code FROM data_import.import_supplier)) "
                "AND external_account_number = $1 ORDER BY 1",
         .parameters = {text}},
        deadline));
    const database::Rows key = database.execute(
        {.name = "find_key_of_service_number",
         .sql =
             "SELECT account_key FROM data_import.service_account_number WHERE service_account_number = $1",
         .parameters = {text}},
        deadline);
    if (key.size() == 0) return accounts;
    for (AccountName& account :
         read_names(database.execute({.name = "find_account_of_key",
         .sql = "SELECT import_supplier, external_account_number FROM data_import.account "
                "WHERE account_key = $1",
         .parameters = {std::string(key.text(0, 0))}},
                                     deadline)))
        accounts.push_back(std::move(account));
    return accounts;
}

}  // namespace data_import::store

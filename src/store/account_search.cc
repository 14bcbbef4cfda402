#include "store/account_search.h"

namespace data_import::store {

namespace {

std::vector<AccountName> read(const database::Rows& rows) {
    std::vector<AccountName> accounts;
    for (std::size_t row = 0; row < rows.size(); ++row)
        accounts.push_back({std::string(rows.text(row, 0)), std::string(rows.text(row, 1))});
    return accounts;
}

}  // namespace

std::vector<AccountName> find_accounts_of_number(database::Database& database, std::string_view number,
                                                 database::Deadline deadline) {
    const std::string text(number);
    auto accounts = read(database.execute(
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
         read(database.execute({.name = "find_account_of_key",
         .sql = "SELECT import_supplier, external_account_number FROM data_import.account "
                "WHERE account_key = $1",
         .parameters = {std::string(key.text(0, 0))}},
                               deadline)))
        accounts.push_back(std::move(account));
    return accounts;
}

}  // namespace data_import::store

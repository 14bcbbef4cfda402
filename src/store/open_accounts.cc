#include "store/open_accounts.h"

#include "store/timestamp.h"

namespace data_import::store {

database::Call list_open_accounts(std::string_view import_supplier, OpenState state, std::size_t most) {
    const std::vector<database::Parameter> parameters = {std::string(import_supplier), std::to_string(most)};
    if (state == OpenState::failed) {
        return {
            .name = "list_failed_accounts",
            .sql =
                "SELECT external_account_number, state_changed_at, failure_reason FROM data_import.account "
                "WHERE import_supplier = $1 AND state = 'failed' ORDER BY state_changed_at DESC LIMIT $2",
            .parameters = parameters};
    }
    return {.name = "list_accounts_in_progress",
            .sql =
                "SELECT external_account_number, state_changed_at, failure_reason FROM data_import.account "
                "WHERE import_supplier = $1 AND state = 'in_progress' ORDER BY state_changed_at LIMIT $2",
            .parameters = parameters};
}

std::vector<OpenAccount> read_open_accounts(const database::Rows& rows) {
    std::vector<OpenAccount> accounts;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        accounts.push_back(
            {std::string(rows.text(row, 0)), to_rfc3339(rows.text(row, 1)), rows.optional_text(row, 2)});
    }
    return accounts;
}

}  // namespace data_import::store

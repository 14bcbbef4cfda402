#include "store/open_accounts.h"

#include "store/column_text.h"

namespace data_import::store {

namespace {

std::string name_of(OpenState state) {
    return state == OpenState::failed ? "failed" : "in_progress";
}

}  // namespace

database::Call list_open_accounts(std::string_view import_supplier, OpenState state, std::size_t most) {
    return {.name = "list_open_accounts",
            .sql =
                "SELECT external_account_number, since, reason "
                "FROM data_import.open_accounts(ARRAY[$1], $2, $3::integer)",
            .parameters = {std::string(import_supplier), name_of(state), std::to_string(most)}};
}

database::Call find_next_open_accounts(std::string_view import_supplier, OpenState state,
                                       const std::optional<std::string>& hours, const std::string& after) {
    return {.name = "find_next_open_accounts",
            .sql =
                "SELECT account_key, external_account_number, since, reason "
                "FROM data_import.next_open_accounts($1, $2, "
                "coalesce(now() - make_interval(hours => $3::integer), 'infinity'), $4, $5::integer)",
            .parameters = {std::string(import_supplier), name_of(state), hours, after,
                           std::to_string(open_accounts_at_once)}};
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

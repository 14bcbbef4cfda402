#include "data/store/account_acts.h"

#include "data/store/access_events.h"

namespace data_import::store {

std::int64_t record_staged(database::Database& database, const std::string& import_supplier,
                           std::uint64_t accounts, const std::optional<std::string>& account,
                           const Operator& by, database::Deadline deadline) {
    return record_action(database,
                         {.action = "accounts_staged",
                          .import_supplier = import_supplier,
                          .external_account_number = account,
                          .details = std::to_string(accounts) + (accounts == 1 ? " account" : " accounts")},
                         by, deadline);
}

std::optional<std::int64_t> set_hold(database::Database& database, const AccountName& account, bool is_held,
                                     const Operator& by, database::Deadline deadline) {
    if (!hold_account(database, account, is_held, by.system_user, deadline)) return std::nullopt;
    return record_action(database,
                         {.action = is_held ? "hold_begun" : "hold_ended",
                          .import_supplier = account.import_supplier,
                          .external_account_number = account.external_account_number},
                         by, deadline);
}

std::string records_text(std::int64_t records) {
    return std::to_string(records) + (records == 1 ? " record" : " records");
}

std::int64_t record_removal(database::Database& database, std::string_view action, const AccountName& account,
                            std::int64_t records, const Operator& by, database::Deadline deadline) {
    return record_action(database,
                         {.action = action,
                          .import_supplier = account.import_supplier,
                          .external_account_number = account.external_account_number,
                          .details = records_text(records)},
                         by, deadline);
}

}  // namespace data_import::store

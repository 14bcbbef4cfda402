#include "data/store/account_steps.h"

#include <algorithm>

#include "data/database/array_text.h"
#include "data/store/import.h"

namespace data_import::store {

namespace {

/// Executes the statement `sql`, which takes a step and sets its author. The parameters of the statement are
/// the supplier ($1), the external account number ($2), and `further`.
///
/// Because a retry could return "nothing changed" although the first try had made the change, a step with an
/// unknown outcome is not retried.
database::Rows take_step(database::Database& database, const char* name, const char* sql,
                         const AccountName& account, std::vector<database::Parameter> further,
                         database::Deadline deadline) {
    std::vector<database::Parameter> parameters{account.import_supplier, account.external_account_number};
    std::ranges::move(further, std::back_inserter(parameters));
    return database.execute(
        {.name = name, .sql = sql, .parameters = std::move(parameters), .retryable = false}, deadline);
}

constexpr const char* accounts_at_once = "10000";  // length of a slice, which takes half a second or so

}  // namespace

bool stage_account(database::Database& database, const AccountName& account, bool although_erased,
                   const std::string& author, database::Deadline deadline) {
    return take_step(database, "account_stage",
                     "SELECT data_import.account_stage($1, $2, $3) "
                     "FROM set_config('data_import.operator', $4, true)",
                     account, {although_erased ? "t" : "f", author}, deadline)
        .boolean(0, 0);
}

bool begin_account(database::Database& database, const AccountName& account, const std::string& author,
                   database::Deadline deadline) {
    return take_step(database, "account_begin",
                     "SELECT data_import.account_begin($1, $2) "
                     "FROM set_config('data_import.operator', $3, true)",
                     account, {author}, deadline)
        .boolean(0, 0);
}

bool fail_account(database::Database& database, const AccountName& account, const std::string& reason,
                  const std::string& author, database::Deadline deadline) {
    return take_step(database, "account_fail",
                     "SELECT data_import.account_fail($1, $2, $3) "
                     "FROM set_config('data_import.operator', $4, true)",
                     account, {reason, author}, deadline)
        .boolean(0, 0);
}

std::string complete_account(database::Database& database, const AccountName& account,
                             const Completion& completion, const std::string& author,
                             database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = "account_complete",
         .sql = "SELECT data_import.account_complete($1, $2, $3, $4, $5, $6) "
                "FROM set_config('data_import.operator', $7, true)",
         .parameters = {account.import_supplier, account.external_account_number,
                        completion.service_account_number, completion.account_created_at,
                        completion.statement_first_day, completion.statement_last_day, author}},
        deadline);
    return std::string(rows.text(0, 0));
}

bool open_statement(database::Database& database, const AccountName& account, const std::string& first_day,
                    const std::string& last_day, database::Deadline deadline) {
    return take_step(database, "statement_open", "SELECT data_import.statement_open($1, $2, $3, $4)", account,
                     {first_day, last_day}, deadline)
        .boolean(0, 0);
}

bool close_statement(database::Database& database, const AccountName& account, database::Deadline deadline) {
    return take_step(database, "statement_close", "SELECT data_import.statement_close($1, $2)", account, {},
                     deadline)
        .boolean(0, 0);
}

std::int64_t reset_account(database::Database& database, const AccountName& account,
                           const std::string& author, database::Deadline deadline) {
    return take_step(database, "account_reset",
                     "SELECT data_import.account_reset($1, $2) "
                     "FROM set_config('data_import.operator', $3, true)",
                     account, {author}, deadline)
        .integer(0, 0);
}

std::int64_t count_actions(database::Database& database, const AccountName& account,
                           database::Deadline deadline) {
    return database
        .execute({.name = "count_account_actions",
                  .sql = "SELECT count(*) FROM data_import.account_action WHERE account_key = $1",
                  .parameters = {account_key(account.import_supplier, account.external_account_number)}},
                 deadline)
        .integer(0, 0);
}

bool hold_account(database::Database& database, const AccountName& account, bool is_held,
                  const std::string& author, database::Deadline deadline) {
    return take_step(database, "account_hold",
                     "SELECT data_import.account_hold($1, $2, $3) "
                     "FROM set_config('data_import.operator', $4, true)",
                     account, {is_held ? "t" : "f", author}, deadline)
        .boolean(0, 0);
}

std::optional<std::int64_t> erase_account(database::Database& database, const AccountName& account,
                                          const std::string& author, database::Deadline deadline) {
    const database::Rows rows = take_step(database, "account_erase",
                                          "SELECT data_import.account_erase($1, $2) "
                                          "FROM set_config('data_import.operator', $3, true)",
                                          account, {author}, deadline);
    return rows.is_null(0, 0) ? std::nullopt : std::optional(rows.integer(0, 0));
}

std::vector<std::string> accounts_not_failed(database::Database& database, const std::string& import_supplier,
                                             const std::vector<std::string>& numbers,
                                             database::Deadline deadline) {
    database::ArrayText array;
    for (const std::string& number : numbers) array.add(number);
    return database
        .execute({.name = "accounts_not_failed",
                  .sql = "SELECT data_import.accounts_not_failed($1, $2)",
                  .parameters = {import_supplier, array.take()}},
                 deadline)
        .texts();
}

RetriedSlice retry_slice(database::Database& database, const RetryFilter& filter, const std::string& after,
                         const std::string& author, database::Deadline deadline) {
    database.execute({.name = "name_operator",
                      .sql = "SELECT set_config('data_import.operator', $1, true)",
                      .parameters = {author}},
                     deadline);
    const database::Rows rows = database.execute(
        {.name = "retry_failed_accounts",
         .sql = "SELECT accounts, last_number FROM data_import.retry_failed_accounts($1, $2, $3, $4)",
         .parameters = {filter.import_supplier, filter.reason_like, after, accounts_at_once}},
        deadline);
    return {static_cast<std::uint64_t>(rows.integer(0, 0)), rows.optional_text(0, 1)};
}

void need_ongoing_supplier(database::Database& database, const std::string& import_supplier,
                           database::Deadline deadline) {
    database.execute({.name = "need_ongoing_supplier",
                      .sql = "SELECT data_import.need_ongoing_supplier($1)",
                      .parameters = {import_supplier}},
                     deadline);
}

std::uint64_t count_failed_accounts(database::Database& database, const RetryFilter& filter,
                                    database::Deadline deadline) {
    return static_cast<std::uint64_t>(
        database
            .execute({.name = "count_failed_accounts",
                      .sql = "SELECT data_import.count_failed_accounts($1, $2)",
                      .parameters = {filter.import_supplier, filter.reason_like}},
                     deadline)
            .integer(0, 0));
}

// A slice with an unknown outcome is not retried. If it was committed, its accounts are no longer failed, so
// a retry would stage the accounts after them, and the committed ones would be missing in the count.
std::uint64_t retry_failed_accounts(database::Database& database, const RetryFilter& filter,
                                    const std::string& author,
                                    const std::function<void(std::uint64_t accounts, double fraction)>& done,
                                    database::Deadline deadline) {
    const auto all = static_cast<double>(count_failed_accounts(database, filter, deadline));
    std::uint64_t accounts = 0;
    RetriedSlice slice;
    do {
        const std::string after = slice.last_number.value_or("");
        database.transaction([&] { slice = retry_slice(database, filter, after, author, deadline); },
                             deadline);
        accounts += slice.accounts;
        done(accounts, std::min(static_cast<double>(accounts) / std::max(all, 1.0), 1.0));
    } while (slice.last_number);
    return accounts;
}

}  // namespace data_import::store

#include "store/accounts.h"

#include <map>
#include <string>

#include "database/array_text.h"
#include "store/column_text.h"
#include "store/copy_row.h"
#include "store/open_accounts.h"

namespace data_import::store {

namespace {

const char* condition(Listed listed) {
    switch (listed) {
        case Listed::pending:
            return " AND state <> 'imported'";
        case Listed::imported:
            return " AND state = 'imported'";
        case Listed::all:
            break;
    }
    return "";
}

enum FailedColumn : std::size_t { account_key, external_account_number, since, reason };

/// By account key.
using Attempts = std::map<std::string, std::string, std::less<>>;

// An account that was loaded as failed has had an attempt elsewhere.
constexpr std::string_view is_attempt =
    "(step.state = 'in_progress' OR (step.number = 1 AND step.state = 'failed'))";

database::Call count_attempts(const database::Rows& failed) {
    static const std::string sql =
        "SELECT account_key, count(*) FROM data_import.account_step AS step "
        "WHERE account_key = ANY ($1::uuid[]) AND " +
        std::string(is_attempt) + " GROUP BY account_key";
    database::ArrayText keys;
    for (std::size_t row = 0; row < failed.size(); ++row) keys.add(failed.text(row, account_key));
    return {.name = "count_attempts", .sql = sql.c_str(), .parameters = {keys.take()}};
}

Attempts read_attempts(const database::Rows& rows) {
    Attempts attempts;
    for (std::size_t row = 0; row < rows.size(); ++row)
        attempts.emplace(rows.text(row, 0), rows.text(row, 1));
    return attempts;
}

FailedAccount failed_account(const database::Rows& rows, std::size_t row, const Attempts& attempts) {
    const auto known = attempts.find(rows.text(row, account_key));
    return {.external_account_number = rows.text(row, external_account_number),
            .reason = rows.is_null(row, reason) ? std::nullopt : std::optional(rows.text(row, reason)),
            .failed_at = to_rfc3339(rows.text(row, since)),
            .attempts = known == attempts.end() ? std::string_view("0") : known->second};
}

}  // namespace

std::string count_of_attempts() {
    return "SELECT count(*) FROM data_import.account_step AS step "
           "WHERE step.account_key = account.account_key AND " +
           std::string(is_attempt);
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
    return AccountStatus{std::string(rows.text(0, 0)), std::string(rows.text(0, 1))};
}

// COPY is the fastest way to many rows, but takes no parameters.
void list_accounts(database::Database& database, std::string_view import_supplier, Listed listed,
                   const std::function<void(const ListedAccount&)>& each, database::Deadline deadline,
                   std::string_view request) {
    const std::string sql =
        "COPY (SELECT external_account_number, service_account_number, account_created_at "
        "FROM data_import.account WHERE import_supplier = " +
        database.quote_literal(import_supplier) + condition(listed) +
        " ORDER BY external_account_number) TO STDOUT";
    CopyRow fields;
    std::string created_at;
    const auto sink = [&](std::string_view row) {
        fields.read(row, 3);
        ListedAccount account{fields.text(0), fields.optional(1), std::nullopt};
        if (const auto created = fields.optional(2))
            account.account_created_at = created_at = to_rfc3339(*created);
        each(account);
    };
    database.copy_out(sql, sink, deadline, request);
}

void list_failed_accounts(database::Database& database, std::string_view import_supplier,
                          const std::function<void(const FailedAccount&)>& each, database::Deadline deadline,
                          std::string_view request) {
    const std::string supplier(import_supplier);
    database.transaction(
        [&] {
            database.execute_script("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY", deadline);
            std::string last;
            for (std::size_t found = open_accounts_at_once; found == open_accounts_at_once;) {
                const database::Rows rows = database.execute(
                    find_next_open_accounts(supplier, OpenState::failed, std::nullopt, last), deadline);
                found = rows.size();
                if (found == 0) break;
                const Attempts attempts = read_attempts(database.execute(count_attempts(rows), deadline));
                for (std::size_t row = 0; row < found; ++row) each(failed_account(rows, row, attempts));
                last = rows.text(found - 1, external_account_number);
            }
        },
        deadline, request);
}

}  // namespace data_import::store

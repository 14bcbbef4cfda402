#include "store/accounts.h"

#include <string>

#include "store/copy_row.h"
#include "store/timestamp.h"

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

}  // namespace

// An account that was loaded as failed has had an attempt elsewhere.
std::string count_of_attempts() {
    return "SELECT count(*) FROM data_import.account_step AS step WHERE step.account_key = "
           "account.account_key "
           "AND (step.state = 'in_progress' OR (step.number = 1 AND step.state = 'failed'))";
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
    // jit: to compile takes longer than most of whom this is for read
    const std::string sql =
        "SET LOCAL jit = off; COPY (SELECT external_account_number, failure_reason, state_changed_at, (" +
        count_of_attempts() +
        ") FROM data_import.account WHERE import_supplier = " + database.quote_literal(import_supplier) +
        " AND state = 'failed' ORDER BY external_account_number) TO STDOUT";
    CopyRow fields;
    const auto sink = [&](std::string_view row) {
        fields.read(row, 4);
        each({.external_account_number = fields.text(0),
              .reason = fields.optional(1),
              .failed_at = to_rfc3339(fields.text(2)),
              .attempts = fields.text(3)});
    };
    database.copy_out(sql, sink, deadline, request);
}

}  // namespace data_import::store

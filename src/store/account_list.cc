#include "store/account_list.h"

#include <algorithm>

#include "records/kinds.h"
#include "store/accounts.h"
#include "store/column_text.h"
#include "store/copy_row.h"
#include "store/open_accounts.h"
#include "database/array_text.h"

namespace data_import::store {

namespace {

enum Column : std::size_t { external_account_number, state, reason, since, attempts, first_kind };

std::string records_of(const records::Kind& kind, std::string_view what) {
    return "SELECT " + std::string(what) + " FROM data_import." + std::string(kind.table) +
           " AS record WHERE record.account_key = account.account_key";
}

std::string columns() {
    std::string sql =
        "external_account_number, state, failure_reason, state_changed_at, (" + count_of_attempts() + ")";
    for (const records::Kind& kind : records::kinds()) sql += ", (" + records_of(kind, "count(*)") + ")";
    return sql;
}

std::string conditions(database::Database& database, const AccountFilter& filter) {
    std::string sql = "import_supplier = " + database.quote_literal(filter.import_supplier);
    if (filter.state) sql += " AND state = " + database.quote_literal(*filter.state);
    if (filter.since)
        sql += " AND state_changed_at >= " + database.quote_literal(*filter.since) + "::timestamptz";
    if (filter.running_hours) {
        sql += " AND state = 'in_progress' AND state_changed_at < now() - make_interval(hours => " +
               database.quote_literal(*filter.running_hours) + "::integer)";
    }
    if (filter.without) {
        const records::Kind& kind = records::kind_of(*filter.without);
        sql += " AND state = 'imported' AND NOT EXISTS (" + records_of(kind, "1") + ")";
    }
    return sql;
}

/// The state of the open accounts to which the filter narrows the list; nothing if it does not.
std::optional<OpenState> open_state(const AccountFilter& filter) {
    if (filter.running_hours || filter.state == "in_progress") return OpenState::in_progress;
    return filter.state == "failed" ? std::optional(OpenState::failed) : std::nullopt;
}

/// A condition for the accounts of these rows.
std::string among(const database::Rows& open) {
    database::ArrayText keys;
    for (std::size_t row = 0; row < open.size(); ++row) keys.add(open.text(row, 0));
    return " AND account_key = ANY ('" + keys.take() + "'::uuid[])";
}

/// One COPY, which is the fastest way to many rows, but takes no parameters.
class AccountCopy {
public:
    AccountCopy(database::Database& database, const AccountFilter& filter,
                const std::function<void(const AccountSummary&)>& each, database::Deadline deadline)
        : database_(database), each_(each), deadline_(deadline), conditions_(conditions(database, filter)) {}

    void run(const std::string& further_condition) {
        const std::string sql = "COPY (SELECT " + columns() + " FROM data_import.account WHERE " +
                                conditions_ + further_condition +
                                " ORDER BY external_account_number) TO STDOUT";
        database_.copy_out(
            sql, [this](std::string_view row) { tell(row); }, deadline_);
    }

private:
    void tell(std::string_view row) {
        const std::size_t kinds = records::kinds().size();
        fields_.read(row, first_kind + kinds);
        account_.external_account_number = fields_.text(external_account_number);
        account_.state = fields_.text(state);
        account_.reason = fields_.optional(reason);
        account_.since = to_rfc3339(fields_.text(since));
        account_.attempts = fields_.text(attempts);
        account_.records.clear();
        for (std::size_t kind = 0; kind < kinds; ++kind)
            account_.records.push_back(fields_.text(first_kind + kind));
        each_(account_);
    }

    database::Database& database_;
    const std::function<void(const AccountSummary&)>& each_;
    database::Deadline deadline_;
    std::string conditions_;
    CopyRow fields_;
    AccountSummary account_;
};

}  // namespace

// jit: its compilation for each kind is not worth the time. A plan that hashes all records would show nothing
// for minutes. The open accounts are found without reading all accounts.
void list_accounts(database::Database& database, const AccountFilter& filter,
                   const std::function<void(const AccountSummary&)>& each, database::Deadline deadline) {
    AccountCopy copy(database, filter, each, deadline);
    database.transaction(
        [&] {
            database.execute_script(
                "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0; "
                "SET LOCAL jit = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off",
                deadline);
            const auto open = open_state(filter);
            if (!open) return copy.run("");
            std::string last;
            for (std::size_t found = open_accounts_at_once; found == open_accounts_at_once;) {
                const database::Rows rows = database.execute(
                    find_next_open_accounts(filter.import_supplier, *open, filter.running_hours, last),
                    deadline);
                found = rows.size();
                if (found == 0) break;
                copy.run(among(rows));
                last = rows.text(found - 1, 1);
            }
        },
        deadline);
}

// BETWEEN the text and the text with the greatest character behind it are the numbers that begin with it.
std::vector<std::string> account_numbers(database::Database& database, const std::string& import_supplier,
                                         const std::string& beginning, std::size_t most,
                                         database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = "account_numbers",
         .sql = "SELECT external_account_number FROM data_import.account WHERE import_supplier = $1 AND "
                "external_account_number BETWEEN $2::text AND $2::text || chr(1114111) "
                "ORDER BY external_account_number LIMIT $3::bigint",
         .parameters = {import_supplier, beginning, std::to_string(most)}},
        deadline);
    std::vector<std::string> numbers;
    for (std::size_t row = 0; row < rows.size(); ++row) numbers.emplace_back(rows.text(row, 0));
    return numbers;
}

}  // namespace data_import::store

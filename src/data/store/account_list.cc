#include "data/store/account_list.h"

#include <map>

#include "data/database/array_text.h"
#include "data/records/kinds.h"
#include "data/store/snapshot.h"

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

// An SQL condition: the step began an attempt. The first step of an account that was loaded as failed counts,
// too: its attempt was made before the load, outside of this service.
constexpr std::string_view is_attempt =
    "(step.state = 'in_progress' OR (step.number = 1 AND step.state = 'failed'))";

std::string name_of(OpenState state) {
    return state == OpenState::failed ? "failed" : "in_progress";
}

enum OpenColumn : std::size_t { open_key, open_number, open_since, open_reason };

constexpr std::size_t open_accounts_at_once = 1000;

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

/// Passes the supplier's accounts that are in `state` to `each`, at most 1000 rows in a call, ordered by
/// external account number. A row has the columns that the enumeration OpenColumn names. With `hours`, passes
/// on only accounts whose state has lasted for longer than these hours. Needs a transaction with one
/// snapshot.
///
/// On Citus, an account may be on another server than the table of open accounts, so the rows come only from
/// this table. Callers read further data of these accounts by account key.
void visit_open_accounts(database::Database& database, std::string_view import_supplier, OpenState state,
                         const std::optional<std::string>& hours, database::Deadline deadline,
                         const std::function<void(const database::Rows&)>& each) {
    std::string last;
    for (std::size_t found = open_accounts_at_once; found == open_accounts_at_once;) {
        const database::Rows rows =
            database.execute(find_next_open_accounts(import_supplier, state, hours, last), deadline);
        found = rows.size();
        if (found == 0) break;
        each(rows);
        last = rows.text(found - 1, open_number);
    }
}

/// Returns the account keys of the rows as a PostgreSQL array.
std::string keys_of(const database::Rows& open) {
    database::ArrayText keys;
    for (std::size_t row = 0; row < open.size(); ++row) keys.add(open.text(row, open_key));
    return keys.take();
}

/// The numbers of attempts, by account key.
using Attempts = std::map<std::string, std::string, std::less<>>;

database::Call count_attempts(const database::Rows& failed) {
    return {.name = "count_attempts",
            .sql =
                "SELECT account_key, count(*) FROM data_import.account_step AS step "
                "WHERE account_key = ANY ($1::uuid[]) AND " +
                std::string(is_attempt) + " GROUP BY account_key",
            .parameters = {keys_of(failed)}};
}

Attempts read_attempts(const database::Rows& rows) {
    Attempts attempts;
    for (std::size_t row = 0; row < rows.size(); ++row)
        attempts.emplace(rows.text(row, 0), rows.text(row, 1));
    return attempts;
}

FailedAccount failed_account(const database::Rows& rows, std::size_t row, const Attempts& attempts) {
    const auto known = attempts.find(rows.text(row, open_key));
    return {
        .external_account_number = rows.text(row, open_number),
        .reason = rows.is_null(row, open_reason) ? std::nullopt : std::optional(rows.text(row, open_reason)),
        .failed_at = rows[row].time(open_since),
        .attempts = known == attempts.end() ? std::string_view("0") : known->second};
}

std::string records_of(const records::Kind& kind, std::string_view what) {
    return "SELECT " + std::string(what) + " FROM data_import." + std::string(kind.table) +
           " AS record WHERE record.account_key = account.account_key";
}

/// Returns the condition that leaves out records that the service itself made; empty if the kind has none.
std::string and_sent(const records::Kind& kind) {
    return kind.condition.empty() ? "" : " AND " + std::string(kind.condition);
}

std::string columns() {
    std::string sql =
        "external_account_number, state, failure_reason, state_changed_at, (SELECT count(*) FROM "
        "data_import.account_step AS step WHERE step.account_key = account.account_key AND " +
        std::string(is_attempt) + ")";
    for (const records::Kind& kind : records::kinds()) sql += ", (" + records_of(kind, "count(*)") + ")";
    return sql;
}

/// Returns the query for the accounts that the filter finds; with `account_keys`, a PostgreSQL array, only
/// among these.
database::Call select_accounts(const AccountFilter& filter, const std::optional<std::string>& account_keys) {
    database::Call call{.sql = "SELECT " + columns() + " FROM data_import.account WHERE import_supplier = $1",
                        .parameters = {filter.import_supplier}};
    const auto restrict = [&](const std::optional<std::string>& value, std::string_view condition,
                              std::string_view end) {
        if (!value) return;
        call.parameters.emplace_back(*value);
        ((((call.sql += " AND ") += condition) += '$') += std::to_string(call.parameters.size())) += end;
    };
    restrict(filter.state, "state = ", "");
    restrict(filter.since, "state_changed_at >= ", "::timestamptz");
    restrict(filter.running_hours,
             "state = 'in_progress' AND state_changed_at < now() - make_interval(hours => ", "::integer)");
    restrict(account_keys, "account_key = ANY (", "::uuid[])");
    if (filter.without) {
        const records::Kind& kind = records::kind_of(*filter.without);
        call.sql += " AND state = 'imported' AND NOT EXISTS (" + records_of(kind, "1") + and_sent(kind) + ")";
    }
    call.sql += " ORDER BY external_account_number";
    return call;
}

/// Returns the state that all accounts of the filter have, if it is `in_progress` or `failed`; otherwise
/// nothing.
std::optional<OpenState> open_state(const AccountFilter& filter) {
    if (filter.running_hours || filter.state == "in_progress") return OpenState::in_progress;
    return filter.state == "failed" ? std::optional(OpenState::failed) : std::nullopt;
}

class AccountListing {
public:
    AccountListing(database::Database& database, const AccountFilter& filter,
                   const std::function<void(const AccountSummary&)>& each, database::Deadline deadline)
        : database_(database), each_(each), deadline_(deadline), filter_(filter) {}

    /// Lists the accounts that the filter finds; with `account_keys`, only among these.
    void run(const std::optional<std::string>& account_keys) {
        database_.stream(
            select_accounts(filter_, account_keys), database::ValueFormat::text,
            [this](const database::StreamedRow& row) { tell(row); }, deadline_);
    }

private:
    enum Column : std::size_t { external_account_number, state, reason, since, attempts, first_kind };

    void tell(const database::StreamedRow& row) {
        account_.external_account_number = row.text(external_account_number);
        account_.state = row.text(state);
        account_.reason = row.optional(reason);
        account_.since = database::to_rfc3339(row.text(since));
        account_.attempts = row.text(attempts);
        account_.records.clear();
        for (std::size_t kind = 0; kind < records::kinds().size(); ++kind)
            account_.records.push_back(row.text(first_kind + kind));
        each_(account_);
    }

    database::Database& database_;
    const std::function<void(const AccountSummary&)>& each_;
    database::Deadline deadline_;
    const AccountFilter& filter_;
    AccountSummary account_;
};

/// Returns a call that finds the supplier's imported accounts without records of the kind. The SQL of the
/// call begins with FROM; the caller puts a SELECT list in front of it. `what` is the first part of the
/// call's name. In the SQL, $1 is the supplier.
database::Call ask_for_accounts_without(std::string_view what, std::string_view import_supplier,
                                        std::string_view kind) {
    const records::Kind& known = records::kind_of(kind);
    const std::string table(known.table);
    return {.name = std::string(what) + "_accounts_without_" + table,
            .sql = " FROM data_import.account LEFT JOIN data_import." + table +
                   " AS record ON record.account_key = account.account_key" + and_sent(known) +
                   " WHERE account.import_supplier = $1 AND account.state = 'imported' "
                   "AND record.account_key IS NULL",
            .parameters = {std::string(import_supplier)}};
}

}  // namespace

void list_accounts(database::Database& database, std::string_view import_supplier, Listed listed,
                   const std::function<void(const ListedAccount&)>& each, database::Deadline deadline,
                   std::string_view request) {
    const database::Call call{
        .sql =
            "SELECT external_account_number, service_account_number, account_created_at "
            "FROM data_import.account WHERE import_supplier = $1" +
            std::string(condition(listed)) + " ORDER BY external_account_number",
        .parameters = {std::string(import_supplier)}};
    std::string created_at;
    const auto read = [&](const database::StreamedRow& row) {
        ListedAccount account{row.text(0), row.optional(1), std::nullopt};
        if (const auto created = row.optional(2))
            account.account_created_at = created_at = database::to_rfc3339(*created);
        each(account);
    };
    database.transaction([&] { database.stream(call, database::ValueFormat::text, read, deadline); },
                         deadline, request);
}

void list_failed_accounts(database::Database& database, std::string_view import_supplier,
                          const std::function<void(const FailedAccount&)>& each, database::Deadline deadline,
                          std::string_view request) {
    const auto tell = [&](const database::Rows& rows) {
        const Attempts attempts = read_attempts(database.execute(count_attempts(rows), deadline));
        for (std::size_t row = 0; row < rows.size(); ++row) each(failed_account(rows, row, attempts));
    };
    database.transaction(
        [&] {
            begin_snapshot(database, "SET TRANSACTION READ ONLY", deadline);
            visit_open_accounts(database, import_supplier, OpenState::failed, std::nullopt, deadline, tell);
        },
        deadline, request);
}

// Hash and merge joins are off, because with them the first account would come only after minutes. Accounts
// that are failed or in progress are read from the table of open accounts, without reading all accounts.
void list_accounts(database::Database& database, const AccountFilter& filter,
                   const std::function<void(const AccountSummary&)>& each, database::Deadline deadline) {
    AccountListing listing(database, filter, each, deadline);
    database.transaction(
        [&] {
            begin_snapshot(database,
                           "SET TRANSACTION READ ONLY; SET LOCAL statement_timeout = 0; SET LOCAL "
                           "enable_hashjoin = off; "
                           "SET LOCAL enable_mergejoin = off",
                           deadline);
            const auto open = open_state(filter);
            if (!open) return listing.run(std::nullopt);
            visit_open_accounts(database, filter.import_supplier, *open, filter.running_hours, deadline,
                                [&](const database::Rows& rows) { listing.run(keys_of(rows)); });
        },
        deadline);
}

database::Call list_accounts_without(std::string_view import_supplier, std::string_view kind,
                                     std::size_t most) {
    database::Call call = ask_for_accounts_without("list", import_supplier, kind);
    call.sql = "SELECT account.external_account_number" + call.sql +
               " ORDER BY account.external_account_number LIMIT $2";
    call.parameters.emplace_back(std::to_string(most));
    return call;
}

database::Call count_accounts_without(std::string_view import_supplier, std::string_view kind) {
    database::Call call = ask_for_accounts_without("count", import_supplier, kind);
    call.sql.insert(0, "SELECT count(*)");
    return call;
}

database::Call list_open_accounts(std::string_view import_supplier, OpenState state, std::size_t most) {
    return {.name = "list_open_accounts",
            .sql =
                "SELECT external_account_number, since, reason "
                "FROM data_import.open_accounts(ARRAY[$1], $2, $3::integer)",
            .parameters = {std::string(import_supplier), name_of(state), std::to_string(most)}};
}

std::vector<OpenAccount> read_open_accounts(const database::Rows& rows) {
    return rows.each([](const database::Row& row) {
        return OpenAccount{row.text(0), row.time(1), row.optional_text(2)};
    });
}

}  // namespace data_import::store

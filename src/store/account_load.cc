#include "store/account_load.h"

#include <algorithm>
#include <utility>

namespace data_import::store {

namespace {

// work_mem: sorts and hashes over a million rows would go to disk with the default
constexpr const char* temporary_tables = R"(
SET LOCAL work_mem = '64MB';
CREATE TEMPORARY TABLE account_load (
    line                    bigint NOT NULL,
    external_account_number text COLLATE "C" NOT NULL,
    state                   text NOT NULL,
    service_account_number  text COLLATE "C",
    account_created_at      timestamptz,
    first_day               date,
    last_day                date
) ON COMMIT DROP;
CREATE TEMPORARY TABLE account_plan (
    line                    bigint NOT NULL,
    account_key             uuid NOT NULL,
    external_account_number text COLLATE "C" NOT NULL,
    state                   text NOT NULL,
    state_before            text,
    service_account_number  text COLLATE "C",
    number_is_drawn         boolean NOT NULL,
    account_created_at      timestamptz,
    values_differ           boolean,
    first_day               date,
    last_day                date
) ON COMMIT DROP;
CREATE TEMPORARY TABLE account_load_error (
    line     bigint NOT NULL,
    sentence text NOT NULL
) ON COMMIT DROP;
)";

constexpr const char* plan_accounts = R"(
INSERT INTO pg_temp.account_plan
SELECT line, account_key, load.external_account_number, load.state, account.state,
       CASE WHEN number_is_drawn THEN data_import.draw_service_account_number() ELSE load.service_account_number END,
       number_is_drawn, load.account_created_at,
       account.service_account_number <> load.service_account_number
           OR account.account_created_at <> load.account_created_at,
       first_day, last_day
FROM (SELECT account_load.*, data_import.account_key($1, external_account_number) AS account_key
      FROM pg_temp.account_load OFFSET 0) AS load
LEFT JOIN data_import.account USING (account_key)
CROSS JOIN LATERAL (SELECT load.state = 'imported' AND load.service_account_number IS NULL
                           AND account.state IS DISTINCT FROM 'imported') AS drawing (number_is_drawn)
)";

// the sentences are those of the account_* functions
constexpr const char* judge_plan = R"(
INSERT INTO pg_temp.account_load_error
SELECT line, format('external_account_number %s stands on line %s already', external_account_number, first_line)
FROM (SELECT account_key, min(line) AS first_line FROM pg_temp.account_plan
      GROUP BY account_key HAVING count(*) > 1) AS repeated
JOIN pg_temp.account_plan USING (account_key) WHERE line > first_line
UNION ALL
SELECT line, format('service_account_number %s stands on line %s already', service_account_number, first_line)
FROM (SELECT service_account_number, min(line) AS first_line FROM pg_temp.account_plan
      WHERE service_account_number IS NOT NULL AND NOT number_is_drawn
      GROUP BY service_account_number HAVING count(*) > 1) AS repeated
JOIN pg_temp.account_plan USING (service_account_number) WHERE line > first_line AND NOT number_is_drawn
UNION ALL
SELECT line, format('service_account_number %s belongs to another account, %s of %s', plan.service_account_number,
                    account.external_account_number, account.import_supplier)
FROM pg_temp.account_plan AS plan
JOIN data_import.account ON account.service_account_number = plan.service_account_number
                        AND account.account_key <> plan.account_key
WHERE NOT number_is_drawn
UNION ALL
SELECT line, format('account %s is %s: it cannot %s', external_account_number, replace(state_before, '_', ' '),
                    CASE state WHEN 'staged' THEN 'be staged' WHEN 'in_progress' THEN 'begin'
                               WHEN 'failed' THEN 'fail' ELSE 'be completed' END
                    || CASE WHEN state = state_before THEN ' with other values' ELSE '' END)
FROM pg_temp.account_plan
WHERE CASE state WHEN 'staged' THEN state_before IN ('in_progress', 'imported')
                 WHEN 'in_progress' THEN state_before = 'imported'
                 WHEN 'failed' THEN state_before IN ('staged', 'imported')
                 ELSE state_before = 'failed' OR (state_before = 'imported' AND values_differ) END
UNION ALL
SELECT line, format('account %s is not known yet, and import supplier %s is %s, not Ongoing',
                    external_account_number, $1::text, $2::text)
FROM pg_temp.account_plan WHERE state_before IS NULL AND $2::text <> 'Ongoing'
)";

constexpr const char* insert_accounts_of_lines = R"(
INSERT INTO data_import.account (account_key, import_supplier, external_account_number, state, service_account_number,
                                 account_created_at, failure_reason)
SELECT account_key, $1, external_account_number, state, service_account_number,
       CASE WHEN state = 'imported' THEN coalesce(account_created_at, clock_timestamp()) END,
       CASE WHEN state = 'failed' THEN 'loaded as failed' END
FROM pg_temp.account_plan WHERE state_before IS NULL AND line > $2 AND line <= $3
)";

constexpr std::uint64_t lines_at_once =
    50'000;  // some seconds at most, so that somebody who waits sees progress

constexpr const char* move_accounts = R"(
UPDATE data_import.account
SET state = plan.state, service_account_number = plan.service_account_number,
    account_created_at = CASE WHEN plan.state = 'imported'
                              THEN coalesce(plan.account_created_at, clock_timestamp()) END,
    failure_reason = CASE WHEN plan.state = 'failed' THEN 'loaded as failed' END,
    state_changed_at = clock_timestamp()
FROM pg_temp.account_plan AS plan
WHERE account.account_key = plan.account_key AND plan.state_before <> plan.state
)";

// the rest of what data_import.record_account_step does for a single step; in the order of the keys as below
constexpr const char* record_account_steps = R"(
INSERT INTO data_import.account_step (account_key, number, state, author, reason)
SELECT account_key,
       CASE WHEN state_before IS NULL THEN 1
            ELSE (SELECT coalesce(max(number), 0) + 1 FROM data_import.account_step AS step
                  WHERE step.account_key = plan.account_key) END,
       state, (SELECT data_import.step_author()), CASE WHEN state = 'failed' THEN 'loaded as failed' END
FROM pg_temp.account_plan AS plan WHERE state_before IS DISTINCT FROM state
ORDER BY account_key
)";

constexpr const char* count_account_steps = R"(
INSERT INTO data_import.import_receipt (import_supplier, kind, value, at)
SELECT $1, 'account_' || change.state, change.accounts, clock_timestamp()
FROM (SELECT state, count(*) FROM pg_temp.account_plan WHERE state_before IS DISTINCT FROM state GROUP BY state
      UNION ALL
      SELECT state_before, -count(*) FROM pg_temp.account_plan WHERE state_before <> state GROUP BY state_before
     ) AS change (state, accounts)
)";

// an account's period is opened as data_import.statement_open does it
constexpr const char* close_statement_periods = R"(
UPDATE data_import.statement_period AS period SET closed_at = clock_timestamp()
FROM pg_temp.account_plan AS plan
WHERE period.account_key = plan.account_key AND period.closed_at IS NULL AND plan.first_day IS NOT NULL
  AND (period.first_day, period.last_day) IS DISTINCT FROM (plan.first_day, plan.last_day)
)";

constexpr const char* reopen_statement_periods = R"(
WITH reopened AS (
    UPDATE data_import.statement_period AS period
    SET last_day = plan.last_day, opened_at = clock_timestamp(), closed_at = NULL
    FROM pg_temp.account_plan AS plan
    WHERE period.account_key = plan.account_key AND period.first_day = plan.first_day AND period.closed_at IS NOT NULL
    RETURNING 1
)
SELECT count(*) FROM reopened
)";

// in the order of the keys, because a million random places in two indexes take three times as long
constexpr const char* insert_statement_periods = R"(
WITH opened AS (
    INSERT INTO data_import.statement_period (account_key, first_day, last_day)
    SELECT account_key, first_day, last_day FROM pg_temp.account_plan AS plan
    WHERE first_day IS NOT NULL
      AND NOT EXISTS (SELECT FROM data_import.statement_period AS period
                      WHERE period.account_key = plan.account_key AND period.first_day = plan.first_day)
    ORDER BY account_key
    RETURNING 1
)
SELECT count(*) FROM opened
)";

void append_field(std::string& text, std::string_view value) {
    if (value.empty()) {
        text += "\\N";
        return;
    }
    for (const char byte : value) {
        if (byte == '\\') text += '\\';
        text += byte;
    }
}

}  // namespace

void append_copy_row(std::string& text, const LoadedAccount& account) {
    text += std::to_string(account.line);
    for (const std::string_view value :
         {account.external_account_number, account.state, account.service_account_number,
          account.account_created_at, account.statement_first_day, account.statement_last_day}) {
        text += '\t';
        append_field(text, value);
    }
    text += '\n';
}

AccountLoad::AccountLoad(database::Database& database, std::string import_supplier, const std::string& author,
                         database::Deadline deadline)
    : database_(database), import_supplier_(std::move(import_supplier)), deadline_(deadline) {
    const database::Rows rows =
        database_.execute({.name = "hold_supplier",
                           .sql = "SELECT status FROM data_import.import_supplier WHERE code = $1 FOR SHARE",
                           .parameters = {import_supplier_}},
                          deadline_);
    database_.execute({.name = "name_operator",
                       .sql = "SELECT set_config('data_import.operator', $1, true)",
                       .parameters = {author}},
                      deadline_);
    if (rows.size() == 0) throw database::Refused("DI001", "there is no import supplier " + import_supplier_);
    supplier_status_ = rows.text(0, 0);
    database_.execute_script(temporary_tables, deadline_);
}

void AccountLoad::copy(const std::function<bool(std::string&)>& source) {
    database_.copy_in("COPY pg_temp.account_load FROM STDIN", source, deadline_);
    database_.execute_script("ANALYZE pg_temp.account_load", deadline_);
}

void AccountLoad::plan() {
    database_.execute_script("LOCK TABLE data_import.account IN SHARE ROW EXCLUSIVE MODE", deadline_);
    database_.execute({.name = "plan_accounts", .sql = plan_accounts, .parameters = {import_supplier_}},
                      deadline_);
    database_.execute_script(
        "TRUNCATE pg_temp.account_load; ANALYZE pg_temp.account_plan; "
        "CREATE INDEX ON pg_temp.account_plan USING brin (line) WITH (pages_per_range = 32)",
        deadline_);
}

LoadErrors AccountLoad::judge(std::size_t most_errors) {
    plan();
    database_.execute(
        {.name = "judge_account_plan", .sql = judge_plan, .parameters = {import_supplier_, supplier_status_}},
        deadline_);
    const database::Rows rows =
        database_.execute({.name = "account_load_errors",
                           .sql = "SELECT line, sentence, count(*) OVER () FROM "
                                  "pg_temp.account_load_error ORDER BY line, sentence LIMIT $1",
                           .parameters = {std::to_string(most_errors)}},
                          deadline_);
    LoadErrors errors;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        errors.first.push_back(
            {static_cast<std::uint64_t>(rows.integer(row, 0)), std::string(rows.text(row, 1))});
        errors.count = static_cast<std::uint64_t>(rows.integer(row, 2));
    }
    return errors;
}

LoadCounts AccountLoad::store(const LoadProgress& progress) {
    LoadCounts counts = count();
    progress.phase("storing accounts");
    replace_taken_numbers();
    insert_accounts(progress);
    progress.phase("moving accounts");
    database_.execute({.name = "move_loaded_accounts", .sql = move_accounts}, deadline_);
    progress.phase("recording what was done");
    record_steps();
    progress.phase("opening statement periods");
    counts.statement_periods_opened = open_statement_periods();
    return counts;
}

void AccountLoad::record_steps() {
    database_.execute({.name = "record_account_steps", .sql = record_account_steps}, deadline_);
    database_.execute(
        {.name = "count_account_steps", .sql = count_account_steps, .parameters = {import_supplier_}},
        deadline_);
}

void AccountLoad::insert_accounts(const LoadProgress& progress) {
    const auto last = static_cast<std::uint64_t>(
        database_
            .execute({.name = "last_planned_line",
                      .sql = "SELECT coalesce(max(line), 0) FROM pg_temp.account_plan"},
                     deadline_)
            .integer(0, 0));
    for (std::uint64_t done = 0; done < last;) {
        const std::uint64_t end = std::min(done + lines_at_once, last);
        database_.execute({.name = "insert_loaded_accounts",
                           .sql = insert_accounts_of_lines,
                           .parameters = {import_supplier_, std::to_string(done), std::to_string(end)}},
                          deadline_);
        done = end;
        progress.lines_done(done, static_cast<double>(done) / static_cast<double>(last));
    }
}

/// A drawn number may be one that somebody has chosen, in an account or in the file: those are drawn again.
void AccountLoad::replace_taken_numbers() {
    const database::Call call{
        .name = "replace_taken_numbers",
        .sql =
            "WITH taken AS (SELECT plan.account_key FROM pg_temp.account_plan AS plan "
            "JOIN data_import.account USING (service_account_number) WHERE plan.number_is_drawn "
            "UNION SELECT plan.account_key FROM pg_temp.account_plan AS plan "
            "JOIN pg_temp.account_plan AS chosen USING (service_account_number) "
            "WHERE plan.number_is_drawn AND NOT chosen.number_is_drawn), "
            "replaced AS (UPDATE pg_temp.account_plan AS plan "
            "SET service_account_number = data_import.draw_service_account_number() "
            "FROM taken WHERE plan.account_key = taken.account_key RETURNING 1) "
            "SELECT count(*) FROM replaced"};
    while (database_.execute(call, deadline_).integer(0, 0) > 0) {
    }
}

LoadCounts AccountLoad::count() {
    const database::Rows rows =
        database_.execute({.name = "count_account_plan",
                           .sql = "SELECT count(*) FILTER (WHERE state_before IS NULL), count(*) FILTER "
                                  "(WHERE state_before <> state), "
                                  "count(*) FILTER (WHERE state_before = state) FROM pg_temp.account_plan"},
                          deadline_);
    return {.created = static_cast<std::uint64_t>(rows.integer(0, 0)),
            .moved = static_cast<std::uint64_t>(rows.integer(0, 1)),
            .unchanged = static_cast<std::uint64_t>(rows.integer(0, 2))};
}

std::uint64_t AccountLoad::open_statement_periods() {
    database_.execute({.name = "close_other_statement_periods", .sql = close_statement_periods}, deadline_);
    const database::Rows reopened =
        database_.execute({.name = "reopen_statement_periods", .sql = reopen_statement_periods}, deadline_);
    const database::Rows opened =
        database_.execute({.name = "insert_statement_periods", .sql = insert_statement_periods}, deadline_);
    return static_cast<std::uint64_t>(reopened.integer(0, 0) + opened.integer(0, 0));
}

void analyze_accounts(database::Database& database, database::Deadline deadline) {
    database.execute_script(
        "ANALYZE data_import.account, data_import.account_step, data_import.statement_period", deadline);
}

}  // namespace data_import::store

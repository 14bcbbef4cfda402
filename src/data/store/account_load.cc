#include "data/store/account_load.h"

#include <algorithm>
#include <utility>

#include "data/database/copy_row.h"

namespace data_import::store {

namespace {

// Creates the temporary tables of a load. work_mem is larger than usual, because a million rows are sorted.
constexpr const char* temporary_tables = R"(
SET LOCAL work_mem = '64MB';
CREATE TEMPORARY TABLE account_load_row (
    line                    bigint NOT NULL,
    external_account_number text COLLATE "C" NOT NULL,
    state                   text NOT NULL,
    service_account_number  text COLLATE "C",
    account_created_at      timestamptz,
    first_day               date,
    last_day                date
) ON COMMIT DROP;
CREATE TEMPORARY TABLE account_load_step (
    place       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_key uuid NOT NULL,
    LIKE account_load_row
) ON COMMIT DROP;
CREATE TEMPORARY TABLE account_load_error (
    line     bigint NOT NULL,
    sentence text NOT NULL
) ON COMMIT DROP;
)";

constexpr const char* refuse_duplicate_numbers = R"(
WITH repeated AS (
    SELECT line, format('external_account_number %s stands on line %s already', external_account_number, first_line)
    FROM (SELECT external_account_number, min(line) AS first_line FROM pg_temp.account_load_row
          GROUP BY external_account_number HAVING count(*) > 1) AS number
    JOIN pg_temp.account_load_row USING (external_account_number) WHERE line > first_line
    UNION ALL
    SELECT line, format('service_account_number %s stands on line %s already', service_account_number, first_line)
    FROM (SELECT service_account_number, min(line) AS first_line FROM pg_temp.account_load_row
          GROUP BY service_account_number HAVING count(*) > 1) AS number
    JOIN pg_temp.account_load_row USING (service_account_number) WHERE line > first_line
), refused AS (
    INSERT INTO pg_temp.account_load_error SELECT * FROM repeated
)
DELETE FROM pg_temp.account_load_row WHERE line IN (SELECT line FROM repeated)
)";

// Copies the rows into account_load_step in the order in which they are stored: first rows with a
// service_account_number, then the others, each group in the order of the account keys.
//
// Rows with a number are stored first, so that the service cannot give one of these numbers to an account
// without a number. Without the order of the keys, a million insertions at random places of several indexes
// would take three times as long.
constexpr const char* order_account_rows = R"(
INSERT INTO pg_temp.account_load_step (account_key, line, external_account_number, state, service_account_number,
                                       account_created_at, first_day, last_day)
SELECT data_import.account_key($1, external_account_number), account_load_row.* FROM pg_temp.account_load_row
ORDER BY service_account_number IS NULL, 1
)";

// The length of a slice. A slice takes a second at most, so that the operator sees progress.
constexpr std::uint64_t steps_at_once = 20'000;

constexpr const char* move_account_slice = R"(
WITH slice AS (
    SELECT array_agg(line) AS lines, array_agg(account_key) AS account_keys,
           array_agg(external_account_number) AS external_account_numbers, array_agg(state) AS states,
           array_agg(service_account_number) AS service_account_numbers,
           array_agg(account_created_at) AS account_created_at,
           array_agg(first_day) AS first_days, array_agg(last_day) AS last_days
    FROM pg_temp.account_load_step WHERE place > $2 AND place <= $3
), done AS MATERIALIZED (
    SELECT slice.lines, done.*
    FROM slice
    CROSS JOIN data_import.move_accounts($1, account_keys, external_account_numbers, states, service_account_numbers,
                                         account_created_at, NULL, first_days, last_days, true) AS done
), refused AS (
    INSERT INTO pg_temp.account_load_error
    SELECT lines[place], sentence FROM done CROSS JOIN unnest(refused, sentences) AS refusal (place, sentence)
)
SELECT created, moved, unchanged, statement_periods_opened FROM done
)";

std::optional<std::string_view> unless_empty(std::string_view text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace

void append_copy_row(std::string& text, const LoadedAccount& account) {
    database::append_copy_row(
        text, {std::to_string(account.line), account.external_account_number, account.state,
               unless_empty(account.service_account_number), unless_empty(account.account_created_at),
               unless_empty(account.statement_first_day), unless_empty(account.statement_last_day)});
}

LoadErrors read_load_errors(const database::Rows& rows) {
    LoadErrors errors;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        errors.first.push_back(
            {static_cast<std::uint64_t>(rows.integer(row, 0)), std::string(rows.text(row, 1))});
        errors.count = static_cast<std::uint64_t>(rows.integer(row, 2));
    }
    return errors;
}

AccountLoad::AccountLoad(database::Database& database, std::string import_supplier, const std::string& author,
                         database::Deadline deadline)
    : database_(database), import_supplier_(std::move(import_supplier)), deadline_(deadline) {
    database_.execute_script(temporary_tables, deadline_);
    database_.execute({.name = "name_operator",
                       .sql = "SELECT set_config('data_import.operator', $1, true)",
                       .parameters = {author}},
                      deadline_);
    const database::Rows rows =
        database_.execute({.name = "hold_supplier",
                           .sql = "SELECT code FROM data_import.import_supplier WHERE code = $1 FOR SHARE",
                           .parameters = {import_supplier_}},
                          deadline_);
    if (rows.size() == 0) throw database::Refused("DI001", "there is no import supplier " + import_supplier_);
}

void AccountLoad::copy(const std::function<bool(std::string&)>& source) {
    database_.copy_in("COPY pg_temp.account_load_row FROM STDIN", source, deadline_);
}

void AccountLoad::refuse_duplicates() {
    database_.execute({.name = "refuse_duplicate_numbers", .sql = refuse_duplicate_numbers}, deadline_);
}

LoadCounts AccountLoad::move(const std::function<void(std::uint64_t lines, double fraction)>& lines_done) {
    database_.execute_script("LOCK TABLE data_import.account IN SHARE ROW EXCLUSIVE MODE", deadline_);
    const std::uint64_t steps = order_rows();
    LoadCounts counts;
    for (std::uint64_t done = 0; done < steps;) {
        const std::uint64_t end = std::min(done + steps_at_once, steps);
        move_slice(done, end, counts);
        done = end;
        lines_done(done, static_cast<double>(done) / static_cast<double>(steps));
    }
    return counts;
}

std::uint64_t AccountLoad::order_rows() {
    database_.execute(
        {.name = "order_account_rows", .sql = order_account_rows, .parameters = {import_supplier_}},
        deadline_);
    const database::Rows rows = database_.execute(
        {.name = "last_account_step", .sql = "SELECT coalesce(max(place), 0) FROM pg_temp.account_load_step"},
        deadline_);
    return static_cast<std::uint64_t>(rows.integer(0, 0));
}

void AccountLoad::move_slice(std::uint64_t after, std::uint64_t last, LoadCounts& counts) {
    const database::Rows rows =
        database_.execute({.name = "move_account_slice",
                           .sql = move_account_slice,
                           .parameters = {import_supplier_, std::to_string(after), std::to_string(last)}},
                          deadline_);
    std::size_t column = 0;
    for (std::uint64_t* count :
         {&counts.created, &counts.moved, &counts.unchanged, &counts.statement_periods_opened})
        *count += static_cast<std::uint64_t>(rows.integer(0, column++));
}

LoadErrors AccountLoad::errors(std::size_t most) {
    return read_load_errors(
        database_.execute({.name = "account_load_errors",
                           .sql = "SELECT line, sentence, count(*) OVER () FROM "
                                  "pg_temp.account_load_error ORDER BY line, sentence LIMIT $1",
                           .parameters = {std::to_string(most)}},
                          deadline_));
}

void analyze_accounts(database::Database& database, database::Deadline deadline) {
    database.execute_script(
        "ANALYZE data_import.account, data_import.account_step, data_import.statement_period", deadline);
}

}  // namespace data_import::store

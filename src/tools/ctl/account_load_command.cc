// The command `account load`.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <iterator>

#include "data/database/database.h"
#include "data/store/account_load.h"
#include "tools/ctl/account_rows.h"
#include "tools/ctl/columns.h"
#include "tools/ctl/command.h"
#include "tools/ctl/progress_line.h"
#include "tools/ctl/row_file.h"
#include "tools/ctl/values.h"

namespace data_import::ctl {

namespace {

/// After a load of so many accounts, it is worth updating the planner's statistics.
constexpr std::uint64_t many_accounts = 10'000;

store::LoadErrors merged(const store::LoadErrors& left, const store::LoadErrors& right) {
    store::LoadErrors both{.first = {}, .count = left.count + right.count};
    std::merge(
        left.first.begin(), left.first.end(), right.first.begin(), right.first.end(),
        std::back_inserter(both.first),
        [](const store::LoadError& one, const store::LoadError& other) { return one.line < other.line; });
    if (both.first.size() > most_row_errors) both.first.resize(most_row_errors);
    return both;
}

/// Reads and checks the rows of the file, and moves the accounts to the states that the rows give. Does all
/// this in the caller's transaction. Throws RowsRefused if a row is wrong.
store::LoadCounts load(database::Database& database, RowFile<AccountRows>& rows, const Invocation& invocation,
                       const std::string& author, ProgressLine& progress, database::Deadline deadline) {
    database.execute_script("SET LOCAL statement_timeout = 0", deadline);
    store::AccountLoad load(database, invocation.argument("CODE"), author, deadline);
    progress.phase("reading");
    load.copy([&](std::string& chunk) { return rows.next_chunk(chunk); });
    progress.phase("checking " + std::to_string(rows.count()) + " rows");
    load.refuse_duplicates();
    progress.phase("moving accounts");
    const store::LoadCounts counts =
        load.move([&](std::uint64_t lines, double fraction) { progress.rows_done(lines, fraction); });
    store::LoadErrors errors = merged(rows.errors(), load.errors(most_row_errors));
    if (errors.count > 0) throw RowsRefused("nothing was stored", rows.name(), std::move(errors));
    return counts;
}

void print_counts(const Context& context, std::uint64_t rows, const store::LoadCounts& counts,
                  double seconds) {
    const auto number = [](std::uint64_t count) { return static_cast<std::int64_t>(count); };
    if (context.json())
        return Context::print(
            object({{"rows", number(rows)},
                    {"created", number(counts.created)},
                    {"moved", number(counts.moved)},
                    {"unchanged", number(counts.unchanged)},
                    {"statement_periods_opened", number(counts.statement_periods_opened)}}));
    char time[32];
    std::snprintf(time, sizeof time, "%.1f s", seconds);
    Context::print(std::to_string(rows) + " rows in " + time + ": " + std::to_string(counts.created) +
                   " accounts created, " + std::to_string(counts.moved) + " moved, " +
                   std::to_string(counts.unchanged) + " unchanged, " +
                   std::to_string(counts.statement_periods_opened) + " statement periods opened\n");
}

void load_accounts(Context& context, const Invocation& invocation) {
    ProgressLine progress;
    // The file is opened before the database, because it may be readable for root alone: root becomes another
    // user to open the database.
    RowFile<AccountRows> rows(invocation.argument("FILE.csv"), progress);
    const database::Deadline deadline = Context::late();
    database::Database& database = context.database();
    store::LoadCounts counts;
    try {
        database.transaction(
            [&] {
                counts = load(database, rows, invocation, context.operator_name(), progress, deadline);
                progress.phase("committing");
            },
            deadline);
    } catch (const RowsRefused& refused) {
        print_row_errors(context, refused.errors());
        throw;
    }
    print_counts(context, rows.count(), counts, progress.seconds());
    if (counts.created + counts.moved >= many_accounts) {
        progress.phase("analysing");
        store::analyze_accounts(database, deadline);
    }
}

}  // namespace

std::vector<Command> account_load_commands() {
    return {command(
        "account load", {supplier_code, {"FILE.csv", check_file}}, {}, load_accounts,
        "Stores many accounts at once, all or none. If FILE is -, it is read from standard input. The "
        "header of the file:\n"
        "  "
        "external_account_number,state,service_account_number,account_created_at,statement_from,"
        "statement_to\n"
        "state is staged, in_progress, failed or imported; the columns after it may be empty. Times "
        "are written 2024-01-31T10:00:00Z, dates 2024-01-31. " +
            about_csv,
        "ACME accounts.csv")};
}

}  // namespace data_import::ctl

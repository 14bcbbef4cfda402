// Many accounts of one supplier at once: all of them move, or none.
//
// The rows travel by COPY into a temporary table and are judged and stored there as a whole, by the rules of
// the account_* functions of sql/. A load takes one SHARE ROW EXCLUSIVE lock on the accounts for as long as
// it judges and stores: single steps (ROW EXCLUSIVE) and other loads wait, so that what was judged still
// holds when it is stored; imports and listings only read accounts and go on. Locks by account, as the single
// steps take them, are no way here, because PostgreSQL's lock table does not hold a million of them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "database/database.h"

namespace data_import::store {

/// One row of a file, every value checked by itself.
struct LoadedAccount {
    std::uint64_t line = 0;
    std::string_view external_account_number;
    std::string_view state;  ///< staged, in_progress, failed, imported
    // empty: not given; only of imported accounts
    std::string_view service_account_number;
    std::string_view account_created_at;   ///< RFC 3339
    std::string_view statement_first_day;  ///< YYYY-MM-DD; with `statement_last_day`
    std::string_view statement_last_day;
};

/// Appends the row to `text` as COPY reads it.
void append_copy_row(std::string& text, const LoadedAccount& account);

/// Why a row cannot be stored.
struct LoadError {
    std::uint64_t line = 0;
    std::string sentence;
};

struct LoadErrors {
    std::vector<LoadError> first;  ///< by line, as many as were asked for
    std::uint64_t count = 0;
};

/// What a load did to accounts.
struct LoadCounts {
    std::uint64_t created = 0;
    std::uint64_t moved = 0;      ///< to another state
    std::uint64_t unchanged = 0;  ///< in the file's state already
    std::uint64_t statement_periods_opened = 0;
};

/// Who waits for a load hears how it goes.
struct LoadProgress {
    std::function<void(const std::string& name)> phase;                 ///< what is being done from now on
    std::function<void(std::uint64_t lines, double share)> lines_done;  ///< of the phase: how many, 0 to 1
};

/// One load; lives inside one Database::transaction. Call `copy`, `judge`, `store` in this order, `store`
/// only where there were no errors. They throw what Database throws.
class AccountLoad {
public:
    /// The supplier keeps its status until the transaction ends. `author` is who stands in the accounts'
    /// histories. Throws Refused with DI001 when there is no such supplier.
    AccountLoad(database::Database& database, std::string import_supplier, const std::string& author,
                database::Deadline deadline);

    /// Ongoing, Paused or Complete: only an Ongoing supplier's accounts can be staged, begun or completed.
    [[nodiscard]] const std::string& supplier_status() const { return supplier_status_; }

    /// Takes the rows; `source` as Database::copy_in says, with rows of `append_copy_row`.
    void copy(const std::function<bool(std::string& chunk)>& source);
    /// Takes the lock and holds the rows against each other and against the accounts that are there.
    [[nodiscard]] LoadErrors judge(std::size_t most_errors);
    LoadCounts store(const LoadProgress& progress);

private:
    void plan();
    void replace_taken_numbers();
    void insert_accounts(const LoadProgress& progress);
    [[nodiscard]] LoadCounts count();
    void record_steps();
    std::uint64_t open_statement_periods();

    database::Database& database_;
    std::string import_supplier_;
    database::Deadline deadline_;
    std::string supplier_status_;
};

/// Brings the planner's figures up to date after a large load; outside of transactions.
void analyze_accounts(database::Database& database, database::Deadline deadline);

}  // namespace data_import::store

// Many accounts of one supplier at once: all of them move, or none.
//
// COPY brings the rows into a temporary table, from where they go in slices to data_import.move_accounts of
// sql/, which knows the rules. A load takes one SHARE ROW EXCLUSIVE lock on the accounts while it does so:
// single steps (ROW EXCLUSIVE) and other loads wait; imports and listings only read accounts and go on. Locks
// by account, as the single steps take them, are no way here, because PostgreSQL's lock table does not hold a
// million of them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/database.h"

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

/// Reads rows of a line, its sentence, and the count of all such rows.
[[nodiscard]] LoadErrors read_load_errors(const database::Rows& rows);

/// The changes that a load made to accounts.
struct LoadCounts {
    std::uint64_t created = 0;
    std::uint64_t moved = 0;      ///< to another state
    std::uint64_t unchanged = 0;  ///< in the file's state already
    std::uint64_t statement_periods_opened = 0;
};

/// One load; lives inside one Database::transaction, which has to be rolled back where there are `errors`.
/// Call the members in this order. They throw what Database throws, `move` Refused with DI002 for a supplier
/// that is not Ongoing.
class AccountLoad {
public:
    /// The supplier keeps its status until the transaction ends. `author` stands in the accounts' histories.
    /// Throws Refused with DI001 when there is no such supplier.
    AccountLoad(database::Database& database, std::string import_supplier, const std::string& author,
                database::Deadline deadline);

    /// Takes the rows; `source` as Database::copy_in says, with rows of `append_copy_row`.
    void copy(const std::function<bool(std::string& chunk)>& source);
    /// Finds the rows with a number that an earlier row has. They are wrong, and not moved.
    void refuse_duplicates();
    /// Takes the lock and moves the accounts; tells how many lines are done, and their share of all (0 to 1).
    LoadCounts move(const std::function<void(std::uint64_t lines, double fraction)>& lines_done);
    /// The faults of the rows, the first `most` by line.
    [[nodiscard]] LoadErrors errors(std::size_t most);

private:
    std::uint64_t order_rows();
    void move_slice(std::uint64_t after, std::uint64_t last, LoadCounts& counts);

    database::Database& database_;
    std::string import_supplier_;
    database::Deadline deadline_;
};

/// Brings the planner's figures up to date after a large load; outside of transactions.
void analyze_accounts(database::Database& database, database::Deadline deadline);

}  // namespace data_import::store

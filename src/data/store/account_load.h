// Loads many accounts of one supplier at once: all of them move to their new states, or none.
//
// COPY brings the rows into a temporary table. From this table, data_import.move_accounts (sql/) takes the
// rows in slices. Before the first slice, the load takes a SHARE ROW EXCLUSIVE lock on the table of accounts,
// until its transaction ends. Meanwhile, single steps of accounts (ROW EXCLUSIVE) and other loads wait.
// Imports and listings go on, because they only read accounts.
//
// A load does not lock accounts one by one, as single steps do, because PostgreSQL's lock table does not hold
// a million locks.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/database.h"

namespace data_import::store {

/// A row of the file of accounts to load. Each of its values has been checked by itself.
struct LoadedAccount {
    std::uint64_t line = 0;
    std::string_view external_account_number;
    std::string_view state;  ///< staged, in_progress, failed, imported
    // The next four are empty if the file does not give them. Only imported accounts have them.
    std::string_view service_account_number;
    std::string_view account_created_at;   ///< RFC 3339
    std::string_view statement_first_day;  ///< YYYY-MM-DD; given only together with `statement_last_day`
    std::string_view statement_last_day;
};

/// Appends the row to `text` as COPY reads it.
void append_copy_row(std::string& text, const LoadedAccount& account);

/// The reason why a row cannot be stored.
struct LoadError {
    std::uint64_t line = 0;
    std::string sentence;
};

struct LoadErrors {
    std::vector<LoadError> first;  ///< the first ones by line, at most as many as were asked for
    std::uint64_t count = 0;       ///< number of all errors
};

/// Reads errors from rows of three columns: the line, the error as a sentence, and the number of all errors.
[[nodiscard]] LoadErrors read_load_errors(const database::Rows& rows);

/// The changes that a load made to accounts.
struct LoadCounts {
    std::uint64_t created = 0;
    std::uint64_t moved = 0;      ///< accounts that moved to another state
    std::uint64_t unchanged = 0;  ///< accounts that were in the state that the file gives
    std::uint64_t statement_periods_opened = 0;
};

/// One load of accounts, inside one Database::transaction. If there are `errors`, the transaction has to be
/// rolled back. The members have to be called in the order in which they stand here. They throw what Database
/// throws; `move` also throws Refused with DI002 if the supplier's status does not allow the accounts' new
/// states.
class AccountLoad {
public:
    /// Begins a load. Locks the supplier's row, so that nobody can change the supplier's status until the
    /// transaction ends. `author` stands in the accounts' histories. Throws Refused with DI001 if there is no
    /// such supplier.
    AccountLoad(database::Database& database, std::string import_supplier, const std::string& author,
                database::Deadline deadline);

    /// Copies the rows of the file into a temporary table. `source` delivers them in chunks, as
    /// append_copy_row() writes them: see Database::copy_in.
    void copy(const std::function<bool(std::string& chunk)>& source);
    /// Refuses rows that repeat the external or service account number of an earlier row. errors() lists the
    /// refused rows, and move() leaves them out.
    void refuse_duplicates();
    /// Locks the table of accounts, and moves the accounts to their new states. Calls `lines_done` after each
    /// slice, with the number of lines that are done and their fraction of all (0 to 1).
    LoadCounts move(const std::function<void(std::uint64_t lines, double fraction)>& lines_done);
    /// Returns the faults of the rows in the order of their lines, at most `most` faults.
    [[nodiscard]] LoadErrors errors(std::size_t most);

private:
    std::uint64_t order_rows();
    void move_slice(std::uint64_t after, std::uint64_t last, LoadCounts& counts);

    database::Database& database_;
    std::string import_supplier_;
    database::Deadline deadline_;
};

/// Updates the planner's statistics after a large load. Must be called outside of transactions.
void analyze_accounts(database::Database& database, database::Deadline deadline);

}  // namespace data_import::store

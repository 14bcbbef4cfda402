// Compares the totals that suppliers state for accounts with the stored ones, and keeps the differences that
// operators accept: table data_import.accepted_difference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/database.h"
#include "data/store/account_load.h"

namespace data_import::store {

/// Sums by figure: `amount:CHARGE`, `line_items`. Values are decimals without exponent and without trailing
/// zeros after the point. A missing figure is 0.
using Sums = std::map<std::string, std::string, std::less<>>;

/// Figures of an account's records of one kind. A figure that is not given is nothing.
struct KindFigures {
    std::int64_t records = 0;
    std::optional<std::string> amount = {};       ///< a decimal: the sum of all amounts of any type
    std::optional<std::string> fingerprint = {};  ///< 32 hexadecimal digits
    std::optional<Sums> sums = {};                ///< sum for each figure; nothing: no sums are given
};

/// A row of a supplier's file: its figures for one kind of records of an account.
struct DeclaredTotal {
    std::uint64_t line = 0;
    std::string external_account_number;
    std::string kind;
    KindFigures figures = {};
};
/// Appends the row as COPY reads it.
void append_copy_row(std::string& text, const DeclaredTotal& total);

/// A row of the file of reasons: the reason why an operator accepts the difference between declared and held
/// figures, for one account and one kind of records.
struct AcceptedReason {
    std::uint64_t line = 0;
    std::string_view external_account_number;
    std::string_view kind;
    std::string_view reason;
};
void append_copy_row(std::string& text, const AcceptedReason& reason);

struct Difference {
    std::string external_account_number;
    std::string kind;
    KindFigures declared;
    KindFigures held;  ///< `amount` and `fingerprint` are always given, even if there are no records
};

/// The author and the reason of the present acceptance of a difference.
struct Acceptance {
    std::string by;
    std::string at;  ///< RFC 3339
    std::string reason;
};

/// The outcome of a comparison of all accounts of a supplier with the supplier's file.
struct AccountComparison {
    std::int64_t accounts = 0;  ///< number of accounts that are stored here
    std::int64_t open = 0;      ///< differences that are not accepted
    std::int64_t accepted = 0;  ///< differences that are accepted
    std::string by = {};        ///< the operator who made the comparison
    std::string at = {};        ///< RFC 3339
    /// The supplier's figures differ from those at the time of this comparison.
    bool has_changed_since = false;
};

/// Returns a digest of the supplier's held and declared figures that this transaction sees, for
/// `record_comparison`. Returns nothing if the supplier has declared none.
[[nodiscard]] std::optional<std::string> figures_digest(database::Database& database,
                                                        const std::string& import_supplier,
                                                        database::Deadline deadline);
/// Stores `comparison` as the last comparison of the supplier, in place of an earlier comparison. The stored
/// AccountComparison::at is the present time. `digest` is the result of figures_digest(). For
/// AccountComparison::has_changed_since, the service later compares `digest` with that of the present
/// figures.
void record_comparison(database::Database& database, const std::string& import_supplier,
                       const AccountComparison& comparison, const std::optional<std::string>& digest,
                       database::Deadline deadline);
[[nodiscard]] database::Call find_comparison(std::string_view import_supplier);
[[nodiscard]] std::optional<AccountComparison> read_comparison(const database::Rows& rows);

/// The files of one comparison: the totals that a supplier declares, and the reasons for which an operator
/// accepts differences. The files are copied into temporary tables, which last until the transaction ends. So
/// this object has to be made and used inside one Database::transaction.
class Reconciliation {
public:
    Reconciliation(database::Database& database, std::string import_supplier, database::Deadline deadline);

    /// Copies the rows of a file into a temporary table. `source` delivers them in chunks, as
    /// append_copy_row() writes them: see Database::copy_in.
    void copy_totals(const std::function<bool(std::string& chunk)>& source);
    void copy_reasons(const std::function<bool(std::string& chunk)>& source);
    /// Returns the rows that repeat the account and kind of an earlier row of the same file, at most `most`,
    /// ordered by line.
    [[nodiscard]] LoadErrors duplicates(std::size_t most);

    /// Returns the next row of the file, ordered by account (by code point) and kind; null at the end. The
    /// row stays the next one until pop().
    [[nodiscard]] const DeclaredTotal* peek();
    void pop() { ++next_; }

    /// Accepts the difference if the file of reasons has a reason for it; `by` is the operator. Returns false
    /// if it has none.
    bool accept(const Difference& difference, const std::string& by);
    /// Returns the acceptance of a difference; nothing if it was not accepted with the same declared and held
    /// figures.
    [[nodiscard]] std::optional<Acceptance> find_acceptance(const Difference& difference);
    /// Returns the rows of the file of reasons that accept() has not used, because there is no difference of
    /// the row's account in the row's kind of records. Returns at most `most` rows, ordered by line.
    [[nodiscard]] LoadErrors idle_reasons(std::size_t most);

private:
    void fetch_page();
    [[nodiscard]] LoadErrors errors(const char* name, const std::string& sql, std::size_t most);

    database::Database& database_;
    std::string import_supplier_;
    database::Deadline deadline_;
    bool has_reasons_ = false;  ///< copy_reasons() was called
    std::vector<DeclaredTotal> page_;
    std::size_t next_ = 0;
    bool ended_ = false;  ///< the temporary table has no rows after `page_`
};

struct AcceptedDifference {
    Difference difference;  ///< with the declared and held figures that were accepted
    Acceptance acceptance;
};

/// Lists accepted differences of a supplier's accounts, at most `most`, ordered by account (by code point)
/// and kind; of the same account and kind, the newest first. Also lists differences whose figures have
/// changed since they were accepted.
[[nodiscard]] database::Call list_accepted_differences(std::string_view import_supplier, std::size_t most);
[[nodiscard]] std::vector<AcceptedDifference> read_accepted_differences(const database::Rows& rows);

}  // namespace data_import::store

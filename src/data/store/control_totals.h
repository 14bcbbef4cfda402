// Control totals: the exact figures of a supplier's records, compared with the figures that the supplier
// declares (contract, section 12; sql/schema/24-control-totals.sql). Reading the totals of ten million
// records takes as long as reading those of ten.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/call.h"
#include "data/database/database.h"
#include "data/database/rows.h"
#include "data/store/progress.h"
#include "data/store/provenance.h"

namespace data_import::store {

inline constexpr std::string_view records_figure = "records";
/// The name of a kind that stands for the accounts themselves. Its only figure has the same name, and is the
/// number of accounts.
inline constexpr std::string_view accounts_figure = "accounts";

struct DeclaredFigure {
    std::string_view kind;
    std::string_view figure;
    std::string_view value;  ///< a decimal
};

/// A figure. Values are decimals without exponent and without trailing zeros after the point.
struct ControlFigure {
    std::string kind;
    std::string figure;
    std::optional<std::string> held;
    std::optional<std::string> declared;
    std::optional<std::string> difference;  ///< held minus declared, if they differ
};

/// Returns `UNDECLARED` if `differs` is nothing, else `EQUAL` or `DIFFERENT`.
[[nodiscard]] std::string_view verdict_word(std::optional<bool> differs);
/// Returns the verdict and, if some kinds are not declared, the coverage: `EQUAL`, or `EQUAL (2 of 4 kinds
/// declared)`. `declared_kinds` may name a kind several times; `undeclared_kinds` is the number of the other
/// kinds that have records.
[[nodiscard]] std::string with_coverage(std::string_view verdict,
                                        const std::vector<std::string_view>& declared_kinds,
                                        std::size_t undeclared_kinds);

struct ControlTotals {
    std::string as_of;  ///< RFC 3339
    AccountCounts accounts{};
    /// The figures, ordered by kind. Within a kind, `records` comes first, then the other figures by name.
    /// The number of accounts has the kind `accounts`.
    std::vector<ControlFigure> figures;
    /// Kinds that have more than `most_undeclared` undeclared figures, each with the number of its figures
    /// that are left out.
    std::vector<std::pair<std::string, std::int64_t>> left_out;

    [[nodiscard]] bool is_declared() const;
    [[nodiscard]] bool has_differences() const;
    /// Returns `UNDECLARED`, `EQUAL` or `DIFFERENT`: see verdict_word().
    [[nodiscard]] std::string_view verdict() const;
    /// Returns the kinds that have records and no declared figure: the verdict says nothing about them.
    [[nodiscard]] std::vector<std::string> undeclared_kinds() const;
    /// Returns the verdict with its coverage, such as `EQUAL (2 of 4 kinds declared)`: see with_coverage().
    [[nodiscard]] std::string verdict_with_coverage() const;
};

/// Returns the number of records of a kind that the service itself made, such as notes on moved transactions.
/// The number is a difference, because `progress` counts these records and `totals` do not. `progress` and
/// `totals` have to be read at the same moment.
[[nodiscard]] std::int64_t records_by_service(const MigrationProgress& progress, const ControlTotals& totals,
                                              std::string_view kind);

/// The greatest number of undeclared figures that find_control_totals() returns for a kind by default. A kind
/// may have any number of figures, because suppliers choose units themselves.
inline constexpr int most_undeclared_figures = 1000;

inline constexpr int all_undeclared_figures = std::numeric_limits<int>::max();

[[nodiscard]] database::Call find_control_totals(std::string_view import_supplier,
                                                 int most_undeclared = most_undeclared_figures);
/// Replaces all figures that the supplier has declared by `figures`, which must not be empty. Returns the
/// same rows as find_control_totals().
[[nodiscard]] database::Call declare_control_totals(std::string_view import_supplier,
                                                    const Provenance& provenance,
                                                    const std::vector<DeclaredFigure>& figures);
/// A figure whose stored total differs from what a count of the records or accounts gives.
struct WrongTotal {
    std::string kind;     ///< kind of the counted records; `accounts` if accounts are counted
    std::string figure;   ///< name of the figure, such as `records`; if accounts are counted, their state
    std::string told;     ///< the figure's value in the stored totals
    std::string counted;  ///< the figure's value when the records or accounts are counted anew
};
/// The last comparison of a supplier's totals with its records (data_import.totals_comparison).
struct ComparedSupplier {
    std::string import_supplier;
    std::int64_t records = 0;                ///< number of records of all kinds, as the totals say
    std::optional<std::string> compared_at;  ///< RFC 3339; nothing: no comparison has been finished
    bool differs = false;                    ///< the last finished comparison found wrong figures
};
/// Lists suppliers in the order in which their totals should be compared. First come suppliers whose last
/// comparison found differences, then suppliers for which no comparison was ever tried (the fewest records
/// first), then all other suppliers (the oldest attempt first).
[[nodiscard]] std::vector<ComparedSupplier> list_compared_suppliers(database::Database& database,
                                                                    database::Deadline deadline);
/// Stores the outcome of a comparison. `differing` is the number of figures that differ; nothing if the
/// comparison did not end in time. `database` must be a session of the owner's role.
void keep_comparison(database::Database& database, const std::string& import_supplier,
                     std::optional<std::size_t> differing, database::Deadline deadline);
/// Reads every record of the supplier, and returns the wrong totals.
[[nodiscard]] std::vector<WrongTotal> recount(database::Database& database,
                                              const std::string& import_supplier,
                                              database::Deadline deadline);
/// Corrects the wrong totals of the supplier, and returns them as they were before.
[[nodiscard]] std::vector<WrongTotal> correct_totals(database::Database& database,
                                                     const std::string& import_supplier,
                                                     database::Deadline deadline);

/// Reads the rows of find_control_totals() or declare_control_totals().
[[nodiscard]] ControlTotals read_control_totals(const database::Rows& rows);

}  // namespace data_import::store

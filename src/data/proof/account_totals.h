// The totals of a supplier's accounts, computed from the records themselves (contract, section 12.4).
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/database.h"
#include "data/records/totals.h"
#include "data/store/reconciliation.h"

namespace data_import::proof {

/// Selects accounts of a supplier, and limits the time of each part of the work.
struct TotalsQuery {
    std::string_view import_supplier;
    /// Number of a single account; nothing: all accounts.
    std::optional<std::string_view> external_account_number = {};
    std::chrono::seconds timeout_of_part{600};
    database::Deadline deadline = database::Deadline::max();  ///< deadline of the whole work
};

/// Calls `each` with the totals of each account that `query` selects, in any state, ordered by number (by
/// code point). All totals are from one snapshot. Returns false if a single account was asked for and is not
/// known. `each` may use the database, in the same transaction; its exceptions pass through. The memory
/// needed does not grow with the number of accounts or records.
[[nodiscard]] bool stream_account_totals(database::Database& database, const TotalsQuery& query,
                                         const std::function<void(const records::AccountTotals&)>& each);

/// Returns the totals of these accounts in any order; unknown accounts are left out. All totals have to fit
/// into memory. Each part of the work may take `timeout_of_part`.
[[nodiscard]] std::vector<records::AccountTotals> find_account_totals(
    database::Database& database, std::string_view import_supplier,
    std::span<const std::string> external_account_numbers, std::chrono::milliseconds timeout_of_part);

/// The longest time for reading every record of a large book.
inline constexpr std::chrono::hours longest_snapshot{24 * 7};

/// Runs `work` in a transaction that sees one snapshot, as stream_account_totals() needs, and that may last
/// for `longest_snapshot`. `request` is the name of the request that `work` is done for, which PostgreSQL's
/// log shows; empty if there is none.
void with_snapshot(database::Database& database, const std::function<void()>& work,
                   std::string_view request = {});

/// Returns the totals of a kind in the form of declared totals, so that `reconcile` and reports can compare
/// them with what the supplier has declared.
[[nodiscard]] store::KindFigures figures_of(const records::KindTotals& totals, const records::Kind& kind);

}  // namespace data_import::proof

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

/// Which accounts of a supplier, and how long each part of the work may take: there is no limit to the whole.
struct TotalsQuery {
    std::string_view import_supplier;
    std::optional<std::string_view> external_account_number = {};  ///< nothing: all
    std::chrono::seconds timeout_of_part{600};
};

/// Passes on the totals of accounts in any state, one by one, ordered by number (by code point), all from one
/// snapshot. The memory needed does not grow with the number of accounts or records. `each` may use the
/// database, in the same transaction; its exceptions pass through. False if the account that was asked for is
/// not known.
[[nodiscard]] bool stream_account_totals(database::Database& database, const TotalsQuery& query,
                                         const std::function<void(const records::AccountTotals&)>& each);

/// The totals of those of these accounts that are known, in no order: as many as have room in memory. Each
/// part of the work may take `timeout_of_part`.
[[nodiscard]] std::vector<records::AccountTotals> find_account_totals(
    database::Database& database, std::string_view import_supplier,
    std::span<const std::string> external_account_numbers, std::chrono::milliseconds timeout_of_part);

/// How long it may take to read every record of a large book: some days.
inline constexpr std::chrono::hours longest_snapshot{24 * 7};

/// Runs `work` in a transaction that sees one snapshot and may last so long, for the function above. Names
/// the request that asks, if one does.
void with_snapshot(database::Database& database, const std::function<void()>& work,
                   std::string_view request = {});

/// The totals of a kind as suppliers' files tell them, everything told: what `reconcile` and reports compare.
[[nodiscard]] store::KindFigures figures_of(const records::KindTotals& totals, const records::Kind& kind);

}  // namespace data_import::proof

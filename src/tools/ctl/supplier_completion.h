// Decides whether a supplier may become Complete.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/store/access_events.h"
#include "data/store/bookings.h"
#include "data/store/control_totals.h"
#include "data/store/suppliers.h"
#include "tools/ctl/command.h"

namespace data_import::ctl {

/// Differences that one line names.
inline constexpr std::size_t most_named = 5;

/// Tells the figures that differ, at most so many, and the number of others.
[[nodiscard]] std::string differences_text(const store::ControlTotals& totals, std::size_t most);

/// Tells in a line whether the totals are those that the supplier has declared.
[[nodiscard]] std::string totals_text(const store::ControlTotals& totals);

/// Reasons against the end of a migration.
struct Unfinished {
    std::vector<std::string> open;  ///< `3 staged`
    store::ControlTotals totals;
    std::vector<store::Booking> bookings = {};  ///< of consumers that take the supplier
    std::vector<store::Booking> untaken = {};   ///< consumers that have not taken everything
    /// Accepted differences of accounts explain those from the declared totals.
    bool is_declaration_explained = false;
    /// The last signed report, if it tells the present figures and explains all differences.
    std::optional<store::SignedReport> explained_by = {};
    /// The reason why no report explains the differences; empty if accepted differences do not explain them
    /// either.
    std::string unsigned_because = {};

    [[nodiscard]] bool has_differences() const;
    [[nodiscard]] bool is_finished() const {
        return open.empty() && untaken.empty() && (!has_differences() || explained_by.has_value());
    }
};

[[nodiscard]] Unfinished find_unfinished(Context& context, const std::string& code);

/// Refuses to complete a supplier with open accounts, with totals that differ without a signed explanation,
/// or with a consumer that has not taken everything: its accounts would stay open, and the service would
/// refuse missing records from then on.
void need_everything(const store::Supplier& supplier, const Unfinished& unfinished);

/// Tells the end of a migration for the audit history: what was open or different, and why it ended all the
/// same.
[[nodiscard]] std::string end_text(const Unfinished& unfinished);

}  // namespace data_import::ctl

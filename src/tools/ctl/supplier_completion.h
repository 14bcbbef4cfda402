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

/// The greatest number of differences that one line names.
inline constexpr std::size_t most_named = 5;

/// Returns the first `most` figures that differ, and the number of the other ones that differ: `notes records
/// 5 declared, 4 stored, 2 more`.
[[nodiscard]] std::string differences_text(const store::ControlTotals& totals, std::size_t most);

/// Returns in one line whether the totals are those that the supplier has declared.
[[nodiscard]] std::string totals_text(const store::ControlTotals& totals);

/// The reasons why a supplier must not become Complete.
struct Unfinished {
    std::vector<std::string> open;  ///< number of accounts in each state other than `imported`: `3 staged`
    store::ControlTotals totals;
    /// Bookings of the consumers that take the supplier's accounts.
    std::vector<store::Booking> bookings = {};
    /// Bookings of consumers that have not taken all news, or are not added completely.
    std::vector<store::Booking> untaken = {};
    /// Accepted differences of accounts explain all differences from the declared totals.
    bool is_declaration_explained = false;
    /// The last signed report, if it has the present figures and explains all differences.
    std::optional<store::SignedReport> explained_by = {};
    /// The reason why no signed report explains the differences, although all of them are accepted; empty
    /// otherwise.
    std::string unsigned_because = {};

    [[nodiscard]] bool has_differences() const;
    [[nodiscard]] bool is_finished() const {
        return open.empty() && untaken.empty() && (!has_differences() || explained_by.has_value());
    }
};

[[nodiscard]] Unfinished find_unfinished(Context& context, const std::string& code);

/// Throws Failure if the supplier has accounts that are not imported, totals that differ without a signed
/// explanation, or a consumer that has not taken everything.
///
/// Because the service refuses imports for a Complete supplier, what is missing would stay missing.
void need_everything(const store::Supplier& supplier, const Unfinished& unfinished);

/// Returns the words of the audit history about the end of a migration: what was open or different, and why
/// it ended all the same.
[[nodiscard]] std::string end_text(const Unfinished& unfinished);

}  // namespace data_import::ctl

// Figures that consumers have booked of a supplier, for people.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/store/bookings.h"

namespace data_import::ctl {

/// Tells the figures that differ, at most so many, and the number of others.
[[nodiscard]] std::string booked_differences_text(const store::Booking& booking, std::size_t most);

/// Tells in a line whether a consumer has booked what is stored.
[[nodiscard]] std::string booking_text(const store::Booking& booking);

/// Writes a table of the three values of each figure: declared by the supplier, stored, booked by the
/// platform. If there are many figures, it has those that differ.
[[nodiscard]] std::string three_columns_text(const store::ControlTotals& totals,
                                             const store::Booking& booking);

}  // namespace data_import::ctl

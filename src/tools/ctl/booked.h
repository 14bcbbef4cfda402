// Figures that consumers have booked of a supplier, for people.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/store/bookings.h"

namespace data_import::ctl {

/// The figures that differ, at most so many, and how many there are beside them.
[[nodiscard]] std::string booked_differences_text(const store::Booking& booking, std::size_t most);

/// Whether what a consumer has booked is what is stored, in a line.
[[nodiscard]] std::string booking_text(const store::Booking& booking);

/// A table of the three values of each figure: declared by the supplier, stored, booked by the platform.
/// Where there are many figures it has those that differ.
[[nodiscard]] std::string three_columns_text(const store::ControlTotals& totals,
                                             const store::Booking& booking);

}  // namespace data_import::ctl

// Texts for people about the figures that a consumer has booked of a supplier.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/store/bookings.h"

namespace data_import::ctl {

/// Returns in one line whether a consumer has booked what is stored.
[[nodiscard]] std::string booking_text(const store::Booking& booking);

/// Returns a table of the three values of each figure: declared by the supplier, stored, booked by the
/// platform. If there are more than 40 figures, it has only the figures that differ.
[[nodiscard]] std::string three_columns_text(const store::ControlTotals& totals,
                                             const store::Booking& booking);

}  // namespace data_import::ctl

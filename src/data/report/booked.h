// The parts of a report in HTML about what the platform has booked. Both parts are empty if no consumer takes
// the supplier's accounts.
#pragma once

#include <string>

#include "data/report/report.h"

namespace data_import::report {

/// Returns a paragraph for each consumer: whether it has booked what is stored.
[[nodiscard]] std::string booked_verdicts(const Report& report);

/// Returns a section for each consumer: figures declared by the supplier, stored, and booked.
[[nodiscard]] std::string booked(const Report& report);

}  // namespace data_import::report

// Figures that the platform has booked, in a report for readers. Empty for a supplier that no consumer takes.
#pragma once

#include <string>

#include "data/report/report.h"

namespace data_import::report {

/// Returns a line for each consumer: whether it has booked what is stored.
[[nodiscard]] std::string booked_verdicts(const Report& report);

/// Returns a section for each consumer: figures declared by the supplier, stored, and booked.
[[nodiscard]] std::string booked(const Report& report);

}  // namespace data_import::report

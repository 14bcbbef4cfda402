// Figures that the platform has booked, in a report for readers. Empty for a supplier that no consumer takes.
#pragma once

#include <string>

#include "data/report/report.h"

namespace data_import::report {

/// A line for each consumer: whether what it has booked is what is stored.
[[nodiscard]] std::string booked_verdicts(const Report& report);

/// A section for each consumer: what the supplier has declared, what is stored, and what is booked.
[[nodiscard]] std::string booked(const Report& report);

}  // namespace data_import::report

// The faults of a soak run. Each one is healed before the next one begins.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "victim.h"

namespace data_import::soak {

struct Fault {
    std::string_view name;
    std::string_view sentence;
    /// Causes the fault and heals it. Returns a line for the log of faults.
    std::string (*happen)(Victim&);
};

[[nodiscard]] std::span<const Fault> all_faults();

/// The name of the fault that needs the database on a small file system; the variable SMALL_DISK names the
/// folder of this file system.
inline constexpr std::string_view disk_fault = "disk_full";

}  // namespace data_import::soak

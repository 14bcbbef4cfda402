// What files add up to, printed and declared to the service (extensions, section 4).
#pragma once

#include <iosfwd>

#include "client/options.h"

namespace data_import::client {

/// Prints the control totals of the files to `output`, by supplier, or of each account as JSON; declares them
/// where that is wished, and prints what the service answers. What was left out stands on `errors`. Returns
/// the exit status: 0, 1 where something was left out or is DIFFERENT, 3 where it was interrupted. Throws
/// std::runtime_error, with one line for people, if it cannot go on. Blocks SIGINT and SIGTERM meanwhile, so
/// no other thread may run.
[[nodiscard]] int totals(const Options& options, std::ostream& output, std::ostream& errors);

}  // namespace data_import::client

// The control totals of files, printed and declared to the service (contract, section 12).
#pragma once

#include <iosfwd>

#include "client/options.h"

namespace data_import::client {

/// Prints the control totals of the files to `output`, by supplier, or of each account as JSON. Declares them
/// if the options ask for it, and prints the service's answer. Names on `errors` the lines that were left
/// out. Returns the exit status: 0, 1 if something was left out or is DIFFERENT, 3 if it was interrupted.
/// Throws std::runtime_error, with one line for people, if it cannot go on. Blocks SIGINT and SIGTERM
/// meanwhile, so no other thread may run.
[[nodiscard]] int totals(const Options& options, std::ostream& output, std::ostream& errors);

}  // namespace data_import::client

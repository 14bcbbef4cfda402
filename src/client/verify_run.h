// The service's totals, compared with files account by account (contract, section 12.4).
#pragma once

#include <iosfwd>

#include "client/options.h"

namespace data_import::client {

/// Prints to `output` the accounts whose totals differ, with both sides, or EQUAL; as JSON if the options ask
/// for it. Names on `errors` the lines of the files that were left out. Returns the exit status: 0, 1 if
/// something differs or was left out, 3 if it was interrupted. Throws std::runtime_error, with one line for
/// people, if it cannot go on. Blocks SIGINT and SIGTERM meanwhile, so no other thread may run.
[[nodiscard]] int verify(const Options& options, std::ostream& output, std::ostream& errors);

}  // namespace data_import::client

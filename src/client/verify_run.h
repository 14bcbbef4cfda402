// What the service holds, compared with files account by account (extensions, section 4).
#pragma once

#include <iosfwd>

#include "client/options.h"

namespace data_import::client {

/// Prints to `output` the accounts whose totals differ, with both sides, or EQUAL; as JSON where that is
/// wished. What of the files was left out stands on `errors`. Returns the exit status: 0, 1 where something
/// differs or was left out, 3 where it was interrupted. Throws std::runtime_error, with one line for people,
/// if it cannot go on. Blocks SIGINT and SIGTERM meanwhile, so no other thread may run.
[[nodiscard]] int verify(const Options& options, std::ostream& output, std::ostream& errors);

}  // namespace data_import::client

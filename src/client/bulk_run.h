// A whole run of data-import-load.
#pragma once

#include <iosfwd>

#include "client/options.h"

namespace data_import::client {

/// Loads the files, prints the summary to `output`, and to `errors` why the run stopped early, if it did.
/// Returns the exit status: 0 if every line was accepted, 3 if something is left that the same command goes
/// on with, else 1. Throws std::runtime_error, with one line for people, if it cannot begin. Blocks SIGINT,
/// SIGTERM and SIGHUP meanwhile, so no other thread may run.
[[nodiscard]] int run(const Options& options, std::ostream& output, std::ostream& errors);

}  // namespace data_import::client

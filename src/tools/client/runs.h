// The runs of data-import-load; the command line chooses one.
//
// A run prints its result to `output`. It prints remarks to `errors`, such as which lines it leaves out, and
// why it stopped early. It throws std::runtime_error, with one line for people, if it cannot begin or go on.
//
// A run returns the exit status: 0 if nothing is wrong. The status is 3 if the run was interrupted, or has
// left some work that the same command would continue; else 1.
//
// A run blocks SIGINT, SIGTERM and SIGHUP, so the process must not have another thread.
#pragma once

#include <iosfwd>

#include "tools/client/options.h"

namespace data_import::client {

/// Loads the files.
[[nodiscard]] int run(const Options& options, std::ostream& output, std::ostream& errors);

/// Checks the files without a connection; writes rejects and report like a run that sends.
[[nodiscard]] int check(const Options& options, std::ostream& output, std::ostream& errors);

/// Adds up the records of the files, and prints the totals of each supplier, or, as JSON, of each account
/// (contract, section 12). If the options ask for it, declares the totals, and prints the service's answer.
[[nodiscard]] int totals(const Options& options, std::ostream& output, std::ostream& errors);

/// Compares the service's records with the files account by account (contract, section 12.4), and prints the
/// accounts whose totals differ, or EQUAL.
[[nodiscard]] int verify(const Options& options, std::ostream& output, std::ostream& errors);

}  // namespace data_import::client

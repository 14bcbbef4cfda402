// Checks files without a service.
#pragma once

#include <functional>
#include <iosfwd>

#include "data/json/value.h"
#include "tools/client/delivery.h"
#include "tools/client/import_request.h"
#include "tools/client/input.h"
#include "tools/client/options.h"
#include "tools/client/stop.h"
#include "tools/client/summary.h"

namespace data_import::client {

/// Checks a request by the service's own declarations. Returns the outcome that the service would give.
/// Faults that depend on what its database holds are not found.
[[nodiscard]] Outcome check_request(const ImportRequest& request);

/// A callback that gets each accepted request, its body, and its line.
using Accepted =
    std::function<void(const ImportRequest& request, const json::Value& body, const InputLine& line)>;

/// Callbacks for the lines of checked files.
struct CheckedLines {
    Accepted accepted;
    /// Returns true for a line that is not to be checked. If there is no function, all lines are checked.
    std::function<bool(const InputLine& line)> is_passed_over = {};
    std::function<void(const InputLine& line)> left_out = {};  ///< gets each line that is not accepted
};

/// Checks the files line by line until their end or a stop, and calls the functions in `lines`. Counts the
/// outcomes in `summary`, and writes rejects and report. Passes on the exceptions of the functions in
/// `lines`.
///
/// With --check, a file that cannot be read counts as a fault, and the next file follows. In a run that reads
/// the files as a Book, such a file makes this function throw std::runtime_error.
void check_files(const Options& options, Summary& summary, const Stop& stop, const CheckedLines& lines);

/// Writes to `errors` why a run has stopped. Returns its exit status.
[[nodiscard]] int tell_of_stop(const Stop& stop, std::ostream& errors);

}  // namespace data_import::client

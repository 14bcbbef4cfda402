// A call of PostgreSQL: a statement with its parameters.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace data_import::database {

using Deadline = std::chrono::steady_clock::time_point;

/// A parameter as text; nothing for NULL.
using Parameter = std::optional<std::string>;

/// One prepared statement with its parameters. An endpoint of the service makes the Call, and the service's
/// pipeline (service/http/pipeline.h) executes it.
struct Call {
    std::string name = {};  ///< name of the prepared statement, unique in the program
    std::string sql = {};   ///< the statement, with $1, $2, ... in the places of parameters
    std::vector<Parameter> parameters = {};
    std::vector<std::string> binary = {};  ///< the parameters after `parameters`, in binary form
    /// The call may be sent again when its outcome is unknown: it only reads, or it changes nothing if it has
    /// been carried out already.
    bool retryable = true;
};

}  // namespace data_import::database

// libpq connection parameters as the session pool can take them. Private to database/.
#pragma once

#include <string>

#include "database/database.h"

namespace data_import::database {

/// `key=value` pairs with single blanks between: the parameters of `options` (keywords or a URI) with the
/// defaults that a service needs where they are not given (time-outs, a writable server, the program's name).
/// Throws std::invalid_argument with a sentence that holds no value.
[[nodiscard]] std::string session_conninfo(const Options& options);

}  // namespace data_import::database

// libpq connection parameters as the session pool can take them. Private to database/.
#pragma once

#include <string>
#include <vector>

#include "database/database.h"

namespace data_import::database {

/// One session's parameters, `key=value` pairs with single blanks between, for each host that `options` names
/// (keywords or a URI), in their order, with the defaults that a service needs where they are not given
/// (time-outs, keepalives, a writable server, the program's name). Throws std::invalid_argument with a
/// sentence that holds no value.
[[nodiscard]] std::vector<std::string> conninfo_by_host(const Options& options);

}  // namespace data_import::database

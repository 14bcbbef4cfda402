// libpq connection parameters, and their form for the session pool.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "data/database/database.h"

namespace data_import::database {

using Parameters = std::map<std::string, std::string>;

/// Returns the parameters in `conninfo` (keywords or a URI). Throws std::invalid_argument, whose sentence
/// quotes no value, because that may be a password.
[[nodiscard]] Parameters parse_conninfo(const std::string& conninfo);

/// Returns the parameters of a session for each host that `options` names (keywords or a URI), in their
/// order: `key=value` pairs with single blanks between them. Parameters that a service needs and that are not
/// given get defaults (time-outs, keepalives, a writable server, the program's name). Throws
/// std::invalid_argument, whose sentence quotes no value.
[[nodiscard]] std::vector<std::string> conninfo_by_host(const Options& options);

/// Returns the parameters in `conninfo` with this host and port in place of their own. Throws as
/// parse_conninfo does.
[[nodiscard]] std::string conninfo_at(const std::string& conninfo, const std::string& host, int port);

}  // namespace data_import::database

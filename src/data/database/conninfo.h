// libpq connection parameters, and the form in which the session pool takes them.
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

/// Returns the connection parameters of each host that `options.conninfo` names (keywords or a URI), in the
/// order of the hosts. The text for a host has `key=value` pairs with single blanks between them. Missing
/// parameters that a service needs get defaults (time-outs, keepalives, a writable server, the program's
/// name). Throws std::invalid_argument, whose sentence quotes no value.
[[nodiscard]] std::vector<std::string> conninfo_by_host(const Options& options);

/// Returns the parameters in `conninfo` with this host and port in place of their own. Throws as
/// parse_conninfo does.
[[nodiscard]] std::string conninfo_at(const std::string& conninfo, const std::string& host, int port);

}  // namespace data_import::database

// The hosts that connection parameters name, to be asked one by one.
#pragma once

#include <string>
#include <vector>

namespace data_import::database {

struct Host {
    std::string name;      ///< host and port (`db1:5432`), or the directory of a socket
    std::string conninfo;  ///< parameters that connect to this host alone, be it the primary or a standby
};

/// Returns the hosts in their order. Throws std::invalid_argument as check_conninfo does.
[[nodiscard]] std::vector<Host> hosts_of(const std::string& conninfo);

}  // namespace data_import::database

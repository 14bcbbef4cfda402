// Where a service is.
#pragma once

#include <cstdint>
#include <string>

namespace data_import::net {

struct Server {
    std::string host;  ///< name or address, the latter without brackets
    std::uint16_t port = 0;
};

/// `HOST:PORT`, an IPv6 address between brackets.
[[nodiscard]] std::string authority_of(const Server& server);

}  // namespace data_import::net

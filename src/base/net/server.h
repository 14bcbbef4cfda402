// The host and the port of a service.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace data_import::net {

struct Server {
    std::string host;  ///< name or address, the latter without brackets
    std::uint16_t port = 0;
};

/// `HOST:PORT`, an IPv6 address between brackets.
[[nodiscard]] std::string authority_of(const Server& server);

/// `HOST[:PORT]`, an IPv6 address between brackets; port 0 where none is given. Nothing for any other text.
[[nodiscard]] std::optional<Server> parse_authority(std::string_view text);

}  // namespace data_import::net

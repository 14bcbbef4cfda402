// The host and the port of a service.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace data_import::net {

struct Server {
    std::string host;  ///< name or IP address, without brackets
    std::uint16_t port = 0;
};

/// Returns `HOST:PORT`, with brackets around an IPv6 address.
[[nodiscard]] std::string authority_of(const Server& server);

/// Reads `HOST[:PORT]`, with brackets around an IPv6 address; port 0 if none is given. Nothing for any other
/// text.
[[nodiscard]] std::optional<Server> parse_authority(std::string_view text);

}  // namespace data_import::net

// Addresses as the files of vendors write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "net/server.h"

namespace data_import::vendor {

struct BaseUrl {
    net::Server server;
    std::string path;  ///< without a slash at its end
};

/// `https://HOST[:PORT][/PATH]`; nothing for any other text: no other scheme, user, query, fragment, blank,
/// broken percent-encoding, empty or dot segment.
[[nodiscard]] std::optional<BaseUrl> parse_base_url(std::string_view text);

/// `http://HOST:PORT`, also with a slash at its end.
[[nodiscard]] std::optional<net::Server> parse_proxy(std::string_view text);

}  // namespace data_import::vendor

// The proxy through which a server is reached.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/net/server.h"

namespace data_import::net {

/// A proxy that takes CONNECT.
struct Proxy {
    Server server;
    std::string authorization = {};  ///< value of the header Proxy-Authorization; empty: no header
};

/// Reads `[http://][USER:PASSWORD@]HOST[:PORT]`, which may have a slash at its end. User and password are
/// percent-encoded; the port is 80 if none is given. Nothing for any other text.
[[nodiscard]] std::optional<Proxy> parse_proxy(std::string_view text);

/// Returns whether `no_proxy`, the value of the variable of this name, names the server. It is a list of
/// names and addresses, with a port or without, separated by commas or blanks. A name also stands for all
/// names below it, `10.0.0.0/8` for all addresses of that network, and `*` for all servers.
[[nodiscard]] bool is_exempt(const Server& server, std::string_view no_proxy);

/// The value of a variable of the environment is not the address of a proxy. `what()` names the variable and
/// does not quote the value, because a password may be in it.
class NoProxy : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Returns the proxy for a server: the value of the variable https_proxy or, if https_proxy is not set, of
/// all_proxy. Returns nothing if neither is set, or if no_proxy names the server. The names of the variables
/// may also be in capital letters. `variable` returns the value of a variable, null if the variable is not
/// set. Throws NoProxy if the value of https_proxy or all_proxy is not the address of a proxy.
[[nodiscard]] std::optional<Proxy> proxy_of_environment(
    const Server& server, const std::function<const char*(const char* name)>& variable);

}  // namespace data_import::net

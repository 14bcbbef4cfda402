// The proxy through which a server is reached.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/net/server.h"

namespace data_import::net {

/// Takes CONNECT.
struct Proxy {
    Server server;
    std::string authorization = {};  ///< value of Proxy-Authorization; empty for none
};

/// `[http://][USER:PASSWORD@]HOST[:PORT]`, also with a slash at its end; user and password are
/// percent-encoded, the port is 80 where none is given. Nothing for any other text.
[[nodiscard]] std::optional<Proxy> parse_proxy(std::string_view text);

/// Whether a list as in the variable no_proxy names the server: names and addresses, separated by commas or
/// blanks, with a port or without. A name stands for all names below it, too; `10.0.0.0/8` for addresses, `*`
/// for all.
[[nodiscard]] bool is_exempt(const Server& server, std::string_view no_proxy);

/// A variable of the environment is no proxy. `what()` names it and does not quote it: a password may stand
/// there.
class NoProxy : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The proxy for a server according to the variables https_proxy and all_proxy, less no_proxy, each also in
/// capital letters. `variable` gives the value of a variable, null for none. Throws NoProxy.
[[nodiscard]] std::optional<Proxy> proxy_of_environment(
    const Server& server, const std::function<const char*(const char* name)>& variable);

}  // namespace data_import::net

#include "base/net/proxy.h"

#include <Poco/Base64Encoder.h>
#include <Poco/Net/IPAddress.h>

#include <algorithm>
#include <sstream>

#include "base/util/text.h"
#include "base/util/whole_number.h"

namespace data_import::net {

namespace {

using Poco::Net::IPAddress;

constexpr std::uint16_t http_port = 80;

std::string encoded(const std::string& text) {
    std::ostringstream output;
    Poco::Base64Encoder encoder(output);
    encoder.rdbuf()->setLineLength(0);
    encoder << text;
    encoder.close();
    return output.str();
}

/// Returns the value of Proxy-Authorization for `USER:PASSWORD` or `USER`; nothing if the percent-encoding is
/// broken.
std::optional<std::string> authorization_of(std::string_view credentials) {
    const std::size_t colon = std::min(credentials.find(':'), credentials.size());
    const auto user = util::percent_decode(credentials.substr(0, colon));
    const auto password = util::percent_decode(credentials.substr(std::min(colon + 1, credentials.size())));
    if (!user || !password || user->empty() || user->find(':') != std::string::npos) return std::nullopt;
    return "Basic " + encoded(*user + ':' + *password);
}

bool holds(std::string_view network, const IPAddress& address) {
    const std::size_t slash = network.find('/');
    const auto bits = util::whole_number<unsigned>(network.substr(slash + 1));
    IPAddress base;
    if (!bits || !IPAddress::tryParse(std::string(network.substr(0, slash)), base) ||
        base.family() != address.family() || *bits > base.length() * 8)
        return false;
    const IPAddress mask(*bits, base.family());
    return (address & mask) == (base & mask);
}

bool names(std::string_view entry, const Server& server) {
    if (entry == "*") return true;
    IPAddress address;
    const bool is_address = IPAddress::tryParse(server.host, address);
    if (entry.find('/') != std::string_view::npos) return is_address && holds(entry, address);
    IPAddress named;
    if (IPAddress::tryParse(std::string(entry), named)) return is_address && named == address;
    while (entry.starts_with('*') || entry.starts_with('.')) entry.remove_prefix(1);
    auto parsed = parse_authority(entry);
    if (!parsed || (parsed->port != 0 && parsed->port != server.port)) return false;
    if (is_address) return IPAddress::tryParse(parsed->host, named) && named == address;
    const std::string name = util::lowered(parsed->host);
    const std::string host = util::lowered(server.host);
    return host == name || host.ends_with('.' + name);
}

/// The name of a variable and its value, which is not empty.
using Variable = std::pair<const char*, std::string_view>;

std::optional<Variable> first_of(std::initializer_list<const char*> variables,
                                 const std::function<const char*(const char*)>& value_of) {
    for (const char* const name : variables) {
        const char* const value = value_of(name);
        if (value != nullptr && *value != '\0') return Variable(name, value);
    }
    return std::nullopt;
}

}  // namespace

std::optional<Proxy> parse_proxy(std::string_view text) {
    constexpr std::string_view scheme = "http://";
    if (util::lowered(text.substr(0, scheme.size())) == scheme) text.remove_prefix(scheme.size());
    if (text.ends_with('/')) text.remove_suffix(1);
    // A text that still has a slash is refused, because the slash belongs to another scheme, such as
    // `https://`, or to a path.
    if (text.find('/') != std::string_view::npos) return std::nullopt;
    Proxy proxy;
    const std::size_t at = text.rfind('@');
    if (at != std::string_view::npos) {
        auto authorization = authorization_of(text.substr(0, at));
        if (!authorization) return std::nullopt;
        proxy.authorization = std::move(*authorization);
        text.remove_prefix(at + 1);
    }
    auto server = parse_authority(text);
    if (!server) return std::nullopt;
    proxy.server = std::move(*server);
    if (proxy.server.port == 0) proxy.server.port = http_port;
    return proxy;
}

bool is_exempt(const Server& server, std::string_view no_proxy) {
    constexpr std::string_view separators = ", \t";
    while (!no_proxy.empty()) {
        const std::size_t length = std::min(no_proxy.find_first_of(separators), no_proxy.size());
        const std::string_view entry = no_proxy.substr(0, length);
        if (!entry.empty() && names(entry, server)) return true;
        no_proxy.remove_prefix(std::min(length + 1, no_proxy.size()));
    }
    return false;
}

std::optional<Proxy> proxy_of_environment(const Server& server,
                                          const std::function<const char*(const char* name)>& variable) {
    const auto given = first_of({"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}, variable);
    if (!given) return std::nullopt;
    const auto exempt = first_of({"no_proxy", "NO_PROXY"}, variable);
    if (exempt && is_exempt(server, exempt->second)) return std::nullopt;
    auto proxy = parse_proxy(given->second);
    if (!proxy)
        throw NoProxy("the variable " + std::string(given->first) +
                      " of the environment must be http://[USER:PASSWORD@]HOST[:PORT]");
    return proxy;
}

}  // namespace data_import::net

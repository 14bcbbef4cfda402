#include "base/net/server.h"

#include <Poco/Net/IPAddress.h>

#include <algorithm>

#include "base/util/whole_number.h"

namespace data_import::net {

namespace {

bool is_host_character(char character) {
    return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') ||
           (character >= 'A' && character <= 'Z') || character == '-' || character == '.';
}

bool is_host_name(std::string_view host) {
    return !host.empty() && host.size() <= 253 && std::ranges::all_of(host, is_host_character);
}

bool is_ipv6_address(const std::string& host) {
    Poco::Net::IPAddress address;
    return host.find(':') != std::string::npos && Poco::Net::IPAddress::tryParse(host, address);
}

std::optional<std::uint16_t> parse_port(std::string_view text) {
    const auto port = util::whole_number<std::uint16_t>(text);
    return port == 0 ? std::nullopt : port;
}

}  // namespace

std::string authority_of(const Server& server) {
    const bool is_address = server.host.find(':') != std::string::npos;
    return (is_address ? '[' + server.host + ']' : server.host) + ':' + std::to_string(server.port);
}

std::optional<Server> parse_authority(std::string_view text) {
    const bool has_brackets = text.starts_with('[');
    const std::size_t end_of_host = has_brackets ? text.find(']') : text.find(':');
    if (has_brackets && end_of_host == std::string_view::npos) return std::nullopt;
    Server server;
    server.host = has_brackets ? text.substr(1, end_of_host - 1) : text.substr(0, end_of_host);
    if (!(has_brackets ? is_ipv6_address(server.host) : is_host_name(server.host))) return std::nullopt;
    std::string_view rest = text.substr(std::min(end_of_host + (has_brackets ? 1 : 0), text.size()));
    if (rest.empty()) return server;
    if (!rest.starts_with(':')) return std::nullopt;
    const auto port = parse_port(rest.substr(1));
    if (!port) return std::nullopt;
    server.port = *port;
    return server;
}

}  // namespace data_import::net

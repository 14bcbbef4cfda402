#include "data/database/hosts.h"

#include <string_view>

#include "data/database/conninfo.h"

namespace data_import::database {

namespace {

/// Returns the value of a key in parameters that conninfo_by_host has written; such values have no blanks.
std::string value_of(std::string_view conninfo, const std::string& key) {
    const std::string padded = " " + std::string(conninfo) + " ";
    const std::size_t found = padded.find(" " + key + "=");
    if (found == std::string::npos) return "";
    const std::size_t begin = found + key.size() + 2;
    return padded.substr(begin, padded.find(' ', begin) - begin);
}

std::string name_of(std::string_view conninfo) {
    std::string host = value_of(conninfo, "host");
    if (host.empty()) host = value_of(conninfo, "hostaddr");
    if (host.empty()) host = "local socket";
    const std::string port = value_of(conninfo, "port");
    return port.empty() ? host : host + ":" + port;
}

}  // namespace

std::vector<Host> hosts_of(const std::string& conninfo) {
    std::vector<Host> hosts;
    for (const std::string& single : conninfo_by_host({.conninfo = conninfo}))
        hosts.push_back({name_of(single), single + " target_session_attrs=any"});
    return hosts;
}

}  // namespace data_import::database

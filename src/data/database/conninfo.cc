#include "data/database/conninfo.h"

#include <libpq-fe.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "base/util/nearest_word.h"
#include "data/database/fresh_session.h"

namespace data_import::database {

namespace {

struct OptionsDeleter {
    void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};

std::vector<std::string> split(const std::string& list) {
    std::vector<std::string> parts(1);
    for (const char character : list) {
        if (character == ',')
            parts.emplace_back();
        else
            parts.back() += character;
    }
    return parts;
}

std::string text_of(const Parameters& parameters) {
    std::string text;
    for (const auto& [key, value] : parameters) {
        if (value.empty()) continue;
        // Refuses values with blanks, quotes or backslashes: Poco::Data splits parameters at blanks, and
        // passes values to libpq without quotes.
        if (value.find_first_of(" \t'\\") != std::string::npos) {
            throw std::invalid_argument(
                "connection parameter " + key +
                " must not hold blanks, quotes or backslashes; a password can stand in a passfile");
        }
        if (!text.empty()) text += ' ';
        text += key + '=' + value;
    }
    return text;
}

Parameters session_parameters(const Options& options) {
    // These are defaults. Without keepalives and tcp_user_timeout, a session would wait minutes for a server
    // that has vanished.
    Parameters parameters = {
        {"connect_timeout", std::to_string(connect_time.count())},
        {"keepalives_idle", "2"},
        {"keepalives_interval", "1"},
        {"keepalives_count", "3"},
        {"tcp_user_timeout", "3000"},
        {"target_session_attrs", "read-write"},
        {"application_name", options.application_name},
        {"client_encoding", "UTF8"},
    };
    for (const auto& [key, value] : parse_conninfo(options.conninfo)) parameters[key] = value;
    return parameters;
}

/// Returns the keyword that libpq's message calls unknown; empty for any other message. Only the keyword is
/// taken, because the rest of a message may quote a password.
std::string unknown_keyword(std::string_view message) {
    for (const std::string_view begin : {"invalid connection option \"", "invalid URI query parameter: \""}) {
        if (!message.starts_with(begin)) continue;
        const std::string_view rest = message.substr(begin.size());
        const std::string_view keyword = rest.substr(0, rest.find('"'));
        constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
        if (keyword.find_first_not_of(letters) == std::string_view::npos) return std::string(keyword);
    }
    return "";
}

std::string fault_of(const char* message) {
    const std::string unknown = unknown_keyword(message == nullptr ? "" : message);
    if (unknown.empty()) return "connection parameters are key=value pairs or a postgresql:// address";
    const std::unique_ptr<PQconninfoOption, OptionsDeleter> known(PQconndefaults());
    std::vector<std::string> keywords;
    for (const PQconninfoOption* option = known.get(); option != nullptr && option->keyword != nullptr;
         ++option)
        keywords.emplace_back(option->keyword);
    const auto nearest = util::nearest_word(unknown, keywords);
    return "unknown connection parameter `" + unknown + "`" +
           (nearest ? ": did you mean `" + *nearest + "`?" : "");
}

}  // namespace

Parameters parse_conninfo(const std::string& conninfo) {
    char* message = nullptr;
    const std::unique_ptr<PQconninfoOption, OptionsDeleter> parsed(
        PQconninfoParse(conninfo.c_str(), &message));
    if (!parsed) {
        const std::string fault = fault_of(message);
        PQfreemem(message);
        throw std::invalid_argument(fault);
    }
    Parameters parameters;
    for (const PQconninfoOption* option = parsed.get(); option->keyword != nullptr; ++option) {
        if (option->val != nullptr) parameters[option->keyword] = option->val;
    }
    return parameters;
}

std::string conninfo_at(const std::string& conninfo, const std::string& host, int port) {
    Parameters parameters = parse_conninfo(conninfo);
    parameters.erase("hostaddr");
    parameters["host"] = host;
    parameters["port"] = std::to_string(port);
    return text_of(parameters);
}

// Each host gets connection parameters of its own, so that this program connects to one host at a time. With
// the whole list, libpq's non-blocking connect would never give up a host that drops packets, and would
// always begin with the first host.
std::vector<std::string> conninfo_by_host(const Options& options) {
    const Parameters parameters = session_parameters(options);
    const auto list = [&](const std::string& key) {
        const auto found = parameters.find(key);
        return split(found == parameters.end() ? "" : found->second);
    };
    const std::vector<std::string> hosts = list("host");
    const std::vector<std::string> addresses = list("hostaddr");
    const std::vector<std::string> ports = list("port");
    const std::size_t count = std::max(hosts.size(), addresses.size());
    const auto fits = [count](const std::vector<std::string>& values) {
        return values.size() == 1 || values.size() == count;
    };
    if (!fits(hosts) || !fits(addresses) || !fits(ports) ||
        (hosts.size() == 1 && count > 1 && !hosts[0].empty()) ||
        (addresses.size() == 1 && count > 1 && !addresses[0].empty()))
        throw std::invalid_argument(
            "connection parameters host, hostaddr and port must name as many hosts as each other");
    std::vector<std::string> conninfo;
    for (std::size_t at = 0; at < count; ++at) {
        Parameters single = parameters;
        single["host"] = hosts[hosts.size() == 1 ? 0 : at];
        single["hostaddr"] = addresses[addresses.size() == 1 ? 0 : at];
        single["port"] = ports[ports.size() == 1 ? 0 : at];
        conninfo.push_back(text_of(single));
    }
    return conninfo;
}

void check_conninfo(const std::string& conninfo) {
    static_cast<void>(conninfo_by_host({.conninfo = conninfo}));
}

}  // namespace data_import::database

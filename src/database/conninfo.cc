#include "database/conninfo.h"

#include <libpq-fe.h>

#include <map>
#include <memory>

namespace data_import::database {

namespace {

struct OptionsDeleter {
    void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};

std::map<std::string, std::string> parse(const std::string& conninfo) {
    char* message = nullptr;
    const std::unique_ptr<PQconninfoOption, OptionsDeleter> parsed(
        PQconninfoParse(conninfo.c_str(), &message));
    if (!parsed) {
        // libpq's message may quote the parameters, and with them a password
        PQfreemem(message);
        throw std::invalid_argument("connection parameters are key=value pairs or a postgresql:// address");
    }
    std::map<std::string, std::string> parameters;
    for (const PQconninfoOption* option = parsed.get(); option->keyword != nullptr; ++option) {
        if (option->val != nullptr) parameters[option->keyword] = option->val;
    }
    return parameters;
}

}  // namespace

std::string session_conninfo(const Options& options) {
    std::map<std::string, std::string> parameters = {
        {"connect_timeout", "2"},
        {"tcp_user_timeout", "3000"},  // without it a vanished server holds a session for minutes
        {"target_session_attrs", "read-write"},
        {"application_name", options.application_name},
        {"client_encoding", "UTF8"},
    };
    for (const auto& [key, value] : parse(options.conninfo)) parameters[key] = value;
    std::string text;
    for (const auto& [key, value] : parameters) {
        if (value.empty()) continue;
        // Poco::Data splits at blanks and passes values to libpq without quotes
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

void check_conninfo(const std::string& conninfo) {
    static_cast<void>(session_conninfo({.conninfo = conninfo}));
}

}  // namespace data_import::database

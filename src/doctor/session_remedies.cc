// The remedy of a session that the database refuses, by the cause that libpq or PostgreSQL tells.
#include <regex>
#include <string_view>

#include "database/conninfo.h"
#include "doctor/doctor.h"
#include "util/shell_command.h"

namespace data_import::doctor {

namespace {

/// libpq's own rules for the file: a mode that is open to others makes it ignore the whole file.
std::string remedy_of_password(const SessionPlace& place, const std::string& role) {
    const database::Parameters parameters = database::parse_conninfo(place.conninfo);
    const auto named = parameters.find("passfile");
    const std::string restart = place.is_service ? " && systemctl restart data-import" : "";
    if (named == parameters.end())
        return util::with_remark(place.edit + restart, "passfile= names the file with the password");
    // examples/remote-database.conf has the unit copy the first to the second
    const bool is_copy = named->second == "/run/data-import-database/passfile";
    const std::string file = is_copy ? "/etc/data-import/database.passfile" : named->second;
    return util::with_remark(
        util::shell_command("editor", {file}) + util::shell_command(" && chmod 0600", {file}) + restart,
        "or set the password in PostgreSQL: " + on(place.server, psql("-c '\\password \"" + role + "\"'")));
}

std::string remedy_of_no_room(const std::string& reason, const DatabaseServer& server) {
    static const std::regex limit("too many connections for (role|database) \"([^\"]*)\"");
    std::smatch parts;
    if (std::regex_search(reason, parts, limit)) {
        const std::string kind = parts[1] == "role" ? "ROLE" : "DATABASE";
        return on(server, psql("-c 'ALTER " + kind + " \"" + parts[2].str() + "\" CONNECTION LIMIT -1'"));
    }
    return util::with_remark(
        on(server, psql("-c 'SELECT usename, client_addr, count(*) FROM pg_stat_activity GROUP BY 1, 2'")),
        "end those that are not needed, or raise max_connections");
}

}  // namespace

std::string remedy_of_no_session(const std::string& reason, const SessionPlace& place) {
    const auto says = [&](std::string_view text) { return reason.find(text) != std::string::npos; };
    const DatabaseServer& server = place.server;
    const std::string edit = place.edit + (place.is_service ? " && systemctl reload data-import" : "");
    const database::Parameters parameters = database::parse_conninfo(place.conninfo);
    const auto user = parameters.find("user");
    const std::string role = user == parameters.end() ? "data-import" : user->second;
    if (says("pg_hba.conf")) {
        const std::string find = psql("-Atc 'SHOW hba_file'");
        return util::with_remark(on(server, "editor \"$(" + find + ")\" && systemctl reload postgresql"),
                                 "a line for role " + role);
    }
    if (says("password authentication failed") || says("no password supplied"))
        return remedy_of_password(place, role);
    if (says("too many c") || says("connection slots")) return remedy_of_no_room(reason, server);
    if (says("read-only") || says("hot standby mode")) return remedy_of_session("25006", server);
    if (says("not permitted to log in")) return on(server, psql("-c 'ALTER ROLE \"" + role + "\" LOGIN'"));
    if (says("SSL") || says("certificate")) return util::with_remark(edit, "sslmode, sslrootcert");
    if (says("eer authentication failed") || says("dent authentication failed"))
        return util::with_remark(edit, "user= must be a role that the system user may have (pg_ident.conf)");
    if (says("could not translate host name"))
        return util::with_remark(edit, "host=, or give this machine the name in /etc/hosts");
    if (says("is unreachable") || says("No route to host"))
        return util::with_remark("ip address; ip route", "or set " + place.setting + ": " + place.edit);
    if (says("Permission denied")) {
        static const std::regex socket("socket \"([^\"]+)\"");
        std::smatch parts;
        if (std::regex_search(reason, parts, socket)) {
            return util::with_remark(util::shell_command("namei --long", {parts[1].str()}),
                                     "every directory must let the system user in");
        }
    }
    if (says("Connection refused") || says("No such file or directory"))
        return util::with_remark(start_server(server), "or set " + place.setting + ": " + place.edit);
    return util::with_remark(on(server, "systemctl status postgresql; journalctl -u 'postgresql*' -n 50"),
                             "or set " + place.setting + ": " + place.edit);
}

std::string remedy_of_session(const std::string& failure, const DatabaseServer& server) {
    const auto is = [&](std::string_view sqlstate) { return failure.starts_with(sqlstate); };
    if (is("53100"))
        return util::with_remark(on(server, "pg_lsclusters; df -h"),
                                 "make room where the data directory lies");
    if (is("53200"))
        return util::with_remark(on(server, "free -h"),
                                 "give the machine memory, or lower shared_buffers and work_mem");
    if (is("53400"))
        return util::with_remark(on(server, psql("-c 'ALTER ROLE \"data-import\" RESET temp_file_limit'")),
                                 "or the limit that it names");
    if (is("25006"))
        return util::with_remark(change_setting(server, "default_transaction_read_only", "", Effect::reload),
                                 "for a standby: set database to the host that accepts writes");
    // libraries that were replaced under the server load in no new session
    return restart_server(server);
}

}  // namespace data_import::doctor

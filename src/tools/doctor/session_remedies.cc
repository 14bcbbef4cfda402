// The remedies for a session that cannot be opened or used, by the reason that libpq or PostgreSQL gives.
#include <regex>
#include <string_view>

#include "base/util/shell_command.h"
#include "data/database/conninfo.h"
#include "data/store/setup.h"
#include "tools/doctor/doctor.h"

namespace data_import::doctor {

namespace {

/// Returns the remedy for a missing or wrong password. It also closes the password file to others, because
/// libpq ignores a file that others may read.
std::string remedy_of_password(const SessionPlace& place, const std::string& role) {
    const database::Parameters parameters = database::parse_conninfo(place.conninfo);
    const auto named = parameters.find("passfile");
    const std::string restart = place.is_service ? " && systemctl restart data-import" : "";
    if (named == parameters.end())
        return util::with_remark(place.edit + restart, "passfile= names the file with the password");
    // With the drop-in examples/remote-database.conf, each start of the service makes the file
    // /run/data-import-database/passfile as a copy of /etc/data-import/database.passfile. So the remedy edits
    // /etc/data-import/database.passfile.
    const bool is_copy = named->second == "/run/data-import-database/passfile";
    const std::string file = is_copy ? "/etc/data-import/database.passfile" : named->second;
    return util::with_remark(
        util::shell_command("editor", {file}) + util::shell_command(" && chmod 0600", {file}) + restart,
        "or set the password in PostgreSQL: " +
            on(place.server,
               psql(util::shell_command("-c", {"\\password " + store::quote_identifier(role)}))));
}

std::string value_of(const database::Parameters& parameters, const std::string& key,
                     const std::string& otherwise) {
    const auto found = parameters.find(key);
    return found == parameters.end() ? otherwise : found->second;
}

/// Returns the remedy if no session is left. The name of the PostgreSQL function that has refused shows which
/// limit was reached: that of a role, of a database, or of the server.
std::string remedy_of_no_room(const database::Refusal& refusal, const SessionPlace& place) {
    const database::Parameters parameters = database::parse_conninfo(place.conninfo);
    if (refusal.function == database::pooler) return edit_pooler(place.server, place.pool);
    if (refusal.function == "InitializeSessionUserId")
        return lift_limit(place.server, "ROLE", role_of(place.conninfo));
    if (refusal.function == "CheckMyDatabase")
        return lift_limit(place.server, "DATABASE", value_of(parameters, "dbname", role_of(place.conninfo)));
    return util::with_remark(
        on(place.server,
           psql("-c 'SELECT usename, client_addr, count(*) FROM pg_stat_activity GROUP BY 1, 2'")),
        "end those that are not needed, or raise max_connections");
}

/// Returns the remedy for a session that could not be opened at `place`. The SQLSTATE of `refusal` decides
/// it. If the SQLSTATE is empty or unknown, the remedy shows PostgreSQL's log and whether PostgreSQL runs.
/// `edit` is the command that opens the setting with the connection parameters. If this setting is
/// `database`, `edit` also reloads the service.
std::string remedy_of_refusal(const database::Refusal& refusal, const SessionPlace& place,
                              const std::string& edit) {
    const std::string role = role_of(place.conninfo);
    const std::string& state = refusal.sqlstate;
    if (state == "28P01") return remedy_of_password(place, role);
    if (is_user_refused(refusal))
        return util::with_remark(edit, "user= must be a role that the system user may have (pg_ident.conf)");
    if (state == "28000") {
        const std::string find = psql("-Atc 'SHOW hba_file'");
        return util::with_remark(
            on(place.server, "editor \"$(" + find + ")\" && systemctl reload postgresql"),
            "a line for role " + role);
    }
    if (state == "53300") return remedy_of_no_room(refusal, place);
    if (state == "08P01") return edit_pooler(place.server, place.pool);
    return util::with_remark(
        on(place.server, "systemctl status postgresql; journalctl -u 'postgresql*' -n 50"),
        "or set " + place.setting + ": " + place.edit);
}

}  // namespace

std::string role_of(const std::string& conninfo) {
    return value_of(database::parse_conninfo(conninfo), "user", service_user);
}

std::string lift_limit(const DatabaseServer& server, const std::string& kind, const std::string& name) {
    const std::string sql = "ALTER " + kind + ' ' + store::quote_identifier(name) + " CONNECTION LIMIT -1";
    return on(server, psql(util::shell_command("-c", {sql})));
}

std::string edit_pooler(const DatabaseServer& server, const std::string& what) {
    return util::with_remark(on(server, "editor /etc/pgbouncer/pgbouncer.ini && systemctl reload pgbouncer"),
                             "set " + what);
}

// Reads libpq's own words if there is no SQLSTATE. These words are English (fresh_session.cc).
std::string remedy_of_no_session(const std::string& reason, const database::Refusal& refusal,
                                 const SessionPlace& place) {
    const auto says = [&](std::string_view text) { return reason.find(text) != std::string::npos; };
    const DatabaseServer& server = place.server;
    const std::string edit = place.edit + (place.is_service ? " && systemctl reload data-import" : "");
    if (!refusal.sqlstate.empty()) return remedy_of_refusal(refusal, place, edit);
    if (says("no password supplied")) return remedy_of_password(place, role_of(place.conninfo));
    if (says("read-only") || says("hot standby mode")) return remedy_of_session("25006", server);
    if (says("SSL") || says("certificate")) return util::with_remark(edit, "sslmode, sslrootcert");
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
    return remedy_of_refusal(refusal, place, edit);
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
    // the cause of any other failure is probably a library that was replaced while the server ran, so that no
    // new session can load it
    return restart_server(server);
}

}  // namespace data_import::doctor

// Checks that PostgreSQL can be reached and has the right version, that the database is set up and migrated,
// and that the service can use it.
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string_view>

#include "base/util/joined.h"
#include "base/util/shell_command.h"
#include "data/database/conninfo.h"
#include "data/database/database.h"
#include "data/store/diagnosis.h"
#include "data/store/migrations.h"
#include "data/store/readiness.h"
#include "data/store/rights.h"
#include "data/store/setup.h"
#include "data/store/shard_groups.h"
#include "tools/console/system_user.h"
#include "tools/console/text_table.h"
#include "tools/doctor/doctor.h"

namespace data_import::doctor {

namespace {

using namespace std::chrono_literals;

constexpr std::int64_t least_version = 150000;
/// A clock that is wrong by at least this many microseconds is a fault.
constexpr std::int64_t fault_of_clock = 30'000'000;
/// A clock that is wrong by at least this many microseconds is worth a warning.
constexpr std::int64_t warning_of_clock = 2'000'000;
constexpr auto patience = 6s;
constexpr const char* synchronise_clock = "timedatectl set-ntp true";

database::Deadline deadline() {
    return std::chrono::steady_clock::now() + patience;
}

std::int64_t microseconds_now() {
    using namespace std::chrono;
    return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

Finding check_version(const DatabaseServer& place, const store::ServerDiagnosis& server) {
    const std::string major = std::to_string(server.version / 10000);
    if (server.version >= least_version) return ok("PostgreSQL", "version " + major + " answers");
    const std::string upgrade = "pg_upgradecluster " + major + " main";
    return fault("PostgreSQL", "version " + major + " is too old: 15 is the least",
                 place.is_of_several
                     ? util::with_remark(on(place, patronictl("list")),
                                         "see \"Major Upgrade of PostgreSQL Version\" in Patroni's manual; "
                                         "without Patroni: " +
                                             upgrade)
                     : on(place, upgrade));
}

/// Checks fsync and full_page_writes, which can be set only for the server as a whole. Does not check
/// synchronous_commit, because the service sets it in each of its sessions.
Finding check_durability(const DatabaseServer& place, const store::ServerDiagnosis& server) {
    const auto turn_on = [&](const std::string& setting) {
        return change_setting(place, setting, "on", Effect::reload);
    };
    const std::string subject = "durability";
    if (!server.has_fsync) {
        return fault(subject, "fsync is off: a power failure loses or damages acknowledged imports",
                     turn_on("fsync"));
    }
    if (!server.has_full_page_writes) {
        return warning(
            subject,
            "full_page_writes is off, which is safe only if the file system never leaves a page half written",
            turn_on("full_page_writes"));
    }
    return ok(subject, "acknowledged imports survive a power failure");
}

Findings check_pending_restart(const DatabaseServer& place, const store::ServerDiagnosis& server) {
    if (server.settings_waiting_for_restart.empty()) return {};
    return {warning("PostgreSQL",
                    "settings wait for a restart: " + util::joined(server.settings_waiting_for_restart),
                    restart_for_settings(place))};
}

Finding check_roles(const Context& context, const DatabaseServer& place, const store::ServerState& state,
                    const store::ServerDiagnosis& server) {
    const std::string set_up = own_command(context, "db setup");
    if (!state.has_roles())
        return fault("roles",
                     "one of the roles data-import, data-import-owner, data-import-platform, "
                     "data-import-reader and data-import-operator is missing",
                     set_up);
    if (!state.has_schema) return fault("roles", "schema data_import is missing", set_up);
    if (!state.service_may_connect)
        return fault("roles", "role data-import may not log in, connect, or use schema data_import",
                     on_and_here(place, psql("-c 'ALTER ROLE \"data-import\" LOGIN'"), set_up));
    if (!server.powerful_roles.empty()) {
        const std::string& role = server.powerful_roles.front();
        return fault("roles", "role " + role + " may do more than use the data",
                     on(place, psql("-c 'ALTER ROLE \"" + role +
                                    "\" NOSUPERUSER NOCREATEROLE NOCREATEDB NOREPLICATION NOBYPASSRLS' -c "
                                    "'REVOKE \"data-import-owner\" FROM \"" +
                                    role + "\"'")));
    }
    if (server.owner_may_log_in) {
        return warning("roles", "role data-import-owner may log in",
                       on(place, psql("-c 'ALTER ROLE \"data-import-owner\" NOLOGIN'")));
    }
    return ok("roles", "data-import and data-import-owner have the privileges that they need, and no others");
}

/// Lists the first five rights, and says how many more there are.
std::string first_of(std::vector<std::string> rights) {
    constexpr std::size_t most = 5;
    const std::size_t count = rights.size();
    rights.resize(std::min(count, most));
    return util::joined(rights) + (count > most ? ", and " + std::to_string(count - most) + " more" : "");
}

/// Checks the rights of the roles. Call it only for a database that has all migrations.
Finding check_rights(const Context& context, database::Database& database) {
    const auto available = store::own_migrations(context.settings().sql_directory);
    const store::RightsDiagnosis rights = store::diagnose_rights(database, available.schema, deadline());
    const std::string set_up = own_command(context, "db setup");
    if (!rights.missing.empty()) return fault("rights", first_of(rights.missing), set_up);
    if (!rights.excessive.empty())
        return fault("rights", first_of(rights.excessive) + ": the migrations do not grant it", set_up);
    return ok("rights", "each role has the privileges that the migrations grant, and no others");
}

Finding check_migrations(Context& context, database::Database& database) {
    try {
        const auto available = store::read_migrations(context.settings().sql_directory);
        const auto applied = store::applied_migrations(database, deadline());
        const auto [pending, newer] = store::compare_migrations(available, applied);
        if (!pending.empty())
            return fault("migrations",
                         (applied.empty() ? "all" : std::to_string(pending.size())) + " are missing",
                         own_command(context, "db migrate"));
        if (!newer.empty())
            return warning("migrations", "newer than this program: " + store::describe_newer(newer),
                           "apt-get install data-import");
        return ok("migrations", "all, to " + std::to_string(available.schema.version));
    } catch (const store::MigrationError& wrong) {
        return fault("migrations", wrong.what(), "apt-get install --reinstall data-import");
    }
}

/// Checks that a new session can write. If it cannot, older sessions of the workers may still work.
Finding check_writing(const DatabaseServer& place, database::Database& database) {
    const std::string subject = "service's session";
    try {
        store::check_writing(database, deadline());
        return ok(subject, "can be opened with the setting database, and can write");
    } catch (const database::SchemaMissing&) {
        // A missing schema is no fault of the session. The check of the migrations reports it.
        return ok(subject, "can be opened with the setting database");
    } catch (const database::Unavailable& unavailable) {
        return fault(subject, std::string("cannot do what imports need: ") + unavailable.what(),
                     remedy_of_session(unavailable.what(), place));
    }
}

/// Returns a warning if settings make PostgreSQL log the values of the service's calls; nothing otherwise.
///
/// The remedy changes the settings for the role in this database, because values that are set there override
/// all others. The remedy also reloads the service, because running sessions keep their settings.
Findings check_values_in_log(const Context& context, const DatabaseServer& place,
                             database::Database& database) {
    const std::vector<std::string> settings = store::list_settings_that_log_values(database, deadline());
    if (settings.empty()) return {};
    const std::string role = "ALTER ROLE " + store::quote_identifier(role_of(context.settings().database)) +
                             " IN DATABASE " +
                             store::quote_identifier(store::database_name(context.settings().database));
    std::string statements;
    for (const std::string& name : settings)
        statements +=
            (statements.empty() ? "" : " ") + util::shell_command("-c", {role + " SET " + name + " = 0"});
    return {
        warning("PostgreSQL's log",
                "gets the values of the service's calls, payloads among them, by " + util::joined(settings),
                on_and_here(place, psql(statements), "systemctl reload data-import"))};
}

/// Returns whether the server is reached by a local socket. Only a socket proves that the server's
/// directories are on this machine, because a TCP port may lead to another machine.
bool is_by_socket(const std::string& conninfo) {
    return conninfo.find("host=/") != std::string::npos || conninfo.find("host=") == std::string::npos;
}

/// Returns a fault with Finding::subject `subject`, because a database or a role does not exist. `role` is
/// the missing role; empty if the database is missing. `reason` is PostgreSQL's message.
///
/// The remedy is the command `db setup` if it can help: if the settings `database` and `admin_database` name
/// the same database, and this database or the service's role is missing. Otherwise the remedy begins with
/// `edit`, the command that opens the setting in an editor.
Finding unknown(const Context& context, const std::string& subject, const std::string& reason,
                const std::string& role, const std::string& edit) {
    const std::string two = two_databases(context.settings());
    if (two.empty() && (role.empty() || role == store::service_role))
        return fault(subject, "is not set up: " + reason, own_command(context, "db setup"));
    return fault(subject, (two.empty() ? "a role that db setup does not make" : two) + ": " + reason,
                 edit + " && systemctl reload data-import");
}

/// Facts that have to be found before the process becomes another user, who may not be able to read the
/// configuration.
struct Beginning {
    bool is_root = geteuid() == 0;
    std::string edit;  ///< the command that opens the setting in an editor
};

Finding away(const Context& context, const std::string& subject, const database::Unavailable& unavailable,
             const char* setting, const Beginning& began) {
    const std::string reason = unavailable.what();
    const database::Refusal& refusal = unavailable.refusal();
    const bool is_service = std::string_view(setting) == "database";
    const config::Settings& settings = context.settings();
    const std::string& conninfo = is_service ? settings.database : settings.admin_database;
    if (refusal.sqlstate == "3D000") return unknown(context, subject, reason, "", began.edit);
    if (is_role_refused(refusal)) return unknown(context, subject, reason, role_of(conninfo), began.edit);
    if (refusal.sqlstate == "42501")
        return fault(subject, "may not be used: " + reason, own_command(context, "db setup"));
    const bool is_closed = is_user_refused(refusal) || reason.find("Permission denied") != std::string::npos;
    if (is_closed && !began.is_root)
        return unseen(subject, "is closed to this user: " + reason, as_root(context));
    return fault(subject, "does not answer: " + reason,
                 remedy_of_no_session(reason, refusal,
                                      {.server = server_of(settings, conninfo),
                                       .conninfo = conninfo,
                                       .edit = began.edit,
                                       .setting = setting,
                                       .is_service = is_service,
                                       .pool = size_of_pool(settings)}));
}

database::Options session_options(const std::string& conninfo) {
    return {.conninfo = conninfo,
            .application_name = std::string(console::program_name),
            .statement_timeout = patience};
}

/// Checks that the service can open a session on a worker of Citus, because it sends imports to the worker
/// that has their account.
Finding check_node(const std::string& conninfo, const store::Node& node) {
    const std::string subject = "Citus's worker " + node.host + ':' + std::to_string(node.port);
    const std::string remedy =
        util::with_remark("systemctl status postgresql",
                          "on that server; its pg_hba.conf has to let the service in as on the coordinator");
    try {
        database::Database database(session_options(database::conninfo_at(conninfo, node.host, node.port)));
        static_cast<void>(store::has_schema(database, deadline()));
        return ok(subject, "lets the service in");
    } catch (const database::Unavailable& unavailable) {
        return fault(subject, std::string("takes no imports for its accounts: ") + unavailable.what(),
                     remedy);
    } catch (const database::TimedOut&) {
        return fault(subject, "does not answer within " + std::to_string(patience.count()) + " s", remedy);
    }
}

Findings check_nodes(const std::string& conninfo, database::Database& database) {
    Findings findings;
    try {
        for (const store::Node& node : store::find_nodes(database, deadline()))
            findings.push_back(check_node(conninfo, node));
    } catch (const database::SchemaMissing&) {
        // The check of the migrations reports a missing schema.
    }
    return findings;
}

Finding slow(const DatabaseServer& place, const std::string& subject) {
    const std::string units = place.is_of_several ? "patroni postgresql" : "postgresql";
    return fault(subject, "does not answer within " + std::to_string(patience.count()) + " s",
                 on(place, "systemctl status " + units + (place.is_here() ? "; ss -x; top" : "; top")));
}

}  // namespace

Finding compare_clocks(std::int64_t server, std::int64_t asked_at, std::int64_t answered_at) {
    const std::int64_t difference =
        server < asked_at ? asked_at - server : std::max<std::int64_t>(0, server - answered_at);
    const std::string subject = "database's clock";
    if (difference < warning_of_clock) return ok(subject, "agrees with this machine's");
    const std::string text =
        "differs from this machine's by " + std::to_string(difference / 1'000'000) + " s";
    const std::string remedy = util::with_remark(
        synchronise_clock,
        "on both machines; without a time service first: apt-get install systemd-timesyncd");
    return difference < fault_of_clock ? warning(subject, text, remedy) : fault(subject, text, remedy);
}

std::string two_databases(const config::Settings& settings) {
    try {
        const std::string own = store::database_name(settings.database);
        const std::string administrators = store::database_name(settings.admin_database);
        if (own == administrators) return "";
        return "`database` names " + own + ", and `admin_database` " + administrators;
    } catch (const store::SetupError&) {
        return "";
    }
}

Findings check_database(Context& context) {
    const Beginning began{.edit = edit_setting(context, "admin_database")};
    const std::string& administrator = context.settings().admin_user;
    if (began.is_root && !administrator.empty() && getpwnam(administrator.c_str()) == nullptr) {
        return {fault("database",
                      "there is no system user " + administrator + ": PostgreSQL is not installed here",
                      util::with_remark(
                          "apt-get install postgresql && " + own_command(context, "db setup"),
                          "or set admin_user and admin_database: " + edit_setting(context, "admin_user")))};
    }
    const DatabaseServer place = server_of(context.settings(), context.settings().admin_database);
    try {
        const auto database = context.open_database(context.settings().admin_database, "");
        const std::int64_t asked_at = microseconds_now();
        const store::ServerDiagnosis server = store::diagnose_server(*database, deadline());
        const std::int64_t answered_at = microseconds_now();
        const store::ServerState state = store::inspect_server(*database, deadline());
        Findings findings{check_version(place, server),
                          compare_clocks(server.clock_microseconds, asked_at, answered_at),
                          check_durability(place, server), check_roles(context, place, state, server)};
        append(findings, judge_connections(context.settings(), place, server,
                                           store::list_session_limits(*database, deadline())));
        append(findings, check_pending_restart(place, server));
        const auto replication = store::diagnose_replication(*database, deadline());
        append(findings, judge_replication(replication, place));
        if (state.has_schema) {
            findings.push_back(check_migrations(context, *database));
            if (findings.back().health == Health::ok) findings.push_back(check_rights(context, *database));
        }
        if (is_by_socket(context.settings().admin_database) && !server.data_directory.empty()) {
            append(findings, check_file_system(context, server.data_directory));
        }
        return findings;
    } catch (const database::Unavailable& unavailable) {
        return {away(context, "database", unavailable, "admin_database", began)};
    } catch (const database::TimedOut&) {
        return {slow(place, "database")};
    }
}

void become_service() {
    if (geteuid() == 0 && getpwnam(service_user) != nullptr) console::become_user(service_user);
}

std::optional<gid_t> service_group() {
    const passwd* user = getpwnam(service_user);
    return user == nullptr ? std::nullopt : std::optional<gid_t>(user->pw_gid);
}

Findings check_service_session(Context& context) {
    const Beginning began{.edit = edit_setting(context, "database")};
    const DatabaseServer place = server_of(context.settings(), context.settings().database);
    become_service();
    try {
        database::Database database(session_options(context.settings().database));
        if (store::has_schema(database, deadline())) {
            Findings findings{check_writing(place, database)};
            append(findings, check_sessions(context, place, database));
            append(findings, check_values_in_log(context, place, database));
            append(findings, check_nodes(context.settings().database, database));
            return findings;
        }
        if (const std::string two = two_databases(context.settings()); !two.empty())
            return {
                unknown(context, "service's session", "the first has no schema data_import", "", began.edit)};
        return {ok("service's session", "can be opened with the setting database")};
    } catch (const database::SharedSession& shared) {
        return {fault("service's session", shared.what(), edit_pooler(place, "pool_mode = session"))};
    } catch (const database::Unavailable& unavailable) {
        return {away(context, "service's session", unavailable, "database", began)};
    } catch (const database::TimedOut&) {
        return {slow(place, "service's session")};
    }
}

}  // namespace data_import::doctor

// The commands `db setup | migrate | check | distribute`.
#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "base/util/joined.h"
#include "data/database/database.h"
#include "data/database/hosts.h"
#include "data/json/writer.h"
#include "data/store/distribution.h"
#include "data/store/migrations.h"
#include "data/store/rights.h"
#include "data/store/schema_version.h"
#include "data/store/setup.h"
#include "tools/console/bounded.h"
#include "tools/console/text_table.h"
#include "tools/ctl/columns.h"
#include "tools/ctl/command.h"
#include "tools/ctl/progress_line.h"
#include "tools/ctl/values.h"
#include "tools/doctor/doctor.h"

namespace data_import::ctl {

namespace {

/// The database to connect to before the installation's own database exists. Every server has it.
constexpr const char* maintenance_database = "postgres";

constexpr std::chrono::milliseconds pause_between_hosts{500};

std::string advised(const std::string& verb) {
    return std::string(program_name) + " db " + verb;
}

void print_results(const Context& context, const std::vector<store::SetupResult>& results) {
    static const Columns<store::SetupResult> columns = {{"subject", "", &store::SetupResult::subject},
                                                        {"made", "", &store::SetupResult::is_new}};
    if (context.json()) return Context::print(columns.json(results));
    for (const auto& result : results)
        Context::print(result.subject + (result.is_new ? ": made\n" : ": there already\n"));
}

void print_migrations(const Context& context, const std::vector<store::Migration>& applied) {
    if (!context.json()) {
        if (applied.empty())
            Context::print("up to date, version " + std::to_string(store::schema_version) + "\n");
        return;
    }
    json::Writer writer;
    writer.begin_object().key("version").integer(store::schema_version).key("applied").begin_array();
    for (const auto& migration : applied) {
        writer.begin_object().key("version").integer(migration.version);
        writer.key("name").string(migration.name).end_object();
    }
    Context::print(writer.end_array().end_object().take() + "\n");
}

struct ServiceSession {
    std::string failure;  ///< the reason why no session can be opened; empty if one can
    /// True if PostgreSQL refused the session to the system user who runs this program. Then the service's
    /// own system user may be able to open the session all the same.
    bool is_for_service_alone = false;
};

/// The findings of a check, with advice unless all is well.
struct Findings {
    store::ServerState server;
    std::string database;
    std::vector<store::AppliedMigration> applied;
    store::MigrationComparison migrations;
    /// Faults of the roles' rights. Empty if the database lacks migrations or has newer ones, because the
    /// rights are not checked then.
    store::RightsDiagnosis rights;
    ServiceSession service_session;
    std::string advice;
};

constexpr std::chrono::seconds patience_with_service{10};
constexpr char mark_of_refused_user = '!';

/// Opens a session as the service does. Returns the failure, with `mark_of_refused_user` in front if the
/// system user was refused; empty if it works.
std::string open_service_session(const Context& context) {
    doctor::become_service();
    try {
        database::Database database({.conninfo = context.settings().database,
                                     .application_name = std::string(program_name),
                                     .statement_timeout = patience_with_service});
        static_cast<void>(store::has_schema(database, Context::soon()));
        return "";
    } catch (const database::Unavailable& away) {
        return (is_user_refused(away.refusal()) ? std::string(1, mark_of_refused_user) : "") + away.what();
    }
}

/// Tries to open a session as the service does, and returns the failure, if any. Has to be called before the
/// database is used, because this process is no longer root after that.
///
/// Root tries it as the service's own user, because PostgreSQL's peer authentication looks at the system
/// user.
ServiceSession try_service_session(const Context& context) {
    try {
        const std::string failure =
            run_bounded([&] { return open_service_session(context); }, patience_with_service);
        if (!failure.starts_with(mark_of_refused_user)) return {failure};
        return {failure.substr(1), true};
    } catch (const Failure& failure) {
        return {failure.what()};
    }
}

std::string advice_on_session(const Context& context, const std::string& reason) {
    const std::string two = doctor::two_databases(context.settings());
    if (two.empty())
        return "the service's session is not possible (" + reason + "); " + std::string(program_name) +
               " doctor says what to do";
    return two + " (" + reason + "); set both to one database in " + context.config_file().string();
}

std::string advice_on(const Context& context, const Findings& findings) {
    const auto& server = findings.server;
    if (!server.has_roles() || !server.has_schema) {
        return "the database is not set up; run " + advised("setup");
    }
    const auto& pending = findings.migrations.pending;
    if (!pending.empty() && findings.applied.empty()) {
        return "the schema has no tables; run " + advised("migrate");
    }
    if (!pending.empty()) {
        return std::to_string(pending.size()) + " migrations are missing; run " + advised("migrate");
    }
    if (!server.service_may_connect) {
        return "role " + std::string(store::service_role) + " may not use the database; run " +
               advised("setup");
    }
    if (!findings.rights.missing.empty() || !findings.rights.excessive.empty())
        return "the rights of the roles are not those that the migrations grant; run " + advised("setup");
    const ServiceSession& session = findings.service_session;
    if (!session.failure.empty() && !session.is_for_service_alone)
        return advice_on_session(context, session.failure);
    return "";
}

Findings inspect(Context& context, const store::Migrations& available) {
    Findings findings;
    findings.service_session = try_service_session(context);
    findings.database = store::database_name(context.settings().admin_database);
    const auto administrator = context.open_database(context.settings().admin_database, "");
    findings.server = store::inspect_server(*administrator, Context::soon());
    if (findings.server.has_owner_role && findings.server.has_schema) {
        findings.applied = store::applied_migrations(context.database(), Context::soon());
    }
    findings.migrations = store::compare_migrations(available, findings.applied);
    if (!findings.applied.empty() && findings.migrations.pending.empty() && findings.migrations.newer.empty())
        findings.rights = store::diagnose_rights(context.database(), available.schema, Context::soon());
    findings.advice = advice_on(context, findings);
    return findings;
}

std::string list_versions(const auto& migrations) {
    const std::string list = util::joined(migrations, [](const auto& migration) {
        return std::to_string(migration.version) + " " + migration.name;
    });
    return list.empty() ? "none" : list;
}

std::string session_text(const ServiceSession& session) {
    if (session.failure.empty()) return "works";
    return (session.is_for_service_alone ? "only the service's own user can try it: " : "not possible: ") +
           session.failure;
}

std::string rights_text(const store::RightsDiagnosis& rights) {
    std::vector<std::string> wrong = rights.missing;
    wrong.insert(wrong.end(), rights.excessive.begin(), rights.excessive.end());
    return wrong.empty() ? "as granted" : util::joined(wrong);
}

std::string text_of(const Findings& findings) {
    const auto there = [](bool is_there) { return is_there ? "there" : "missing"; };
    const auto& server = findings.server;
    const auto& newer = findings.migrations.newer;
    return property_list({{"server", "PostgreSQL " + server.version + ", as " + server.connected_as},
                          {"database", findings.database},
                          {"role " + std::string(store::owner_role), there(server.has_owner_role)},
                          {"role " + std::string(store::service_role), there(server.has_service_role)},
                          {"role " + std::string(store::platform_role), there(server.has_platform_role)},
                          {"role " + std::string(store::reader_role), there(server.has_reader_role)},
                          {"role " + std::string(store::operator_role), there(server.has_operator_role)},
                          {"schema data_import", there(server.has_schema)},
                          {"migrations applied", list_versions(findings.applied)},
                          {"migrations pending", list_versions(findings.migrations.pending)},
                          {"newer than this program", newer.empty() ? "none" : store::describe_newer(newer)},
                          {"rights", rights_text(findings.rights)},
                          {"service's session", session_text(findings.service_session)}});
}

void write_versions(json::Writer& writer, std::string_view name, const auto& migrations) {
    writer.key(name).begin_array();
    for (const auto& migration : migrations) writer.integer(migration.version);
    writer.end_array();
}

void write_texts(json::Writer& writer, std::string_view name, const std::vector<std::string>& texts) {
    writer.key(name).begin_array();
    for (const std::string& text : texts) writer.string(text);
    writer.end_array();
}

std::string json_of(const Findings& findings) {
    const auto& server = findings.server;
    json::Writer writer;
    writer.begin_object().key("server_version").string(server.version);
    writer.key("connected_as").string(server.connected_as).key("database").string(findings.database);
    writer.key("owner_role")
        .boolean(server.has_owner_role)
        .key("service_role")
        .boolean(server.has_service_role)
        .key("platform_role")
        .boolean(server.has_platform_role)
        .key("reader_role")
        .boolean(server.has_reader_role)
        .key("operator_role")
        .boolean(server.has_operator_role);
    writer.key("schema").boolean(server.has_schema);
    write_versions(writer, "applied", findings.applied);
    write_versions(writer, "pending", findings.migrations.pending);
    write_versions(writer, "newer", findings.migrations.newer);
    write_texts(writer, "missing_rights", findings.rights.missing);
    write_texts(writer, "excessive_rights", findings.rights.excessive);
    writer.key("service_session").boolean(findings.service_session.failure.empty());
    writer.key("ready").boolean(findings.advice.empty());
    return writer.end_object().take() + "\n";
}

/// Makes the roles of readers and operators if they are missing. Throws Failure if the platform's role is
/// missing.
///
/// Migrations grant rights to these roles, but the session of a migration cannot make roles.
void need_roles(Context& context) {
    const store::ServerState server = store::inspect_server(context.database(), Context::soon());
    if (!server.has_platform_role) {
        throw Failure("the server has no role " + std::string(store::platform_role) + "; run " +
                      advised("setup"));
    }
    const std::string& conninfo = context.settings().admin_database;
    const auto make = [&](std::string_view role) {
        store::make_later_role(*context.open_database(conninfo, ""), store::database_name(conninfo), role,
                               Context::soon());
    };
    if (!server.has_reader_role) make(store::reader_role);
    if (!server.has_operator_role) make(store::operator_role);
}

std::vector<store::DistributedTable> distribute(Context& context, const store::Migrations& available) {
    ProgressLine progress;
    auto tables = store::distribute(
        context.database(), [&](const std::string& stage) { progress.phase(stage); }, Context::late());
    store::restore_rights(context.database(), available.schema, Context::late());
    return tables;
}

std::vector<store::Migration> apply_pending(Context& context) {
    const auto available = store::own_migrations(context.settings().sql_directory);
    database::Database& database = context.database();
    if (!store::has_schema(database, Context::soon())) {
        throw Failure("the database has no schema data_import; run " + advised("setup"));
    }
    const auto before = store::applied_migrations(database, Context::soon());
    const auto pending = store::pending_migrations(available, before);
    if (!pending.empty()) need_roles(context);
    std::vector<store::Migration> applied;
    for (const auto& migration : pending) {
        if (!store::apply_migration(database, migration, Context::late())) continue;
        applied.push_back(migration);
        if (context.json()) continue;
        const std::string version = std::to_string(migration.version);
        Context::print(before.empty() ? "tables: made, version " + version + "\n"
                                      : "applied " + version + " " + migration.name + "\n");
    }
    if (!applied.empty() && store::is_distributed(database, Context::soon()))
        static_cast<void>(distribute(context, available));
    return applied;
}

/// Completes the set-up. An empty schema is filled at once, because no service works with it yet. A database
/// with data is migrated only by `db migrate`, and gets its rights once it has all migrations.
void complete(Context& context, std::vector<store::SetupResult> results) {
    const auto available = store::own_migrations(context.settings().sql_directory);
    const auto applied = store::applied_migrations(context.database(), Context::soon());
    const auto [pending, newer] = store::compare_migrations(available, applied);
    if (pending.empty() && newer.empty())
        results.push_back(
            {"rights", store::restore_rights(context.database(), available.schema, Context::late())});
    print_results(context, results);
    if (applied.empty())
        apply_pending(context);
    else if (!pending.empty() && !context.json())
        Context::print("next: " + advised("migrate") + "\n");
}

/// Returns for how long `db setup` tries again. While several hosts of a database choose another primary,
/// none of them takes writes for some seconds.
std::chrono::seconds patience_with_hosts(const Context& context) {
    const bool has_several = database::hosts_of(context.settings().admin_database).size() > 1;
    return has_several ? std::chrono::seconds(30) : std::chrono::seconds(0);
}

/// Adds the results of another attempt to `results`. An object that an earlier attempt has made still counts
/// as new.
void note(std::vector<store::SetupResult>& results, const std::vector<store::SetupResult>& done) {
    for (const store::SetupResult& result : done) {
        const auto known = std::find_if(results.begin(), results.end(), [&](const store::SetupResult& other) {
            return other.subject == result.subject;
        });
        if (known == results.end())
            results.push_back(result);
        else
            known->is_new = known->is_new || result.is_new;
    }
}

/// Makes the roles, the database and the schema if they are missing. Adds each of them, found or made, to
/// `results`. Then looks for the schema in a new session, which may lead to another host of the database.
///
/// Returns true if the new session has found the schema, or if the time `end` has come. Otherwise returns
/// false, and the caller has to call set_up() again. If the connection to the database fails after `end`,
/// throws database::Unavailable or database::OutcomeUnknown.
bool set_up(Context& context, std::vector<store::SetupResult>& results,
            std::chrono::steady_clock::time_point end) {
    const std::string& conninfo = context.settings().admin_database;
    try {
        const std::string name = store::database_name(conninfo);
        const auto server = context.open_database(store::with_database(conninfo, maintenance_database), "");
        note(results, store::set_up_server(*server, name, Context::soon()));
        const auto database = context.open_database(conninfo, "");
        note(results, store::set_up_schema(*database, Context::soon()));
        const auto other = context.open_database(conninfo, std::string(store::owner_role));
        return store::has_schema(*other, Context::soon()) || std::chrono::steady_clock::now() >= end;
    } catch (const database::Unavailable&) {
        if (std::chrono::steady_clock::now() >= end) throw;
    } catch (const database::OutcomeUnknown&) {
        if (std::chrono::steady_clock::now() >= end) throw;
    }
    return false;
}

void print_distribution(const Context& context, const std::vector<store::DistributedTable>& tables) {
    using Table = store::DistributedTable;
    static const Columns<Table> columns = {{"table", "", &Table::name},
                                           {"by_account_key", "", &Table::is_per_account},
                                           {"made", "", &Table::is_new}};
    if (context.json()) return Context::print(columns.json(tables));
    for (const auto& table : tables) {
        Context::print("table " + table.name + ": " +
                       (table.is_per_account ? "by account_key" : "on every worker") +
                       (table.is_new ? "\n" : " already\n"));
    }
}

void set_up_database(Context& context, const Invocation&) {
    std::vector<store::SetupResult> results;
    const auto end = std::chrono::steady_clock::now() + patience_with_hosts(context);
    while (!set_up(context, results, end)) std::this_thread::sleep_for(pause_between_hosts);
    complete(context, std::move(results));
}

void migrate_database(Context& context, const Invocation&) {
    print_migrations(context, apply_pending(context));
}

void check_database(Context& context, const Invocation&) {
    const Findings findings = inspect(context, store::own_migrations(context.settings().sql_directory));
    Context::print(context.json() ? json_of(findings) : text_of(findings));
    if (!findings.advice.empty()) throw Failure(findings.advice);
}

void distribute_database(Context& context, const Invocation&) {
    print_distribution(context, distribute(context, store::own_migrations(context.settings().sql_directory)));
}

}  // namespace

std::vector<Command> database_commands() {
    return {
        command(
            "db setup", {}, {}, set_up_database,
            "Creates what is missing: roles, database and schema, and in a new schema the tables. Grants "
            "the roles the rights that they need, and no others. It needs an administrator of PostgreSQL. "
            "Safe to repeat."),
        command("db migrate", {}, {}, migrate_database,
                "Makes all tables at once where there are none; else applies the migrations that the "
                "database lacks, "
                "each in one transaction. Distributes again what Citus has spread."),
        command(
            "db check", {}, {}, check_database,
            "Checks whether roles, database and migrations are as this program needs them. The program also "
            "works with the tables of the next version, and names migrations that are newer than itself."),
        command("db distribute", {}, {}, distribute_database,
                "Lets Citus spread the tables of accounts over its workers. An administrator must have added "
                "the workers before. Imports wait meanwhile. Safe to repeat.")};
}

}  // namespace data_import::ctl

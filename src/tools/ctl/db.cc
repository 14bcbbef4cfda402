// The commands `db setup | migrate | distribute`.
#include <chrono>
#include <thread>

#include "data/database/database.h"
#include "data/database/hosts.h"
#include "data/json/writer.h"
#include "data/store/distribution.h"
#include "data/store/migrations.h"
#include "data/store/rights.h"
#include "data/store/schema_version.h"
#include "data/store/setup.h"
#include "tools/ctl/columns.h"
#include "tools/ctl/command.h"
#include "tools/ctl/progress_line.h"

namespace data_import::ctl {

namespace {

/// The database to connect to before the installation's own database exists. Every server has it.
constexpr const char* maintenance_database = "postgres";

constexpr std::chrono::milliseconds pause_between_hosts{500};

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

/// Makes the roles of readers and operators if they are missing. Throws Failure if the platform's role is
/// missing.
///
/// Migrations grant rights to these roles, but the session of a migration cannot make roles.
void need_roles(Context& context) {
    const store::ServerState server = store::inspect_server(context.database(), Context::soon());
    if (!server.has_platform_role) {
        throw Failure("the server has no role " + std::string(store::platform_role) + "; run " +
                      db_command("setup"));
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
        throw Failure("the database has no schema data_import; run " + db_command("setup"));
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
    // also if an earlier call has applied the migrations and was interrupted before the end
    if (store::needs_distribution(database, Context::soon()))
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
        Context::print("next: " + db_command("migrate") + "\n");
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
        command("db distribute", {}, {}, distribute_database,
                "Lets Citus spread the tables of accounts over its workers. An administrator must have added "
                "the workers before. Imports wait meanwhile. Safe to repeat.")};
}

}  // namespace data_import::ctl

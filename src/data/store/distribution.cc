#include "data/store/distribution.h"

#include <chrono>
#include <thread>

#include "data/store/setup.h"

namespace data_import::store {

namespace {

constexpr std::chrono::milliseconds pause{100};

bool ask(database::Database& database, const char* name, const char* sql, database::Deadline deadline) {
    return database.execute({.name = name, .sql = sql}, deadline).boolean(0, 0);
}

bool has_citus(database::Database& database, database::Deadline deadline) {
    return ask(database, "has_citus",
               "SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_extension WHERE extname = 'citus')", deadline);
}

void check_coordinator(database::Database& database, database::Deadline deadline) {
    if (!has_citus(database, deadline)) {
        throw DistributionError(
            "this database has no extension citus; an administrator makes it, here and on the workers: "
            "CREATE EXTENSION citus");
    }
    if (!ask(database, "is_coordinator", "SELECT groupid = 0 FROM pg_catalog.pg_dist_local_group", deadline))
        throw DistributionError("this is a worker of Citus; set admin_database to its coordinator");
}

/// Checks that the roles of owner and service may log in on each of Citus's workers, because Citus logs in on
/// its workers as the role that runs a statement.
void check_workers(database::Database& database, database::Deadline deadline) {
    const database::Rows workers = database.execute(
        {.name = "ask_workers",
         .sql = "SELECT nodename || ':' || nodeport, success, result "
                "FROM pg_catalog.run_command_on_workers(pg_catalog.format("
                "'SELECT count(*) = 2 FROM pg_catalog.pg_roles WHERE rolname IN (%L, %L) AND rolcanlogin', "
                "$1::text, $2::text)) ORDER BY 1",
         .parameters = {std::string(owner_role), std::string(service_role)}},
        deadline);
    if (workers.size() == 0) {
        throw DistributionError(
            "Citus has no workers; an administrator adds them: SELECT citus_add_node('HOST', PORT)");
    }
    for (std::size_t row = 0; row < workers.size(); ++row) {
        const std::string worker = "Citus's worker " + std::string(workers.text(row, 0));
        if (!workers.boolean(row, 1))
            throw DistributionError(worker + " cannot be used: " + std::string(workers.text(row, 2)));
        if (workers.text(row, 2) != "t") {
            throw DistributionError(worker + " lets not both in, " + std::string(owner_role) + " and " +
                                    std::string(service_role) +
                                    "; they have to be roles with LOGIN there, too");
        }
    }
}

/// Calls a function of data_import that has no parameters and returns nothing.
void call(database::Database& database, const std::string& function, database::Deadline deadline) {
    database.execute({.name = function, .sql = "SELECT data_import." + function + "()"}, deadline);
}

/// Does work in a transaction with the lock of migrations, so that migrations and other distributions wait.
void alone(database::Database& database, database::Deadline deadline, const std::function<void()>& work) {
    const auto held = [&] {
        database.execute_script("SET LOCAL statement_timeout = 0; SET LOCAL client_min_messages = warning",
                                deadline);
        database.execute({.name = "hold_migrations",
                          .sql = "SELECT pg_catalog.pg_advisory_xact_lock("
                                 "data_import.lock_number('schema_migration', ''))"},
                         deadline);
        work();
    };
    database.transaction(held, deadline);
}

/// Locks the tables that are to be distributed. Retries until no other transaction uses them.
void lock_tables(database::Database& database, database::Deadline deadline) {
    const database::Call lock{.name = "try_lock_tables", .sql = "SELECT data_import.try_lock_tables()"};
    while (!database.execute(lock, deadline).boolean(0, 0)) std::this_thread::sleep_for(pause);
}

std::vector<DistributedTable> distribute_tables(database::Database& database,
                                                const std::function<void(const std::string&)>& begin,
                                                database::Deadline deadline) {
    lock_tables(database, deadline);
    std::vector<DistributedTable> tables;
    const database::Rows rows = database.execute(
        {.name = "distribution", .sql = "SELECT * FROM data_import.distribution()"}, deadline);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        tables.push_back({rows[row].text(0), rows.boolean(row, 1), !rows.boolean(row, 2)});
        if (!tables.back().is_new) continue;
        begin("distributing " + tables.back().name);
        database.execute({.name = "distribute_table",
                          .sql = "SELECT data_import.distribute_table($1, $2)",
                          .parameters = {tables.back().name, rows[row].text(1)}},
                         deadline);
    }
    return tables;
}

/// Waits until all transactions of the database that run now have ended.
void wait_for_transactions(database::Database& database, database::Deadline deadline) {
    const database::Rows running = database.execute(
        {.name = "running_transactions", .sql = "SELECT data_import.running_transactions()"}, deadline);
    const database::Call are_some_left{.name = "are_some_left",
                                       .sql = "SELECT data_import.running_transactions() && $1::text[]",
                                       .parameters = {std::string(running.text(0, 0))}};
    while (database.execute(are_some_left, deadline).boolean(0, 0)) std::this_thread::sleep_for(pause);
}

}  // namespace

bool is_distributed(database::Database& database, database::Deadline deadline) {
    return has_citus(database, deadline) &&
           ask(database, "is_distributed",
               "SELECT EXISTS (SELECT 1 FROM data_import.distribution() WHERE is_distributed)", deadline);
}

bool needs_distribution(database::Database& database, database::Deadline deadline) {
    return is_distributed(database, deadline) &&
           ask(database, "needs_distribution",
               "SELECT NOT EXISTS (SELECT 1 FROM data_import.work_on_nodes WHERE work = 'make_shard_groups ' "
               "|| "
               "(SELECT max(version) FROM data_import.schema_migration))",
               deadline);
}

std::vector<DistributedTable> distribute(database::Database& database,
                                         const std::function<void(const std::string&)>& begin,
                                         database::Deadline deadline) {
    check_coordinator(database, deadline);
    check_workers(database, deadline);
    call(database, "prepare_workers", deadline);
    std::vector<DistributedTable> tables;
    alone(database, deadline, [&] {
        tables = distribute_tables(database, begin, deadline);
        call(database, "distribute_functions", deadline);
    });
    begin("waiting for transactions that began before");
    wait_for_transactions(database, deadline);
    begin("making the functions of the shard groups");
    alone(database, deadline, [&] { call(database, "make_shard_groups", deadline); });
    return tables;
}

}  // namespace data_import::store

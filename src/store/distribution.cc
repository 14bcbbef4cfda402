#include "store/distribution.h"

#include "store/setup.h"

namespace data_import::store {

namespace {

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

/// Citus logs in on the workers as the role that a statement runs as.
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

}  // namespace

bool is_distributed(database::Database& database, database::Deadline deadline) {
    return has_citus(database, deadline) &&
           ask(database, "is_distributed",
               "SELECT EXISTS (SELECT 1 FROM data_import.distribution() WHERE is_distributed)", deadline);
}

std::vector<DistributedTable> distribute(database::Database& database,
                                         const std::function<void(const std::string&)>& begin,
                                         database::Deadline deadline) {
    check_coordinator(database, deadline);
    check_workers(database, deadline);
    std::vector<DistributedTable> tables;
    const auto work = [&] {
        database.execute_script("SET LOCAL statement_timeout = 0; SET LOCAL client_min_messages = warning",
                                deadline);
        database.execute({.name = "hold_migrations",
                          .sql = "SELECT pg_catalog.pg_advisory_xact_lock("
                                 "data_import.lock_number('schema_migration', ''))"},
                         deadline);
        const database::Rows rows = database.execute(
            {.name = "distribution", .sql = "SELECT * FROM data_import.distribution()"}, deadline);
        for (std::size_t row = 0; row < rows.size(); ++row) {
            tables.push_back({rows[row].text(0), rows.boolean(row, 1), !rows.boolean(row, 2)});
            if (!tables.back().is_new) continue;
            begin(tables.back().name);
            database.execute({.name = "distribute_table",
                              .sql = "SELECT data_import.distribute_table($1, $2)",
                              .parameters = {tables.back().name, rows[row].text(1)}},
                             deadline);
        }
        database.execute({.name = "distribute_functions", .sql = "SELECT data_import.distribute_functions()"},
                         deadline);
    };
    database.transaction(work, deadline);
    return tables;
}

}  // namespace data_import::store

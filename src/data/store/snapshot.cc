#include "data/store/snapshot.h"

#include <stdexcept>
#include <string>

namespace data_import::store {

namespace {

/// Returns a snapshot's name as an SQL literal. Names that PostgreSQL gives have only digits, letters and
/// hyphens.
std::string literal_of(std::string_view snapshot) {
    if (snapshot.find('\'') != std::string_view::npos) throw std::logic_error("no name of a snapshot");
    return "'" + std::string(snapshot) + "'";
}

}  // namespace

// Lets Citus open only one session to each node, because several sessions would have several snapshots.
// PostgreSQL without Citus ignores the settings `citus.*`.
void begin_snapshot(database::Database& database, std::string_view settings, database::Deadline deadline,
                    std::string_view snapshot) {
    std::string statements = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; ";
    if (!snapshot.empty()) (statements += "SET TRANSACTION SNAPSHOT ") += literal_of(snapshot) + "; ";
    statements +=
        "SET LOCAL citus.propagate_set_commands = 'local'; SET LOCAL citus.max_adaptive_executor_pool_size = "
        "1; ";
    database.execute_script(statements += settings, deadline);
}

std::string transaction_time(database::Database& database, database::Deadline deadline) {
    const database::Rows rows =
        database.execute({.name = "transaction_time", .sql = "SELECT now()"}, deadline);
    return rows[0].time(0);
}

std::string export_snapshot(database::Database& database, database::Deadline deadline) {
    return std::string(
        database
            .execute({.name = "export_snapshot", .sql = "SELECT pg_catalog.pg_export_snapshot()"}, deadline)
            .text(0, 0));
}

}  // namespace data_import::store

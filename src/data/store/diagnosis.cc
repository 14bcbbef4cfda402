#include "data/store/diagnosis.h"

#include "data/store/setup.h"

namespace data_import::store {

namespace {

// An SQL condition on a session: its client is on another host than the client that runs the query. Such a
// session cannot belong to the service on the host of the query's client. The socket, the loopback address
// and the server's own address count as one host, because clients on the database server's machine may
// connect through any of them.
constexpr const char* is_from_elsewhere =
    "CASE WHEN coalesce(client_addr, '127.0.0.1') IN ('127.0.0.1', '::1', pg_catalog.inet_server_addr()) "
    "THEN NULL ELSE client_addr END "
    "IS DISTINCT FROM CASE WHEN coalesce(pg_catalog.inet_client_addr(), '127.0.0.1') "
    "IN ('127.0.0.1', '::1', pg_catalog.inet_server_addr()) THEN NULL "
    "ELSE pg_catalog.inet_client_addr() END";

}  // namespace

ServerDiagnosis diagnose_server(database::Database& database, database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = "diagnose_server",
         .sql = "SELECT current_setting('server_version_num')::bigint, "
                "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint, "
                "current_setting('max_connections')::bigint "
                "- current_setting('superuser_reserved_connections')::bigint, "
                "(SELECT count(*) FROM pg_catalog.pg_stat_activity "
                "WHERE backend_type = 'client backend' AND (usename <> $2 OR " +
                std::string(is_from_elsewhere) +
                ")), "
                "CASE WHEN pg_catalog.pg_has_role(current_user, 'pg_read_all_settings', 'MEMBER') "
                "THEN current_setting('data_directory') ELSE '' END, "
                // With Citus the owner needs LOGIN, because Citus logs in on its workers as the owner.
                "coalesce((SELECT rolcanlogin FROM pg_catalog.pg_roles WHERE rolname = $1), false) "
                "AND NOT EXISTS (SELECT FROM pg_catalog.pg_extension WHERE extname = 'citus'), "
                "current_setting('fsync')::boolean, current_setting('full_page_writes')::boolean",
         .parameters = {std::string(owner_role), std::string(service_role)}},
        deadline);
    const database::Rows waiting = database.execute(
        {.name = "find_settings_waiting_for_restart",
         .sql = "SELECT name FROM pg_catalog.pg_settings WHERE pending_restart ORDER BY name"},
        deadline);
    const database::Rows powerful = database.execute(
        {.name = "find_powerful_roles",
         .sql = "SELECT rolname FROM pg_catalog.pg_roles WHERE rolname IN ($2, $3, $4) AND (rolsuper OR "
                "rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls OR pg_catalog.pg_has_role("
                "oid, (SELECT oid FROM pg_catalog.pg_roles WHERE rolname = $1), 'MEMBER')) ORDER BY 1",
         .parameters = {std::string(owner_role), std::string(service_role), std::string(platform_role),
                        std::string(reader_role)}},
        deadline);
    return {.version = rows.integer(0, 0),
            .clock_microseconds = rows.integer(0, 1),
            .free_connections = rows.integer(0, 2) - rows.integer(0, 3),
            .most_connections = rows.integer(0, 2),
            .data_directory = std::string(rows.text(0, 4)),
            .settings_waiting_for_restart = waiting.texts(),
            .has_fsync = rows.boolean(0, 6),
            .has_full_page_writes = rows.boolean(0, 7),
            .owner_may_log_in = rows.boolean(0, 5),
            .powerful_roles = powerful.texts()};
}

std::vector<SessionLimit> list_session_limits(database::Database& database, database::Deadline deadline) {
    const std::string others =
        std::string("count(*) FILTER (WHERE usename <> $1 OR ") + is_from_elsewhere + ")";
    const database::Rows rows = database.execute(
        {.name = "list_session_limits",
         .sql = "SELECT kind, name, most, most - others FROM (SELECT 'ROLE' AS kind, rolname AS name, "
                "rolconnlimit::bigint AS most, (SELECT " +
                others +
                " FROM pg_catalog.pg_stat_activity WHERE usesysid = pg_roles.oid) AS others "
                "FROM pg_catalog.pg_roles WHERE rolname = $1 "
                "UNION ALL SELECT 'DATABASE', datname, datconnlimit, (SELECT " +
                others +
                " FROM pg_catalog.pg_stat_activity WHERE datid = pg_database.oid) "
                "FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database()) AS limits "
                "WHERE most >= 0",
         .parameters = {std::string(service_role)}},
        deadline);
    return rows.each([](const database::Row& row) {
        return SessionLimit{row.text(0), row.text(1), row.integer(2), row.integer(3)};
    });
}

std::vector<std::string> list_settings_that_log_values(database::Database& database,
                                                       database::Deadline deadline) {
    return database
        .execute(
            {.name = "list_settings_that_log_values",
             .sql =
                 "WITH is_set AS (SELECT name, setting FROM pg_catalog.pg_settings) "
                 "SELECT name FROM is_set JOIN (VALUES ('log_parameter_max_length', EXISTS (SELECT FROM "
                 "is_set "
                 "WHERE name = 'log_statement' AND setting IN ('all', 'mod') "
                 "OR name IN ('log_min_duration_statement', 'log_min_duration_sample') AND setting <> '-1' "
                 "OR name = 'log_transaction_sample_rate' AND setting <> '0')), "
                 "('log_parameter_max_length_on_error', true), "
                 "('auto_explain.log_parameter_max_length', EXISTS (SELECT FROM is_set "
                 "WHERE name = 'auto_explain.log_min_duration' AND setting <> '-1'))) "
                 "AS log (name, is_written) USING (name) WHERE is_written AND setting <> '0' ORDER BY name"},
            deadline)
        .texts();
}

std::int64_t count_own_sessions(database::Database& database, database::Deadline deadline) {
    return database
        .execute({.name = "count_own_sessions",
                  .sql = "SELECT count(*) FROM pg_catalog.pg_stat_activity AS session "
                         "JOIN pg_catalog.pg_stat_activity AS own ON own.pid = pg_catalog.pg_backend_pid() "
                         "AND session.client_addr IS NOT DISTINCT FROM own.client_addr "
                         "WHERE session.usesysid = own.usesysid "
                         "AND starts_with(session.application_name, 'data-importd')"},
                 deadline)
        .integer(0, 0);
}

std::vector<std::string> find_missing_rights(database::Database& database, database::Deadline deadline) {
    return database
        .execute({.name = "find_missing_rights",
                  .sql = "SELECT kind || ' on data_import.' || relation FROM (VALUES "
                         "('schema_migration', 'SELECT'), ('import_supplier', 'SELECT'), "
                         "('account', 'SELECT'), ('api_key', 'SELECT'), "
                         "('api_key_import_supplier', 'SELECT'), ('import_receipt', 'INSERT')) "
                         "AS needed (relation, kind) "
                         "WHERE NOT coalesce(pg_catalog.has_table_privilege("
                         "$1, pg_catalog.to_regclass('data_import.' || relation), kind), false) "
                         "UNION ALL SELECT 'EXECUTE on function data_import.' || called FROM (VALUES "
                         "('begin_imports'), ('try_lock_accounts'), ('await_standbys')) AS needed (called) "
                         "WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_proc "
                         "WHERE pronamespace = pg_catalog.to_regnamespace('data_import') "
                         "AND proname = called "
                         "AND pg_catalog.has_function_privilege($1, pg_proc.oid, 'EXECUTE')) "
                         "UNION ALL SELECT 'USAGE on schema data_import' "
                         "WHERE NOT pg_catalog.has_schema_privilege($1, 'data_import', 'USAGE') ORDER BY 1",
                  .parameters = {std::string(service_role)}},
                 deadline)
        .texts();
}

HostDiagnosis diagnose_host(database::Database& database, database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = "diagnose_host",
         .sql = "SELECT pg_catalog.pg_is_in_recovery(), "
                "EXISTS (SELECT FROM pg_catalog.pg_stat_wal_receiver), "
                "(coalesce(CASE WHEN pg_catalog.pg_is_in_recovery() "
                "THEN pg_catalog.pg_last_wal_replay_lsn() ELSE pg_catalog.pg_current_wal_lsn() END, '0/0') "
                "- '0/0'::pg_catalog.pg_lsn)::bigint"},
        deadline);
    return {
        .is_standby = rows.boolean(0, 0), .receives = rows.boolean(0, 1), .log_position = rows.integer(0, 2)};
}

// Reads reset_val, the server's value of synchronous_commit, because this session has set its own value.
ReplicationDiagnosis diagnose_replication(database::Database& database, database::Deadline deadline) {
    const database::Rows settings = database.execute(
        {.name = "diagnose_replication",
         .sql = "SELECT current_setting('synchronous_standby_names'), reset_val, "
                "pg_catalog.pg_has_role(current_user, 'pg_read_all_stats', 'MEMBER'), current_user "
                "FROM pg_catalog.pg_settings WHERE name = 'synchronous_commit'"},
        deadline);
    const database::Rows rows =
        database.execute({.name = "list_standbys",
                          .sql = "SELECT application_name || coalesce(' at ' || host(client_addr), ''), "
                                 "sync_state IN ('sync', 'quorum'), "
                                 "coalesce(pg_catalog.pg_current_wal_lsn() - replay_lsn, 0)::bigint "
                                 "FROM pg_catalog.pg_stat_replication WHERE state <> 'backup' ORDER BY 1"},
                         deadline);
    return {.synchronous_standby_names = settings[0].text(0),
            .synchronous_commit = settings[0].text(1),
            .sees_standbys = settings.boolean(0, 2),
            .standbys = rows.each([](const database::Row& row) {
                return StandbyDiagnosis{row.text(0), row.boolean(1), row.integer(2)};
            }),
            .connected_as = settings[0].text(3)};
}

void keep_doctor_run(database::Database& database, const DoctorRun& run, database::Deadline deadline) {
    database.execute(
        {.name = "keep_doctor_run",
         .sql = "INSERT INTO data_import.doctor_run (host, operator_name, findings) VALUES ($1, $2, $3) "
                "ON CONFLICT (host) DO UPDATE SET at = excluded.at, operator_name = excluded.operator_name, "
                "findings = excluded.findings",
         .parameters = {run.by.host, run.by.system_user, run.findings}},
        deadline);
}

database::Call list_doctor_runs() {
    return {.name = "list_doctor_runs",
            .sql = "SELECT host, operator_name, at, findings FROM data_import.doctor_run ORDER BY host"};
}

std::vector<DoctorRun> read_doctor_runs(const database::Rows& rows) {
    return rows.each([](const database::Row& row) {
        return DoctorRun{.by = {.system_user = row.text(1), .host = row.text(0)},
                         .at = row.time(2),
                         .findings = row.text(3)};
    });
}

}  // namespace data_import::store

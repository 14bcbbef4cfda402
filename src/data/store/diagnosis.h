// The questions of `data-importctl doctor` to the database about itself, and its last findings on each host:
// table data_import.doctor_run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/database/database.h"
#include "data/store/operator.h"

namespace data_import::store {

/// The server as an administrator sees it.
struct ServerDiagnosis {
    std::int64_t version = 0;             ///< 150004
    std::int64_t clock_microseconds = 0;  ///< Unix time
    /// For ordinary roles: the connections that others, among them other hosts of the service, have left.
    std::int64_t free_connections = 0;
    std::int64_t most_connections = 0;  ///< for ordinary roles
    std::string data_directory;         ///< empty where this role may not see it
    std::vector<std::string> settings_waiting_for_restart;
    bool has_fsync = false;             ///< it waits for the disk
    bool has_full_page_writes = false;  ///< it survives pages that a power failure left half written
    bool owner_may_log_in = false;
    /// The roles of service and platform that are superusers, make roles or databases, or are the owner.
    std::vector<std::string> powerful_roles;
};
[[nodiscard]] ServerDiagnosis diagnose_server(database::Database& database, database::Deadline deadline);

/// A limit of sessions (CONNECTION LIMIT) that a role or a database has.
struct SessionLimit {
    std::string kind;  ///< `ROLE` or `DATABASE`
    std::string name;
    std::int64_t most = 0;
    std::int64_t free = 0;  ///< that others, among them other hosts of the service, have left
};
/// The limits of the service's role and of this database; none where they have none.
[[nodiscard]] std::vector<SessionLimit> list_session_limits(database::Database& database,
                                                            database::Deadline deadline);

/// The settings by which PostgreSQL writes the values of this session's calls into its log, payloads among
/// them: each is to be 0.
[[nodiscard]] std::vector<std::string> list_settings_that_log_values(database::Database& database,
                                                                     database::Deadline deadline);

/// The sessions of the service that come from the same address as this session, which may be a pooler's.
[[nodiscard]] std::int64_t count_own_sessions(database::Database& database, database::Deadline deadline);

/// The rights of the service's role without which no import works, and which it lacks, as words:
/// `EXECUTE on function data_import.begin_imports`. Needs the schema with the migrations of this version.
[[nodiscard]] std::vector<std::string> find_missing_rights(database::Database& database,
                                                           database::Deadline deadline);

/// One of several hosts of the database, as every role sees it.
struct HostDiagnosis {
    bool is_standby = false;
    bool receives = false;          ///< a standby: it is connected to the host that takes writes
    std::int64_t log_position = 0;  ///< bytes of PostgreSQL's log that were written, or of a standby applied
};
[[nodiscard]] HostDiagnosis diagnose_host(database::Database& database, database::Deadline deadline);

struct StandbyDiagnosis {
    std::string name;             ///< its application_name and address
    bool is_synchronous = false;  ///< commits wait for it, or it is one of those of which some are waited for
    std::int64_t behind = 0;      ///< bytes of PostgreSQL's log that it has not applied
};

/// The state of the standbys, as the server tells it that takes writes.
struct ReplicationDiagnosis {
    std::string synchronous_standby_names;
    std::string synchronous_commit;  ///< value for sessions that do not set it
    bool sees_standbys = false;      ///< this role may; only then the list tells anything
    std::vector<StandbyDiagnosis> standbys;
    std::string connected_as = {};  ///< this role
};
[[nodiscard]] ReplicationDiagnosis diagnose_replication(database::Database& database,
                                                        database::Deadline deadline);

struct DoctorRun {
    Operator by;           ///< the user and the host of the run
    std::string at = {};   ///< RFC 3339; given by the database
    std::string findings;  ///< an array, as JSON
};

/// Replaces the last findings of that host.
void keep_doctor_run(database::Database& database, const DoctorRun& run, database::Deadline deadline);

/// By host.
[[nodiscard]] database::Call list_doctor_runs();
[[nodiscard]] std::vector<DoctorRun> read_doctor_runs(const database::Rows& rows);

}  // namespace data_import::store

// Asks the database about itself for `data-importctl doctor`, and stores the last findings on each host:
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
    std::int64_t version = 0;             ///< version of PostgreSQL as `server_version_num`: 150004
    std::int64_t clock_microseconds = 0;  ///< the server's clock: Unix time in microseconds
    /// The number of free connections for ordinary roles. Connections of the service on this host count as
    /// free; those of the service on other hosts do not.
    std::int64_t free_connections = 0;
    std::int64_t most_connections = 0;  ///< connections for ordinary roles, taken or not
    /// PostgreSQL's data directory; empty if the role of the session that asks may not see it.
    std::string data_directory;
    std::vector<std::string> settings_waiting_for_restart;
    bool has_fsync = false;  ///< `fsync` is on: commits wait for the disk
    /// `full_page_writes` is on: pages that a power failure left half written are repaired.
    bool has_full_page_writes = false;
    /// The owner's role has LOGIN although it does not need it; always false with Citus, which needs LOGIN.
    bool owner_may_log_in = false;
    /// The roles of service, platform and readers that have too many rights: superusers, roles with
    /// CREATEROLE, CREATEDB, REPLICATION or BYPASSRLS, and members of the owner's role.
    std::vector<std::string> powerful_roles;
};
[[nodiscard]] ServerDiagnosis diagnose_server(database::Database& database, database::Deadline deadline);

/// A limit of sessions (CONNECTION LIMIT) that a role or a database has.
struct SessionLimit {
    std::string kind;  ///< `ROLE` if a role has the limit, `DATABASE` if a database has it
    std::string name;  ///< name of the role if `kind` is `ROLE`, of the database if `kind` is `DATABASE`
    std::int64_t most = 0;
    /// The number of free sessions. Sessions of the service on this host count as free.
    std::int64_t free = 0;
};
/// Returns the limits of sessions of the service's role and of this database. A role or database without a
/// limit is left out.
[[nodiscard]] std::vector<SessionLimit> list_session_limits(database::Database& database,
                                                            database::Deadline deadline);

/// Lists the names of the settings that make PostgreSQL write values of this session's calls, such as
/// payloads, into its log. A setting that is 0 writes none, and is not listed. The list should be empty.
[[nodiscard]] std::vector<std::string> list_settings_that_log_values(database::Database& database,
                                                                     database::Deadline deadline);

/// Counts the service's sessions that have the same client address as this session. With a connection pooler,
/// this is the address of the pooler.
[[nodiscard]] std::int64_t count_own_sessions(database::Database& database, database::Deadline deadline);

/// Lists in words the rights that every import needs and the service's role lacks: `EXECUTE on function
/// data_import.begin_imports`. The schema must have the version that this program needs.
[[nodiscard]] std::vector<std::string> find_missing_rights(database::Database& database,
                                                           database::Deadline deadline);

/// The state of one host of the database; every role may ask for it.
struct HostDiagnosis {
    bool is_standby = false;
    bool receives = false;          ///< it is a standby that is connected to the host that takes writes
    std::int64_t log_position = 0;  ///< bytes of the write-ahead log written or, on a standby, applied
};
[[nodiscard]] HostDiagnosis diagnose_host(database::Database& database, database::Deadline deadline);

struct StandbyDiagnosis {
    std::string name;             ///< application_name and address of the standby
    bool is_synchronous = false;  ///< a synchronous standby, or a member of the quorum
    std::int64_t behind = 0;      ///< bytes of the write-ahead log that the standby has not applied
};

/// The state of the standbys, as told by the server that takes writes.
struct ReplicationDiagnosis {
    std::string synchronous_standby_names;
    std::string synchronous_commit;  ///< value for sessions that do not set it
    /// The role `connected_as` may see standbys; if false, `standbys` means nothing.
    bool sees_standbys = false;
    std::vector<StandbyDiagnosis> standbys;
    std::string connected_as = {};  ///< name of the role that asked
};
[[nodiscard]] ReplicationDiagnosis diagnose_replication(database::Database& database,
                                                        database::Deadline deadline);

struct DoctorRun {
    Operator by;           ///< the user and the host of the run
    std::string at = {};   ///< RFC 3339: time at which the run was stored, by the database's clock
    std::string findings;  ///< the findings of the run: a JSON array
};

/// Stores the findings of a run, and deletes those of the host's earlier run.
void keep_doctor_run(database::Database& database, const DoctorRun& run, database::Deadline deadline);

/// Lists the last findings on each host, in the order of the hosts' names.
[[nodiscard]] database::Call list_doctor_runs();
[[nodiscard]] std::vector<DoctorRun> read_doctor_runs(const database::Rows& rows);

}  // namespace data_import::store

// What `data-importctl doctor` asks the database about itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "database/database.h"

namespace data_import::store {

/// The server as an administrator sees it.
struct ServerDiagnosis {
    std::int64_t version = 0;             ///< 150004
    std::int64_t clock_microseconds = 0;  ///< Unix time
    std::int64_t free_connections = 0;  ///< for ordinary roles, those of the service's own sessions included
    std::int64_t most_connections = 0;  ///< for ordinary roles
    std::string data_directory;         ///< empty where this role may not see it
    std::vector<std::string> settings_waiting_for_restart;
    bool has_fsync = false;             ///< it waits for the disk
    bool has_full_page_writes = false;  ///< it survives pages that a power failure left half written
    bool owner_may_log_in = false;
    bool service_is_powerful = false;  ///< its role is a superuser, makes roles or databases, or is the owner
};
[[nodiscard]] ServerDiagnosis diagnose_server(database::Database& database, database::Deadline deadline);

/// What the service's role lacks of the rights that it needs, and has of those that it must not have, each as
/// words: `EXECUTE on data_import.notes_import`. Needs the schema with its migrations.
struct RightsDiagnosis {
    std::vector<std::string> missing;
    std::vector<std::string> excessive;
};
[[nodiscard]] RightsDiagnosis diagnose_rights(database::Database& database, database::Deadline deadline);

}  // namespace data_import::store

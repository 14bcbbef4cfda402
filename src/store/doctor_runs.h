// The last findings of doctor on each host: table data_import.doctor_run.
#pragma once

#include <string>
#include <vector>

#include "database/database.h"
#include "store/operator.h"

namespace data_import::store {

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

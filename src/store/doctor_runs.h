// What doctor found last on each host: table data_import.doctor_run.
#pragma once

#include <string>
#include <vector>

#include "database/database.h"
#include "store/operator.h"

namespace data_import::store {

struct DoctorRun {
    Operator by;           ///< who looked, and at which host
    std::string at = {};   ///< RFC 3339; given by the database
    std::string findings;  ///< an array, as JSON
};

/// Takes the place of what was found on that host before.
void keep_doctor_run(database::Database& database, const DoctorRun& run, database::Deadline deadline);

/// By host.
[[nodiscard]] database::Call list_doctor_runs();
[[nodiscard]] std::vector<DoctorRun> read_doctor_runs(const database::Rows& rows);

}  // namespace data_import::store

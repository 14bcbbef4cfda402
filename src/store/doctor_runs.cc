#include "store/doctor_runs.h"

#include "store/column_text.h"

namespace data_import::store {

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
    std::vector<DoctorRun> runs;
    for (std::size_t row = 0; row < rows.size(); ++row)
        runs.push_back(
            {.by = {.system_user = std::string(rows.text(row, 1)), .host = std::string(rows.text(row, 0))},
             .at = to_rfc3339(rows.text(row, 2)),
             .findings = std::string(rows.text(row, 3))});
    return runs;
}

}  // namespace data_import::store

#include "store/signed_reports.h"

#include "store/column_text.h"

namespace data_import::store {

namespace {

const std::string select_report =
    "SELECT replace(id::text, '-', ''), import_supplier, as_of, signed_by, signed_at, operator_name, host, "
    "encode(html_sha256, 'hex'), encode(json_sha256, 'hex') FROM data_import.signed_report WHERE ";

std::optional<SignedReport> find(database::Database& database, const database::Call& call,
                                 database::Deadline deadline) {
    const database::Rows rows = database.execute(call, deadline);
    if (rows.size() == 0) return std::nullopt;
    return SignedReport{.id = std::string(rows.text(0, 0)),
                        .import_supplier = std::string(rows.text(0, 1)),
                        .as_of = to_rfc3339(rows.text(0, 2)),
                        .signed_by = std::string(rows.text(0, 3)),
                        .signed_at = to_rfc3339(rows.text(0, 4)),
                        .by = {std::string(rows.text(0, 5)), std::string(rows.text(0, 6))},
                        .html_sha256 = std::string(rows.text(0, 7)),
                        .json_sha256 = std::string(rows.text(0, 8))};
}

}  // namespace

void record_signed_report(database::Database& database, const SignedReport& report,
                          database::Deadline deadline) {
    const database::Call call{
        .name = "record_signed_report",
        .sql =
            "INSERT INTO data_import.signed_report (id, import_supplier, as_of, signed_by, operator_name, "
            "host, html_sha256, json_sha256) VALUES ($1, $2, $3, $4, $5, $6, decode($7, 'hex'), "
            "decode($8, 'hex'))",
        .parameters = {report.id, report.import_supplier, report.as_of, report.signed_by,
                       report.by.system_user, report.by.host, report.html_sha256, report.json_sha256},
        .repeatable = false};
    database.execute(call, deadline);
}

std::optional<SignedReport> find_signed_file(database::Database& database, const std::string& sha256,
                                             database::Deadline deadline) {
    static const std::string sql = select_report + "decode($1, 'hex') IN (html_sha256, json_sha256)";
    return find(database, {.name = "find_signed_file", .sql = sql.c_str(), .parameters = {sha256}}, deadline);
}

std::optional<SignedReport> find_signed_report(database::Database& database, const std::string& id,
                                               database::Deadline deadline) {
    static const std::string sql = select_report + "id = $1";
    return find(database, {.name = "find_signed_report", .sql = sql.c_str(), .parameters = {id}}, deadline);
}

}  // namespace data_import::store

#include "store/access_events.h"

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

// Codes of suppliers hold no control characters, so that a line end parts them.
constexpr const char* select_events =
    "WITH listed AS ("
    "SELECT at, id, action, operator_name, host, api_key_id, organisation, old_scope, new_scope, "
    "signing_key, "
    "NULL::date AS used_on, NULL::uuid AS report FROM data_import.access_event "
    "UNION ALL "
    "SELECT used.noted_at, 0, 'key_used', '', '', used.api_key_id, key.organisation, NULL, NULL, NULL, "
    "used.used_on, NULL "
    "FROM data_import.api_key_use AS used JOIN data_import.api_key AS key ON key.id = used.api_key_id "
    "UNION ALL "
    "SELECT signed_at, 0, 'report_signed', operator_name, host, NULL, NULL, NULL, NULL, NULL, NULL, id "
    "FROM data_import.signed_report) "
    "SELECT at, action, listed.operator_name, listed.host, api_key_id, organisation, "
    "array_to_string(old_scope, E'\\n'), array_to_string(new_scope, E'\\n'), signing_key, used_on, "
    "report.import_supplier, report.signed_by, encode(report.html_sha256, 'hex'), "
    "encode(report.json_sha256, 'hex') "
    "FROM listed LEFT JOIN data_import.signed_report AS report ON report.id = listed.report "
    "WHERE $1::timestamptz IS NULL OR at >= $1 ORDER BY at, listed.id, api_key_id, used_on";

std::optional<std::vector<std::string>> read_scope(const database::Rows& rows, std::size_t row,
                                                   std::size_t column) {
    if (rows.is_null(row, column)) return std::nullopt;
    std::vector<std::string> codes;
    for (std::string_view left = rows.text(row, column); !left.empty();) {
        const std::size_t end = std::min(left.find('\n'), left.size());
        codes.emplace_back(left.substr(0, end));
        left.remove_prefix(std::min(end + 1, left.size()));
    }
    return codes;
}

/// The report that the audit history names.
std::optional<SignedReport> read_report(const database::Rows& rows, std::size_t row) {
    if (rows.is_null(row, 10)) return std::nullopt;
    return SignedReport{.import_supplier = std::string(rows.text(row, 10)),
                        .signed_by = std::string(rows.text(row, 11)),
                        .html_sha256 = std::string(rows.text(row, 12)),
                        .json_sha256 = std::string(rows.text(row, 13))};
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

std::vector<AccessEvent> list_access_events(database::Database& database,
                                            const std::optional<std::string>& since,
                                            database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = "list_access_events", .sql = select_events, .parameters = {since}}, deadline);
    std::vector<AccessEvent> events;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        events.push_back({.at = to_rfc3339(rows.text(row, 0)),
                          .action = std::string(rows.text(row, 1)),
                          .by = {std::string(rows.text(row, 2)), std::string(rows.text(row, 3))},
                          .api_key_id = rows.optional_text(row, 4),
                          .organisation = rows.optional_text(row, 5),
                          .old_scope = read_scope(rows, row, 6),
                          .new_scope = read_scope(rows, row, 7),
                          .signing_key = rows.optional_text(row, 8),
                          .used_on = rows.optional_text(row, 9),
                          .report = read_report(rows, row)});
    }
    return events;
}

std::vector<SigningKeyRecord> list_signing_keys(database::Database& database, database::Deadline deadline) {
    const database::Rows rows =
        database.execute({.name = "list_signing_keys",
                          .sql = "SELECT DISTINCT ON (signing_key COLLATE \"C\") signing_key, action = "
                                 "'signing_key_removed', host "
                                 "FROM data_import.access_event WHERE signing_key IS NOT NULL "
                                 "ORDER BY signing_key COLLATE \"C\", id DESC"},
                         deadline);
    std::vector<SigningKeyRecord> records;
    for (std::size_t row = 0; row < rows.size(); ++row)
        records.push_back(
            {std::string(rows.text(row, 0)), rows.boolean(row, 1), std::string(rows.text(row, 2))});
    return records;
}

void record_signing_key(database::Database& database, SigningKeyAction action, const std::string& kid,
                        const Operator& by, database::Deadline deadline) {
    const bool made = action == SigningKeyAction::made;
    const database::Call call{
        .name = "record_signing_key",
        .sql =
            "INSERT INTO data_import.access_event (action, operator_name, host, signing_key) "
            "VALUES ($1, $2, $3, $4)",
        .parameters = {made ? "signing_key_made" : "signing_key_removed", by.system_user, by.host, kid},
        .repeatable = false};
    database.execute(call, deadline);
}

}  // namespace data_import::store

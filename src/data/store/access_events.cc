#include "data/store/access_events.h"

#include <unistd.h>

#include <array>

#include "data/store/text_lines.h"

namespace data_import::store {

namespace {

const std::string select_report =
    "SELECT replace(id::text, '-', ''), import_supplier, as_of, signed_by, signed_at, operator_name, host, "
    "encode(html_sha256, 'hex'), encode(json_sha256, 'hex') FROM data_import.signed_report WHERE ";

std::optional<SignedReport> find(database::Database& database, const char* name, const char* condition,
                                 const std::string& parameter, database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = name, .sql = select_report + condition, .parameters = {parameter}}, deadline);
    if (rows.size() == 0) return std::nullopt;
    const database::Row row = rows[0];
    return SignedReport{.id = row.text(0),
                        .import_supplier = row.text(1),
                        .as_of = row.time(2),
                        .signed_by = row.text(3),
                        .signed_at = row.time(4),
                        .by = {row.text(5), row.text(6)},
                        .html_sha256 = row.text(7),
                        .json_sha256 = row.text(8)};
}

constexpr const char* select_events =
    "WITH listed AS ("
    "SELECT at, id, action, operator_name, host, api_key_id, organisation, old_scope, new_scope, "
    "signing_key, "
    "NULL::date AS used_on, NULL::uuid AS report, import_supplier, subject_account, kind, details, consumer "
    "FROM data_import.access_event "
    "UNION ALL "
    "SELECT used.noted_at, 0, 'key_used', '', '', used.api_key_id, key.organisation, NULL, NULL, NULL, "
    "used.used_on, NULL, NULL, NULL, NULL, NULL, NULL "
    "FROM data_import.api_key_use AS used JOIN data_import.api_key AS key ON key.id = used.api_key_id "
    "UNION ALL "
    "SELECT signed_at, 0, 'report_signed', operator_name, host, NULL, NULL, NULL, NULL, NULL, NULL, id, "
    "import_supplier, NULL, NULL, NULL, NULL FROM data_import.signed_report), "
    "latest AS (SELECT * FROM listed WHERE $1::timestamptz IS NULL OR at >= $1 "
    "ORDER BY at DESC, id DESC, api_key_id DESC, used_on DESC LIMIT $2::bigint) "
    "SELECT at, action, latest.operator_name, latest.host, api_key_id, organisation, "
    "array_to_string(old_scope, E'\\n'), array_to_string(new_scope, E'\\n'), signing_key, used_on, "
    "latest.import_supplier, report.signed_by, encode(report.html_sha256, 'hex'), "
    "encode(report.json_sha256, 'hex'), "
    "coalesce(account.external_account_number, latest.subject_account::text), latest.kind, latest.details, "
    "latest.consumer, latest.id "
    "FROM latest LEFT JOIN data_import.signed_report AS report ON report.id = latest.report "
    "LEFT JOIN data_import.account ON account.account_key = latest.subject_account "
    "ORDER BY at, latest.id, api_key_id, used_on";

/// Reads the report of an event; nothing if the event has none.
std::optional<SignedReport> read_report(const database::Row& row) {
    if (row.is_null(11)) return std::nullopt;
    return SignedReport{.import_supplier = row.text(10),
                        .signed_by = row.text(11),
                        .html_sha256 = row.text(12),
                        .json_sha256 = row.text(13)};
}

AccessEvent read_event(const database::Row& row) {
    return {.id = row.integer(18),
            .at = row.time(0),
            .action = row.text(1),
            .by = {row.text(2), row.text(3)},
            .api_key_id = row.optional_text(4),
            .organisation = row.optional_text(5),
            .old_scope = read_lines(row, 6),
            .new_scope = read_lines(row, 7),
            .signing_key = row.optional_text(8),
            .used_on = row.optional_text(9),
            .report = read_report(row),
            .import_supplier = row.optional_text(10),
            .account = row.optional_text(14),
            .kind = row.optional_text(15),
            .details = row.optional_text(16),
            .consumer = row.optional_text(17)};
}

}  // namespace

void record_signed_report(database::Database& database, const SignedReport& report,
                          database::Deadline deadline) {
    const database::Call call{
        .name = "record_signed_report",
        .sql =
            "SELECT data_import.record_signed_report($1, $2, $3, $4, $5, $6, decode($7, 'hex'), "
            "decode($8, 'hex'))",
        .parameters = {report.id, report.import_supplier, report.as_of, report.signed_by,
                       report.by.system_user, report.by.host, report.html_sha256, report.json_sha256},
        .retryable = false};
    database.execute(call, deadline);
}

std::optional<SignedReport> find_signed_file(database::Database& database, const std::string& sha256,
                                             database::Deadline deadline) {
    return find(database, "find_signed_file", "decode($1, 'hex') IN (html_sha256, json_sha256)", sha256,
                deadline);
}

std::optional<SignedReport> find_signed_report(database::Database& database, const std::string& id,
                                               database::Deadline deadline) {
    return find(database, "find_signed_report", "id = $1", id, deadline);
}

std::optional<SignedReport> find_last_signed_report(database::Database& database,
                                                    const std::string& import_supplier,
                                                    database::Deadline deadline) {
    return find(database, "find_last_signed_report", "import_supplier = $1 ORDER BY signed_at DESC LIMIT 1",
                import_supplier, deadline);
}

std::vector<AccessEvent> list_access_events(database::Database& database,
                                            const std::optional<std::string>& since,
                                            const std::optional<std::size_t>& most,
                                            database::Deadline deadline) {
    return database
        .execute({.name = "list_access_events",
                  .sql = select_events,
                  .parameters = {since, most ? std::optional(std::to_string(*most)) : std::nullopt}},
                 deadline)
        .each(read_event);
}

std::vector<SigningKeyRecord> list_signing_keys(database::Database& database, database::Deadline deadline) {
    const database::Rows rows =
        database.execute({.name = "list_signing_keys",
                          .sql = "SELECT DISTINCT ON (signing_key COLLATE \"C\") signing_key, action = "
                                 "'signing_key_removed', host "
                                 "FROM data_import.access_event WHERE signing_key IS NOT NULL "
                                 "ORDER BY signing_key COLLATE \"C\", id DESC"},
                         deadline);
    return rows.each([](const database::Row& row) {
        return SigningKeyRecord{row.text(0), row.boolean(1), row.text(2)};
    });
}

std::int64_t record_action(database::Database& database, const OperatorAction& action, const Operator& by,
                           database::Deadline deadline) {
    const database::Call call{
        .name = "record_action",
        .sql = "SELECT data_import.record_action($1, $2, $3, $4, $5, $6, $7)",
        .parameters = {std::string(action.action), by.system_user, by.host, action.import_supplier,
                       action.external_account_number, action.details, action.consumer},
        .retryable = false};
    return database.execute(call, deadline).integer(0, 0);
}

void record_seen_records(database::Database& database, const std::string& import_supplier,
                         const std::string& account_key, std::string_view kind, database::Deadline deadline) {
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    const database::Call call{.name = "record_seen_records",
                              .sql = "SELECT data_import.record_seen_records($1, $2, $3, $4)",
                              .parameters = {import_supplier, account_key, std::string(kind), host.data()},
                              .retryable = false};
    database.execute(call, deadline);
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
        .retryable = false};
    database.execute(call, deadline);
}

}  // namespace data_import::store

#include "data/store/reconciliation.h"

#include <utility>

#include "data/database/copy_row.h"
#include "data/store/import.h"
#include "data/store/sums.h"

namespace data_import::store {

namespace {

constexpr const char* temporary_tables = R"(
CREATE TEMPORARY TABLE declared_total (
    line                    bigint NOT NULL,
    external_account_number text COLLATE "C" NOT NULL,
    kind                    text COLLATE "C" NOT NULL,
    records                 bigint NOT NULL,
    amount                  numeric,
    fingerprint             uuid,
    sums                    jsonb
) ON COMMIT DROP;
CREATE TEMPORARY TABLE accepted_reason (
    line                    bigint NOT NULL,
    external_account_number text COLLATE "C" NOT NULL,
    kind                    text COLLATE "C" NOT NULL,
    reason                  text NOT NULL,
    is_used                 boolean NOT NULL DEFAULT false
) ON COMMIT DROP;
)";

constexpr const char* index_tables = R"(
CREATE INDEX ON pg_temp.declared_total (external_account_number, kind);
CREATE INDEX ON pg_temp.accepted_reason (external_account_number, kind);
)";

constexpr std::size_t rows_of_page = 1000;

/// Returns SQL that finds duplicates in the temporary tables declared_total and accepted_reason: rows that
/// repeat the account and kind of an earlier row of the same table.
std::string duplicate_rows() {
    std::string sql;
    for (const char* table : {"declared_total", "accepted_reason"}) {
        if (!sql.empty()) sql += " UNION ALL ";
        sql +=
            "SELECT line, format('%s of account %s stand on line %s already', kind, external_account_number, "
            "first_line) AS sentence FROM (SELECT *, min(line) OVER (PARTITION BY external_account_number, "
            "kind) AS "
            "first_line FROM pg_temp." +
            std::string(table) + ") AS row WHERE line > first_line";
    }
    return sql;
}

enum Column : std::size_t {
    external_account_number,
    kind,
    declared_records,
    declared_amount,
    declared_fingerprint,
    held_records,
    held_amount,
    held_fingerprint,
    accepted_by,
    accepted_at,
    reason,
    declared_sums
};

}  // namespace

void append_copy_row(std::string& text, const DeclaredTotal& total) {
    database::append_copy_row(text, {std::to_string(total.line), total.external_account_number, total.kind,
                                     std::to_string(total.figures.records), total.figures.amount,
                                     total.figures.fingerprint, json_or_null(total.figures.sums)});
}

void append_copy_row(std::string& text, const AcceptedReason& reason) {
    database::append_copy_row(
        text, {std::to_string(reason.line), reason.external_account_number, reason.kind, reason.reason});
}

Reconciliation::Reconciliation(database::Database& database, std::string import_supplier,
                               database::Deadline deadline)
    : database_(database), import_supplier_(std::move(import_supplier)), deadline_(deadline) {
    database_.execute_script(temporary_tables, deadline_);
}

void Reconciliation::copy_totals(const std::function<bool(std::string&)>& source) {
    database_.copy_in("COPY pg_temp.declared_total FROM STDIN", source, deadline_);
    database_.execute_script(index_tables, deadline_);
}

void Reconciliation::copy_reasons(const std::function<bool(std::string&)>& source) {
    has_reasons_ = true;
    database_.copy_in("COPY pg_temp.accepted_reason (line, external_account_number, kind, reason) FROM STDIN",
                      source, deadline_);
}

LoadErrors Reconciliation::duplicates(std::size_t most) {
    return errors("find_duplicate_totals", duplicate_rows(), most);
}

LoadErrors Reconciliation::idle_reasons(std::size_t most) {
    return errors(
        "find_idle_reasons",
        "SELECT line, format('%s of account %s do not differ', kind, external_account_number) AS sentence "
        "FROM pg_temp.accepted_reason WHERE NOT is_used",
        most);
}

LoadErrors Reconciliation::errors(const char* name, const std::string& sql, std::size_t most) {
    return read_load_errors(
        database_.execute({.name = name,
                           .sql = "SELECT line, sentence, count(*) OVER () FROM (" + sql +
                                  ") AS wrong ORDER BY line LIMIT " + std::to_string(most)},
                          deadline_));
}

const DeclaredTotal* Reconciliation::peek() {
    if (next_ == page_.size() && !ended_) fetch_page();
    return next_ < page_.size() ? &page_[next_] : nullptr;
}

void Reconciliation::fetch_page() {
    const std::string number = page_.empty() ? "" : page_.back().external_account_number;
    const std::string kind = page_.empty() ? "" : page_.back().kind;
    const database::Rows rows = database_.execute(
        {.name = "next_declared_totals",
         .sql = "SELECT line, external_account_number, kind, records, amount, fingerprint, sums "
                "FROM pg_temp.declared_total WHERE (external_account_number, kind) > ($1, $2) "
                "ORDER BY external_account_number, kind LIMIT $3",
         .parameters = {number, kind, std::to_string(rows_of_page)}},
        deadline_);
    next_ = 0;
    ended_ = rows.size() < rows_of_page;
    page_ = rows.each([&](const database::Row& row) {
        return DeclaredTotal{.line = static_cast<std::uint64_t>(row.integer(0)),
                             .external_account_number = row.text(1),
                             .kind = row.text(2),
                             .figures = {.records = row.integer(3),
                                         .amount = row.optional_text(4),
                                         .fingerprint = row.optional_uuid(5),
                                         .sums = optional_sums(row, 6, row.text(2))}};
    });
}

bool Reconciliation::accept(const Difference& difference, const std::string& by) {
    if (!has_reasons_) return false;
    const database::Rows reasons =
        database_.execute({.name = "use_accepted_reason",
                           .sql = "UPDATE pg_temp.accepted_reason SET is_used = true WHERE "
                                  "external_account_number = $1 AND kind = $2 "
                                  "RETURNING reason",
                           .parameters = {difference.external_account_number, difference.kind}},
                          deadline_);
    if (reasons.size() == 0) return false;
    database_.execute(
        {.name = "accept_difference",
         .sql =
             "SELECT data_import.accept_difference($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
         .parameters = {account_key(import_supplier_, difference.external_account_number), import_supplier_,
                        difference.external_account_number, difference.kind,
                        std::to_string(difference.declared.records), difference.declared.amount,
                        difference.declared.fingerprint, std::to_string(difference.held.records),
                        difference.held.amount, difference.held.fingerprint, by,
                        std::string(reasons.text(0, 0)), json_or_null(difference.declared.sums)}},
        deadline_);
    return true;
}

std::optional<Acceptance> Reconciliation::find_acceptance(const Difference& difference) {
    const database::Rows rows = database_.execute(
        {.name = "find_acceptance",
         .sql =
             "SELECT accepted_by, accepted_at, reason FROM data_import.accepted_difference "
             "WHERE account_key = $1 AND kind = $2 AND declared_records = $3 "
             "AND declared_amount IS NOT DISTINCT FROM $4 AND declared_fingerprint IS NOT DISTINCT FROM $5 "
             "AND held_records = $6 AND held_amount = $7 AND held_fingerprint = $8 "
             "AND declared_sums IS NOT DISTINCT FROM $9 "
             "ORDER BY accepted_at DESC LIMIT 1",
         .parameters = {account_key(import_supplier_, difference.external_account_number), difference.kind,
                        std::to_string(difference.declared.records), difference.declared.amount,
                        difference.declared.fingerprint, std::to_string(difference.held.records),
                        difference.held.amount, difference.held.fingerprint,
                        json_or_null(difference.declared.sums)}},
        deadline_);
    if (rows.size() == 0) return std::nullopt;
    return Acceptance{rows[0].text(0), rows[0].time(1), rows[0].text(2)};
}

std::optional<std::string> figures_digest(database::Database& database, const std::string& import_supplier,
                                          database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = "figures_digest",
         .sql = "SELECT encode(digest, 'hex') FROM data_import.compared_suppliers(ARRAY[$1]::text[])",
         .parameters = {import_supplier}},
        deadline);
    return rows.size() == 0 ? std::nullopt : rows.optional_text(0, 0);
}

void record_comparison(database::Database& database, const std::string& import_supplier,
                       const AccountComparison& comparison, const std::optional<std::string>& digest,
                       database::Deadline deadline) {
    database.execute(
        {.name = "record_comparison",
         .sql = "SELECT data_import.record_comparison($1, $2, $3, $4, $5, decode($6, 'hex'))",
         .parameters = {import_supplier, std::to_string(comparison.accounts), std::to_string(comparison.open),
                        std::to_string(comparison.accepted), comparison.by, digest}},
        deadline);
}

database::Call find_comparison(std::string_view import_supplier) {
    return {.name = "find_comparison",
            .sql =
                "SELECT accounts, open, accepted, compared_by, compared_at, figures_digest IS DISTINCT FROM "
                "(SELECT digest FROM data_import.compared_suppliers(ARRAY[$1]::text[])) "
                "FROM data_import.account_comparison WHERE import_supplier = $1",
            .parameters = {std::string(import_supplier)}};
}

std::optional<AccountComparison> read_comparison(const database::Rows& rows) {
    if (rows.size() == 0) return std::nullopt;
    const database::Row row = rows[0];
    return AccountComparison{.accounts = row.integer(0),
                             .open = row.integer(1),
                             .accepted = row.integer(2),
                             .by = row.text(3),
                             .at = row.time(4),
                             .has_changed_since = row.boolean(5)};
}

database::Call list_accepted_differences(std::string_view import_supplier, std::size_t most) {
    return {.name = "list_accepted_differences",
            .sql =
                "SELECT external_account_number, kind, declared_records, trim_scale(declared_amount), "
                "declared_fingerprint, held_records, trim_scale(held_amount), held_fingerprint, accepted_by, "
                "accepted_at, reason, declared_sums FROM data_import.accepted_difference WHERE "
                "import_supplier = $1 "
                "ORDER BY external_account_number, kind, accepted_at DESC LIMIT $2",
            .parameters = {std::string(import_supplier), std::to_string(most)}};
}

std::vector<AcceptedDifference> read_accepted_differences(const database::Rows& rows) {
    return rows.each([](const database::Row& row) {
        return AcceptedDifference{
            .difference = {.external_account_number = row.text(external_account_number),
                           .kind = row.text(kind),
                           .declared = {.records = row.integer(declared_records),
                                        .amount = row.optional_text(declared_amount),
                                        .fingerprint = row.optional_uuid(declared_fingerprint),
                                        .sums = optional_sums(row, declared_sums, row.text(kind))},
                           .held = {.records = row.integer(held_records),
                                    .amount = row.optional_text(held_amount),
                                    .fingerprint = row.optional_uuid(held_fingerprint)}},
            .acceptance = {
                .by = row.text(accepted_by), .at = row.time(accepted_at), .reason = row.text(reason)}};
    });
}

}  // namespace data_import::store

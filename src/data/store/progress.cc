#include "data/store/progress.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "base/util/datetime.h"
#include "data/database/array_text.h"
#include "data/records/kinds.h"

namespace data_import::store {

namespace {

enum Column : std::size_t {
    status,
    as_of,
    kind,
    records,
    last_at,
    last_minute,
    last_hour,
    hour_began_at,
    last_day,         // last column of a row of find_progress()
    code = last_day,  // a row of find_overview() has `code` in the place of last_day
    supplier_name,
    differs,
    refused_last_hour,
    oldest_number,
    oldest_since,
    status_since,
    status_by,
    signed_at,
    has_changed,
    planned_end,
    attention,
    acknowledged_failed,
    acknowledged_refused,
    acknowledged_reason,
    acknowledged_by,
    acknowledged_at,
    booked_differs,
    erasure_began_at  // this column and the next four are a SupplierErasure
};

constexpr const char* select_overview =
    "SELECT told.status, told.as_of, told.kind, told.records, told.last_at, told.last_minute, "
    "told.last_hour, told.hour_began_at, told.code, told.name, told.differs, told.refused_last_hour, "
    "told.oldest_number, told.oldest_since, told.status_since, told.status_by, told.signed_at, "
    "told.has_changed, supplier.planned_end, supplier.attention, known.failed, known.refused, known.reason, "
    "known.acknowledged_by, known.acknowledged_at, booked.differs, "
    "erasure.began_at, erasure.begun_by, erasure.ended_at, erasure.accounts, erasure.records "
    "FROM data_import.migration_overview($1) AS told "
    "JOIN data_import.import_supplier AS supplier ON supplier.code = told.code "
    "LEFT JOIN data_import.acknowledgement AS known ON known.import_supplier = told.code "
    "LEFT JOIN data_import.booked_suppliers($1) AS booked ON booked.import_supplier = told.code "
    "LEFT JOIN data_import.supplier_erasure AS erasure ON erasure.import_supplier = told.code "
    "ORDER BY told.code COLLATE \"C\"";

constexpr std::string_view account_prefix = "account_";
constexpr std::string_view differing_transactions = "differing_transactions";
constexpr std::int64_t microseconds_of_second = 1'000'000;
constexpr std::int64_t microseconds_of_minute = 60 * microseconds_of_second;
constexpr std::int64_t microseconds_of_standstill = standstill_after.count() * microseconds_of_minute;
constexpr double longest_estimate =
    100.0 * 365 * 24 * 3600 * 1e6;  // 100 years, in microseconds; a longer time is not estimated

util::Instant instant(const database::Rows& rows, std::size_t row, std::size_t column) {
    const auto parsed = util::parse_datetime(rows[row].time(column));
    if (!parsed) throw std::logic_error("a time in PostgreSQL's answer is out of range");
    return *parsed;
}

/// Times in microseconds, from which the end is estimated and a standstill is found.
struct ImportTimes {
    static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::min();

    std::int64_t now = never;
    /// Time of the first import of an account in the last hour. If no account was imported in that hour,
    /// read_figures() sets the present time here.
    std::int64_t hour_began = never;
    std::int64_t last_account = never;  ///< time of the last account that was imported
    std::int64_t last = never;          ///< time of the last account or record that was imported

    [[nodiscard]] bool is_recent(std::int64_t at) const {
        return at != never && now - at <= microseconds_of_standstill;
    }
};

void read_accounts(MigrationProgress& progress, ImportTimes& times, const database::Rows& rows,
                   std::size_t row) {
    const std::string_view state = rows.text(row, kind).substr(account_prefix.size());
    progress.accounts[place_of_state(state)] = rows.integer(row, records);
    if (state != "imported") return;
    progress.last_minute.accounts = rows.integer(row, last_minute);
    progress.last_hour.accounts = rows.integer(row, last_hour);
    if (progress.last_day) progress.last_day->accounts = rows.integer(row, last_day);
    if (!rows.is_null(row, hour_began_at)) times.hour_began = instant(rows, row, hour_began_at).microseconds;
    if (rows.is_null(row, last_at)) return;
    progress.last_account_at = util::to_text(instant(rows, row, last_at));
    times.last_account = instant(rows, row, last_at).microseconds;
    times.last = std::max(times.last, times.last_account);
}

void read_records(MigrationProgress& progress, ImportTimes& times, const database::Rows& rows,
                  std::size_t row) {
    if (rows.text(row, kind) == differing_transactions)
        return static_cast<void>(progress.differing_transactions = rows.integer(row, records));
    const auto known =
        std::ranges::find(progress.records, rows.text(row, kind), &RecordCounts::value_type::first);
    if (known == progress.records.end()) return;  // the kind belongs to a newer version
    known->second = rows.integer(row, records);
    progress.last_minute.records += rows.integer(row, last_minute);
    progress.last_hour.records += rows.integer(row, last_hour);
    if (progress.last_day) progress.last_day->records += rows.integer(row, last_day);
    if (rows.is_null(row, last_at)) return;
    const util::Instant at = instant(rows, row, last_at);
    times.last = std::max(times.last, at.microseconds);
    if (!progress.last_import_at || at > util::parse_datetime(*progress.last_import_at).value())
        progress.last_import_at = util::to_text(at);
}

/// Returns the number of accounts that are still to be imported, without failed ones: staged or in progress.
std::int64_t pending(const MigrationProgress& progress) {
    return progress.accounts[place_of_state("staged")] + progress.accounts[place_of_state("in_progress")];
}

/// Estimates when all accounts that are staged or in progress will be imported, at the speed of the last
/// hour. Returns nothing in these cases:
///   - no account was imported for longer than `standstill_after`
///   - the last import was at least a minute ago, and the time since then would have been enough, at this
///     speed, for all accounts that are staged or in progress
///   - the estimated time is longer than `longest_estimate`
///
/// The speed is the number of accounts that were imported in the last hour, divided by the time since the
/// first of these imports, at least a minute. It is not divided by the whole hour, so that a migration that
/// has just begun is judged by its own speed.
std::optional<std::string> estimate_end(const MigrationProgress& progress, const ImportTimes& times) {
    const std::int64_t imported = progress.last_hour.accounts;
    if (imported <= 0 || !times.is_recent(times.last_account)) return std::nullopt;
    const std::int64_t elapsed = std::max(times.now - times.hour_began, microseconds_of_minute);
    const double left =
        static_cast<double>(pending(progress)) * static_cast<double>(elapsed) / static_cast<double>(imported);
    const std::int64_t silence = times.now - times.last_account;
    const bool is_overdue = silence >= microseconds_of_minute && static_cast<double>(silence) >= left;
    if (is_overdue || left > longest_estimate) return std::nullopt;
    const std::int64_t end = times.now + static_cast<std::int64_t>(left);
    return util::to_text({end / microseconds_of_second * microseconds_of_second});
}

MigrationProgress read_figures(const database::Rows& rows, std::optional<Arrivals> no_day_yet) {
    MigrationProgress progress;
    progress.status = rows.text(0, status);
    progress.last_day = no_day_yet;
    const util::Instant now = instant(rows, 0, as_of);
    progress.as_of = util::to_text(now);
    ImportTimes times{.now = now.microseconds, .hour_began = now.microseconds};
    for (const records::Kind& one : records::kinds()) progress.records.emplace_back(one.name, 0);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows.is_null(row, kind)) continue;
        if (rows.text(row, kind).starts_with(account_prefix)) {
            read_accounts(progress, times, rows, row);
        } else {
            read_records(progress, times, rows, row);
        }
    }
    if (progress.status != "Ongoing" || pending(progress) <= 0) return progress;
    progress.estimated_end_at = estimate_end(progress, times);
    if (times.last != ImportTimes::never && !times.is_recent(times.last))
        progress.stands_still_since = util::to_text({times.last});
    return progress;
}

std::optional<bool> read_truth(const database::Rows& rows, std::size_t row, std::size_t column) {
    return rows.is_null(row, column) ? std::nullopt : std::optional(rows.boolean(row, column));
}

std::optional<OpenAccount> read_oldest(const database::Rows& rows, std::size_t row) {
    if (rows.is_null(row, oldest_number)) return std::nullopt;
    return OpenAccount{rows[row].text(oldest_number), rows[row].time(oldest_since), std::nullopt};
}

std::optional<Acknowledgement> read_acknowledgement(const database::Row& row) {
    if (row.is_null(acknowledged_at)) return std::nullopt;
    return Acknowledgement{.failed = row.integer(acknowledged_failed),
                           .refused = row.integer(acknowledged_refused),
                           .reason = row.text(acknowledged_reason),
                           .by = row.text(acknowledged_by),
                           .at = row.time(acknowledged_at)};
}

}  // namespace

std::int64_t MigrationProgress::all_accounts() const {
    return std::accumulate(accounts.begin(), accounts.end(), std::int64_t{0});
}

database::Call find_progress(std::string_view import_supplier) {
    return {
        .name = "find_progress",
        .sql =
            "SELECT status, as_of, kind, records, last_at, last_minute, last_hour, hour_began_at, last_day "
            "FROM data_import.migration_progress($1)",
        .parameters = {std::string(import_supplier)}};
}

std::optional<MigrationProgress> read_progress(const database::Rows& rows) {
    if (rows.size() == 0) return std::nullopt;
    return read_figures(rows, Arrivals{});
}

database::Call find_overview(const std::vector<std::string>& import_suppliers) {
    database::ArrayText codes;
    for (const std::string& one : import_suppliers) codes.add(one);
    return {.name = "find_overview", .sql = select_overview, .parameters = {codes.take()}};
}

database::Call find_overview_of_all() {
    return {.name = "find_overview", .sql = select_overview, .parameters = {std::nullopt}};
}

std::vector<SupplierProgress> read_overview(const database::Rows& rows) {
    std::vector<SupplierProgress> suppliers;
    for (std::size_t row = 0; row < rows.size();) {
        const std::size_t first = row;
        while (row < rows.size() && rows.text(row, code) == rows.text(first, code)) ++row;
        suppliers.push_back({.code = std::string(rows.text(first, code)),
                             .name = std::string(rows.text(first, supplier_name)),
                             .differs = read_truth(rows, first, differs),
                             .booked_differs = read_truth(rows, first, booked_differs),
                             .refused_last_hour = rows.integer(first, refused_last_hour),
                             .oldest = read_oldest(rows, first),
                             .status_since = rows[first].time(status_since),
                             .status_by = rows.optional_text(first, status_by),
                             .signed_at = rows[first].optional_time(signed_at),
                             .has_changed_since_signed = rows.boolean(first, has_changed),
                             .planned_end = rows[first].optional_text(planned_end),
                             .attention = rows[first].integer(attention),
                             .acknowledgement = read_acknowledgement(rows[first]),
                             .erasure = read_erasure(rows[first], erasure_began_at),
                             .progress = read_figures(rows.part(first, row - first), std::nullopt)});
    }
    return suppliers;
}

void keep_acknowledgement(database::Database& database, const std::string& import_supplier,
                          const std::optional<Acknowledgement>& acknowledgement,
                          database::Deadline deadline) {
    const Acknowledgement figures = acknowledgement.value_or(Acknowledgement{});
    database.execute(
        {.name = "acknowledge_figures",
         .sql = "SELECT data_import.acknowledge_figures($1, $2, $3, $4, $5)",
         .parameters = {import_supplier, std::to_string(figures.failed), std::to_string(figures.refused),
                        acknowledgement ? std::optional(figures.reason) : std::nullopt, figures.by}},
        deadline);
}

std::optional<Acknowledgement> figures_to_acknowledge(database::Database& database,
                                                      const std::string& import_supplier,
                                                      database::Deadline deadline) {
    const database::Rows rows =
        database.execute({.name = "figures_to_acknowledge",
                          .sql = "SELECT failed, refused FROM data_import.figures_to_acknowledge($1)",
                          .parameters = {import_supplier}},
                         deadline);
    const Acknowledgement figures{.failed = rows.integer(0, 0), .refused = rows.integer(0, 1)};
    return figures.failed + figures.refused == 0 ? std::nullopt : std::optional(figures);
}

// Reads the same numbers as data_import.progress_figures, but no times and rates, which take longer.
database::Call find_accounts_by_state(std::size_t most_suppliers) {
    return {.name = "find_accounts_by_state",
            .sql =
                "WITH supplier AS MATERIALIZED (SELECT code, status FROM data_import.import_supplier "
                "ORDER BY status = 'Complete', created_at DESC, code LIMIT $1) "
                "SELECT supplier.code, supplier.status, figure.kind, sum(figure.value)::bigint FROM supplier "
                "LEFT JOIN (SELECT import_supplier, kind, value FROM data_import.counted_figure "
                "WHERE import_supplier = ANY (ARRAY(SELECT code FROM supplier)) AND kind LIKE 'account\\_%') "
                "AS figure ON figure.import_supplier = supplier.code GROUP BY 1, 2, 3 ORDER BY 1",
            .parameters = {std::to_string(most_suppliers)}};
}

std::vector<AccountsOfSupplier> read_accounts_by_state(const database::Rows& rows) {
    std::vector<AccountsOfSupplier> suppliers;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (suppliers.empty() || suppliers.back().import_supplier != rows.text(row, 0))
            suppliers.push_back({std::string(rows.text(row, 0)), std::string(rows.text(row, 1)), {}});
        if (rows.is_null(row, 2)) continue;
        const std::string_view state = rows.text(row, 2).substr(account_prefix.size());
        suppliers.back().accounts[place_of_state(state)] = rows.integer(row, 3);
    }
    return suppliers;
}

}  // namespace data_import::store

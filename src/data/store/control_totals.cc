#include "data/store/control_totals.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "data/database/array_text.h"

namespace data_import::store {

namespace {

enum Column : std::size_t { as_of, kind, figure, held, declared, difference, left_out };

constexpr std::string_view account_prefix = "account_";

void read_accounts(ControlTotals& totals, const database::Rows& rows, std::size_t row) {
    const std::string_view state = rows.text(row, Column::kind).substr(account_prefix.size());
    totals.accounts[place_of_state(state)] = rows.integer(row, Column::held);
}

void read_figure(ControlTotals& totals, const database::Rows& rows, std::size_t row) {
    const std::string name(rows.text(row, Column::kind));
    const std::int64_t missing = rows.integer(row, Column::left_out);
    const bool is_first = totals.figures.empty() || totals.figures.back().kind != name;
    if (missing > 0 && is_first) totals.left_out.emplace_back(name, missing);
    totals.figures.push_back({.kind = name,
                              .figure = std::string(rows.text(row, Column::figure)),
                              .held = rows.optional_text(row, Column::held),
                              .declared = rows.optional_text(row, Column::declared),
                              .difference = rows.optional_text(row, Column::difference)});
}

bool declares(const ControlTotals& totals, std::string_view kind) {
    return std::ranges::any_of(totals.figures,
                               [&](const auto& one) { return one.kind == kind && one.declared.has_value(); });
}

std::vector<WrongTotal> read_wrong_totals(const database::Rows& rows) {
    std::vector<WrongTotal> wrong;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        WrongTotal& one =
            wrong.emplace_back(WrongTotal{std::string(rows.text(row, 0)), std::string(rows.text(row, 1)),
                                          std::string(rows.text(row, 2)), std::string(rows.text(row, 3))});
        if (!one.kind.starts_with(account_prefix)) continue;
        one.figure = one.kind.substr(account_prefix.size());
        one.kind = accounts_figure;
    }
    return wrong;
}

}  // namespace

bool ControlTotals::is_declared() const {
    return std::ranges::any_of(figures, [](const auto& one) { return one.declared.has_value(); });
}

bool ControlTotals::has_differences() const {
    return std::ranges::any_of(figures, [](const auto& one) { return one.difference.has_value(); });
}

std::string_view verdict_word(std::optional<bool> differs) {
    if (!differs) return "UNDECLARED";
    return *differs ? "DIFFERENT" : "EQUAL";
}

std::string_view ControlTotals::verdict() const {
    return verdict_word(is_declared() ? std::optional(has_differences()) : std::nullopt);
}

std::int64_t records_by_service(const MigrationProgress& progress, const ControlTotals& totals,
                                std::string_view kind) {
    const auto stored = std::ranges::find(progress.records, kind, [](const auto& one) { return one.first; });
    if (stored == progress.records.end()) return 0;
    const auto is_held = [&](const ControlFigure& one) {
        return one.kind == kind && one.figure == records_figure && one.held;
    };
    const auto held = std::ranges::find_if(totals.figures, is_held);
    const std::int64_t sent = held == totals.figures.end() ? 0 : std::stoll(*held->held);
    return std::max<std::int64_t>(0, stored->second - sent);
}

std::vector<std::string> ControlTotals::undeclared_kinds() const {
    std::vector<std::string> kinds;
    for (const ControlFigure& one : figures) {
        if (one.kind != accounts_figure && one.figure == records_figure && one.held.value_or("0") != "0" &&
            !declares(*this, one.kind))
            kinds.push_back(one.kind);
    }
    return kinds;
}

std::string with_coverage(std::string_view verdict, const std::vector<std::string_view>& declared_kinds,
                          std::size_t undeclared_kinds) {
    std::set<std::string_view> declared(declared_kinds.begin(), declared_kinds.end());
    declared.erase(accounts_figure);
    std::string text(verdict);
    if (declared_kinds.empty() || undeclared_kinds == 0) return text;
    return text + " (" + std::to_string(declared.size()) + " of " +
           std::to_string(declared.size() + undeclared_kinds) + " kinds declared)";
}

std::string ControlTotals::verdict_with_coverage() const {
    std::vector<std::string_view> declared;
    for (const ControlFigure& one : figures) {
        if (one.declared) declared.push_back(one.kind);
    }
    return with_coverage(verdict(), declared, undeclared_kinds().size());
}

database::Call find_control_totals(std::string_view import_supplier, int most_undeclared) {
    return {.name = "find_control_totals",
            .sql =
                "SELECT as_of, kind, figure, held, declared, difference, left_out "
                "FROM data_import.control_totals($1, $2), data_import.await_standbys()",
            .parameters = {std::string(import_supplier), std::to_string(most_undeclared)}};
}

database::Call declare_control_totals(std::string_view import_supplier, const Provenance& provenance,
                                      const std::vector<DeclaredFigure>& figures) {
    database::ArrayText of_kinds;
    database::ArrayText names;
    database::ArrayText values;
    for (const DeclaredFigure& one : figures) {
        of_kinds.add(one.kind);
        names.add(one.figure);
        values.add(one.value);
    }
    return {.name = "declare_control_totals",
            .sql =
                "SELECT as_of, kind, figure, held, declared, difference, left_out "
                "FROM data_import.control_totals_declare($1, $2, $3, $4, $5, $6, $7)",
            .parameters = {std::string(import_supplier), std::string(provenance.request_id),
                           std::string(provenance.api_key_id), of_kinds.take(), names.take(), values.take(),
                           std::to_string(most_undeclared_figures)}};
}

std::vector<ComparedSupplier> list_compared_suppliers(database::Database& database,
                                                      database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = "list_compared_suppliers",
         .sql = "SELECT code, coalesce(told.records, 0)::bigint AS records, compared_at, coalesce(differing, "
                "0) > 0 "
                "FROM data_import.import_supplier "
                "LEFT JOIN (SELECT import_supplier, sum(value) AS records FROM data_import.counted_figure "
                "WHERE figure = 'records' GROUP BY import_supplier) AS told ON told.import_supplier = code "
                "LEFT JOIN data_import.totals_comparison AS last ON last.supplier = code "
                "ORDER BY coalesce(differing, 0) > 0 DESC, tried_at NULLS FIRST, records, code"},
        deadline);
    return rows.each([](const database::Row& row) {
        return ComparedSupplier{row.text(0), row.integer(1), row.optional_time(2), row.boolean(3)};
    });
}

void keep_comparison(database::Database& database, const std::string& import_supplier,
                     std::optional<std::size_t> differing, database::Deadline deadline) {
    database.execute(
        {.name = "keep_comparison",
         .sql = "INSERT INTO data_import.totals_comparison AS last (supplier, compared_at, differing) "
                "VALUES ($1, CASE WHEN $2::integer IS NOT NULL THEN clock_timestamp() END, $2) "
                "ON CONFLICT (supplier) DO UPDATE SET tried_at = excluded.tried_at, "
                "compared_at = coalesce(excluded.compared_at, last.compared_at), "
                "differing = coalesce(excluded.differing, last.differing)",
         .parameters = {import_supplier,
                        differing ? database::Parameter(std::to_string(*differing)) : std::nullopt}},
        deadline);
}

std::vector<WrongTotal> recount(database::Database& database, const std::string& import_supplier,
                                database::Deadline deadline) {
    return read_wrong_totals(
        database.execute({.name = "recount",
                          .sql = "SELECT kind, figure, told, counted FROM data_import.recount($1)",
                          .parameters = {import_supplier}},
                         deadline));
}

std::vector<WrongTotal> correct_totals(database::Database& database, const std::string& import_supplier,
                                       database::Deadline deadline) {
    return read_wrong_totals(
        database.execute({.name = "correct_totals",
                          .sql = "SELECT kind, figure, told, counted FROM data_import.correct_totals($1)",
                          .parameters = {import_supplier},
                          .retryable = false},
                         deadline));
}

ControlTotals read_control_totals(const database::Rows& rows) {
    ControlTotals totals;
    totals.as_of = rows[0].time(Column::as_of);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows.is_null(row, Column::kind)) continue;
        rows.text(row, Column::kind).starts_with(account_prefix) ? read_accounts(totals, rows, row)
                                                                 : read_figure(totals, rows, row);
    }
    return totals;
}

}  // namespace data_import::store

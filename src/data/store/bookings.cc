#include "data/store/bookings.h"

#include <algorithm>
#include <tuple>

#include "base/util/joined.h"
#include "data/records/figure_text.h"
#include "data/store/access_events.h"
#include "data/store/text_lines.h"

namespace data_import::store {

namespace {

enum Column : std::size_t {
    consumer,
    is_ready,
    not_taken,
    declared_at,
    declared_by,
    undeclared_kinds,
    kind,
    figure,
    held,
    booked,
    difference,
    accepted_by,
    accepted_at,
    reason
};

BookedFigure read_figure(const database::Row& row) {
    BookedFigure one{.kind = row.text(kind),
                     .figure = row.text(figure),
                     .held = row.optional_text(held),
                     .booked = row.text(booked),
                     .difference = row.optional_text(difference),
                     .acceptance = {}};
    if (!row.is_null(accepted_by))
        one.acceptance = Acceptance{row.text(accepted_by), row.time(accepted_at), row.text(reason)};
    return one;
}

/// Returns a sort key that brings figures into the order of control totals.
auto place_of(std::string_view kind, std::string_view figure) {
    return std::tuple(kind, figure != records_figure, figure);
}

FigureToTheEnd of_totals(const ControlFigure& one) {
    return {.kind = one.kind,
            .figure = one.figure,
            .declared = one.declared,
            .held = one.held,
            .declared_difference = one.difference};
}

void add_booked(FigureToTheEnd& figure, const BookedFigure& one) {
    figure.held = one.held;
    figure.booked = one.booked;
    figure.booked_difference = one.difference;
    figure.acceptance = one.acceptance;
}

}  // namespace

bool Booking::has_differences() const {
    return std::ranges::any_of(figures, [](const auto& one) { return one.difference.has_value(); });
}

bool Booking::is_explained() const {
    return std::ranges::none_of(figures, [](const auto& one) { return one.difference && !one.acceptance; });
}

std::string_view Booking::verdict() const {
    return verdict_word(is_declared() ? std::optional(has_differences()) : std::nullopt);
}

std::string Booking::verdict_with_coverage() const {
    std::vector<std::string_view> kinds;
    for (const BookedFigure& one : figures) kinds.push_back(one.kind);
    return with_coverage(verdict(), kinds, undeclared_kinds.size());
}

database::Call find_bookings(std::string_view import_supplier) {
    return {.name = "find_bookings",
            .sql =
                "SELECT consumer, is_ready, not_taken, declared_at, declared_by, "
                "nullif(array_to_string(undeclared_kinds, E'\\n'), ''), kind, figure, held, booked, "
                "difference, accepted_by, accepted_at, reason FROM data_import.booked_totals($1)",
            .parameters = {std::string(import_supplier)}};
}

std::vector<Booking> read_bookings(const database::Rows& rows) {
    std::vector<Booking> bookings;
    for (std::size_t place = 0; place < rows.size(); ++place) {
        const database::Row row = rows[place];
        if (bookings.empty() || bookings.back().consumer != row.text(consumer))
            bookings.push_back(
                {.consumer = row.text(consumer),
                 .is_ready = row.boolean(is_ready),
                 .not_taken = row.integer(not_taken),
                 .declared_at = row.optional_time(declared_at),
                 .declared_by = row.optional_text(declared_by),
                 .undeclared_kinds = read_lines(row, undeclared_kinds).value_or(std::vector<std::string>())});
        if (!row.is_null(kind)) bookings.back().figures.push_back(read_figure(row));
    }
    return bookings;
}

std::vector<FigureToTheEnd> beside(const ControlTotals& totals, const Booking& booking) {
    std::vector<FigureToTheEnd> all;
    auto next = booking.figures.begin();
    const auto take = [&](const BookedFigure& one) {
        add_booked(all.emplace_back(FigureToTheEnd{.kind = one.kind, .figure = one.figure}), one);
    };
    for (const ControlFigure& one : totals.figures) {
        const auto place = place_of(one.kind, one.figure);
        while (next != booking.figures.end() && place_of(next->kind, next->figure) < place) take(*next++);
        all.push_back(of_totals(one));
        if (next != booking.figures.end() && place_of(next->kind, next->figure) == place)
            add_booked(all.back(), *next++);
    }
    while (next != booking.figures.end()) take(*next++);
    return all;
}

void declare_booked(database::Database& database, const std::string& consumer,
                    const std::string& import_supplier, const std::string& totals, const std::string& author,
                    database::Deadline deadline) {
    database.execute({.name = "declare_booked",
                      .sql = "SELECT platform.declare_totals($1, $2, $3::text::jsonb) "
                             "FROM set_config('data_import.operator', $4, true)",
                      .parameters = {consumer, import_supplier, totals, author}},
                     deadline);
}

std::string booked_differences_text(const Booking& booking, std::size_t most) {
    std::vector<std::string> named;
    std::size_t all = 0;
    for (const BookedFigure& one : booking.figures) {
        if (!one.difference || ++all > most) continue;
        named.push_back((one.kind == one.figure ? one.kind : one.kind + " " + one.figure) + " " +
                        records::figure_text(one.figure, one.held.value_or("0")) + " stored, " +
                        records::figure_text(one.figure, one.booked) + " booked");
    }
    if (all > named.size()) named.push_back(std::to_string(all - named.size()) + " more");
    return util::joined(named);
}

std::int64_t accept_booked(database::Database& database, const std::string& import_supplier,
                           const Booking& booking, const std::string& reason, const Operator& by,
                           database::Deadline deadline) {
    constexpr std::size_t most_named = 5;
    for (const BookedFigure& one : booking.figures) {
        if (!one.difference) continue;
        database.execute({.name = "accept_booked",
                          .sql = "SELECT data_import.accept_booked($1, $2, $3, $4, $5, $6, $7, $8)",
                          .parameters = {booking.consumer, import_supplier, one.kind, one.figure,
                                         one.held.value_or("0"), one.booked, reason, by.system_user}},
                         deadline);
    }
    return record_action(database,
                         {.action = "differences_accepted",
                          .import_supplier = import_supplier,
                          .details = "booked by " + booking.consumer + ": " +
                                     booked_differences_text(booking, most_named) + ": " + reason},
                         by, deadline);
}

std::string booked_suppliers_text(database::Database& database, const std::string& consumer,
                                  database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = "list_booked_suppliers",
         .sql = "SELECT booked.import_supplier, bool_or(booked.value <> coalesce(held.value, 0)) "
                "FROM data_import.booked_figures(NULL) AS booked "
                "LEFT JOIN data_import.held_figures(ARRAY(SELECT DISTINCT import_supplier "
                "FROM data_import.booked_declaration WHERE consumer = $1)) AS held "
                "USING (import_supplier, kind, figure) WHERE booked.consumer = $1 GROUP BY 1 ORDER BY 1",
         .parameters = {consumer}},
        deadline);
    return util::joined(rows.each([](const database::Row& row) {
        return row.text(0) + ": " + std::string(verdict_word(row.boolean(1)));
    }));
}

void hold_deliveries(database::Database& database, database::Deadline deadline) {
    database.execute({.name = "hold_deliveries",
                      .sql = "SELECT pg_advisory_xact_lock(data_import.lock_number('news', ''))"},
                     deadline);
}

}  // namespace data_import::store

#include "data/store/time_series.h"

#include <algorithm>
#include <stdexcept>

#include "base/util/datetime.h"

namespace data_import::store {

namespace {

enum Column : std::size_t { as_of, since, name, began_at, count };

constexpr std::int64_t minute = 60;
constexpr std::int64_t hour = 60 * minute;

/// Returns SQL that selects a series of counts. `counted` is a SELECT with the columns `name`, `began_at` and
/// `count`; it can read the start of the series as `span.since`. The SQL has three parameters:
///   $1  is used only by `counted`: the supplier's code, or null for all suppliers
///   $2  the series begins with the interval in which the time $2 seconds ago lies; null: the series begins
///       with the first count, and `span.since` is minus infinity
///   $3  length of an interval in seconds
/// Each row has the present time, the start of the series (null if $2 is null) and one count. If nothing was
/// counted, there is one row without a count.
std::string select_series(const std::string& counted) {
    return "WITH span AS (SELECT coalesce(date_bin(make_interval(secs => $3::integer), "
           "now() - make_interval(secs => $2::integer), timestamptz '2000-01-01 00:00:00+00'), "
           "'-infinity') AS since), counted AS (" +
           counted +
           ") SELECT floor(extract(epoch FROM now()))::bigint, "
           "CASE WHEN isfinite(since) THEN extract(epoch FROM since)::bigint END, name, "
           "extract(epoch FROM began_at)::bigint, count FROM span LEFT JOIN counted ON true";
}

std::vector<database::Parameter> parameters_of(database::Parameter import_supplier, Span span) {
    const std::int64_t back = span == Span::hour ? hour : 24 * hour;
    return {std::move(import_supplier),
            span == Span::all ? std::nullopt : std::optional(std::to_string(back)),
            std::to_string(seconds_of(span))};
}

/// Returns the start of the first interval. A series of Span::all begins with its first interval that has a
/// count. If the series has no count, it begins with the present interval, whose start is `last`.
std::int64_t first_of(const database::Rows& rows, std::int64_t last) {
    if (!rows.is_null(0, since)) return rows.integer(0, since);
    std::int64_t first = last;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (!rows.is_null(row, name)) first = std::min(first, rows.integer(row, began_at));
    }
    return first;
}

}  // namespace

std::string time_text(std::int64_t unix_time) {
    constexpr std::int64_t microseconds = 1'000'000;
    return util::to_text({unix_time * microseconds});
}

std::int64_t seconds_of(Span span) {
    if (span == Span::hour) return minute;
    return span == Span::day ? 5 * minute : hour;
}

database::Call find_throughput(std::string_view import_supplier, Span span) {
    static const std::string sql = select_series(
        "SELECT replace(kind, 'account_imported', 'accounts') AS name, began_at, "
        "records AS count FROM span, data_import.migration_throughput($1, since, $3::integer)");
    return {.name = "find_throughput",
            .sql = sql,
            .parameters = parameters_of(std::string(import_supplier), span)};
}

database::Call find_throughput_by_supplier() {
    static const std::string sql = select_series(
        "SELECT import_supplier AS name, began_at, records AS count "
        "FROM span, data_import.throughput_by_supplier($1::text[], since, $3::integer)");
    return {.name = "find_throughput_by_supplier",
            .sql = sql,
            .parameters = parameters_of(std::nullopt, Span::hour)};
}

// Refusals are counted by the minute and by the hour. Minutes are kept for a day, hours for longer, so the
// whole migration is read from the hours.
database::Call find_refusal_rates(std::string_view import_supplier, Span span) {
    static const std::string sql = select_series(
        "SELECT code AS name, date_bin(make_interval(secs => $3::integer), began_at, "
        "timestamptz '2000-01-01 00:00:00+00') AS began_at, sum(refusals)::bigint AS count "
        "FROM span, data_import.refusal_rate WHERE import_supplier = $1 AND began_at >= since "
        "AND seconds = CASE WHEN $3::integer < 3600 THEN 60 ELSE 3600 END GROUP BY 1, 2");
    return {.name = "find_refusal_rates",
            .sql = sql,
            .parameters = parameters_of(std::string(import_supplier), span)};
}

TimeSeries read_time_series(const database::Rows& rows, Span span) {
    if (rows.size() == 0) throw std::logic_error("a time series without its span");
    TimeSeries series{.seconds = seconds_of(span), .as_of = rows.integer(0, as_of)};
    const std::int64_t last = series.as_of - series.as_of % series.seconds;
    series.began_at = first_of(rows, last);
    const auto place_of = [&](std::int64_t time) {
        return static_cast<std::size_t>((time - series.began_at) / series.seconds);
    };
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows.is_null(row, name)) continue;
        auto& counts = series.counts[std::string(rows.text(row, name))];
        counts.resize(place_of(last) + 1);
        // After a clock was set back, there may be counts of future intervals, which are left out.
        const std::int64_t at = rows.integer(row, began_at);
        if (at >= series.began_at && at <= last) counts[place_of(at)] += rows.integer(row, count);
    }
    return series;
}

}  // namespace data_import::store

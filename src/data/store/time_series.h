// The curves of a migration: numbers of records, accounts and refusals in intervals of equal length.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/call.h"
#include "data/database/rows.h"

namespace data_import::store {

/// The span of a curve and the length of its intervals: the last hour in minutes, the last day in intervals
/// of five minutes, or the whole migration in hours.
enum class Span { hour, day, all };

[[nodiscard]] std::int64_t seconds_of(Span span);  ///< Returns the length of an interval.

/// Returns Unix time (in seconds) as RFC 3339.
[[nodiscard]] std::string time_text(std::int64_t unix_time);

struct TimeSeries {
    std::int64_t seconds = 0;   ///< length of each interval
    std::int64_t began_at = 0;  ///< start of the first interval, in Unix time: a multiple of `seconds`
    std::int64_t as_of = 0;  ///< current time, in Unix time: it is in the last interval, which has not ended
    /// The key says what is counted, such as the kind `notes`. The value has one number for each interval.
    std::map<std::string, std::vector<std::int64_t>, std::less<>> counts = {};
};

/// The name of imported accounts in the counts of `find_throughput`.
inline constexpr std::string_view accounts_counted = "accounts";

/// Counts a supplier's stored records of each kind, and its imported accounts, interval by interval. `span`
/// says which time is covered, and how long each interval is. Calls data_import.migration_throughput
/// (sql/schema/28-progress.sql).
[[nodiscard]] database::Call find_throughput(std::string_view import_supplier, Span span);
/// Counts the stored records of each supplier, in each minute of the last hour. Calls
/// data_import.throughput_by_supplier.
[[nodiscard]] database::Call find_throughput_by_supplier();
/// Counts a supplier's refusals with each code, in each interval of `span`. Reads data_import.refusal_rate
/// (sql/schema/22-import-log.sql).
[[nodiscard]] database::Call find_refusal_rates(std::string_view import_supplier, Span span);
[[nodiscard]] TimeSeries read_time_series(const database::Rows& rows, Span span);

}  // namespace data_import::store

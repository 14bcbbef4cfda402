// The state of a migration at one moment: the figures that a person signs, for readers and for programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/database/database.h"
#include "data/json/writer.h"
#include "data/report/explanations.h"
#include "data/store/account_list.h"
#include "data/store/api_keys.h"
#include "data/store/bookings.h"
#include "data/store/control_totals.h"
#include "data/store/operator.h"
#include "data/store/progress.h"
#include "data/store/reconciliation.h"
#include "data/store/suppliers.h"
#include "data/store/time_series.h"

namespace data_import::report {

/// Accounts that each list of a report shows at most. The report always says how many there are.
inline constexpr std::size_t most_listed = 1000;
/// Accepted differences that are taken into account.
inline constexpr std::size_t most_accepted = 100'000;

/// Imported accounts without records of a kind.
struct AccountsWithout {
    std::string_view kind;
    std::int64_t count = 0;
    std::vector<std::string> first;  ///< their numbers
};

/// The result of reading every record.
struct Scan {
    std::int64_t accounts = 0;
    std::int64_t records = 0;
    /// The figures in which the records differ from the stored control totals: `held` is the total's value,
    /// `declared` the records' value. Empty unless somebody has changed records by hand.
    std::vector<store::ControlFigure> differences = {};
    std::vector<AccountsWithout> without = {};  ///< for notes and transactions
    std::vector<store::ImportingKey> keys = {};
};

struct Report {
    std::string id;                          ///< 32 hexadecimal digits
    bool is_draft = true;                    ///< not for signing
    std::optional<std::string> signer = {};  ///< the person who signs, or is to sign the final report
    std::optional<store::Operator> by = {};  ///< nothing: made on the page of operators
    std::int64_t schema_version = 0;
    store::Supplier supplier;
    store::MigrationProgress progress;
    store::ControlTotals totals;
    Explanations explanations;
    std::vector<store::Booking> bookings;  ///< for each consumer that takes the supplier
    store::TimeSeries throughput;
    std::vector<store::OpenAccount> failed;              ///< the latest; progress says how many there are
    std::vector<store::OpenAccount> in_progress;         ///< the oldest; progress says how many there are
    std::optional<Scan> scan;                            ///< nothing if the records were not read
    std::optional<store::AccountComparison> comparison;  ///< the last comparison, if there was any

    [[nodiscard]] std::int64_t count_of(std::string_view state) const;
};

/// Tells whether every record of the supplier is read: never, only if nothing else keeps the report from
/// being signed, or always.
enum class Reading { never, where_signable, always };

struct ReportRequest {
    std::string import_supplier;
    Reading reading = Reading::never;
    database::Deadline deadline;
};

/// Takes the figures of a draft; nothing if there is no such supplier. Has to be called in a transaction of
/// proof::with_snapshot, so that all figures are of one moment.
[[nodiscard]] std::optional<Report> take(database::Database& database, const ReportRequest& request);

/// Takes only the differences and why they are accepted. The same conditions hold as for `take`.
[[nodiscard]] std::pair<store::ControlTotals, Explanations> take_explanations(database::Database& database,
                                                                              const ReportRequest& request);

/// Returns the reason why the report cannot be signed, in a sentence; nothing if it can be. A report without
/// a scan cannot.
[[nodiscard]] std::optional<std::string> obstacle(const Report& report);
/// Does the same as far as possible without a scan.
[[nodiscard]] std::optional<std::string> obstacle_of_totals(const Report& report);

/// Says how differences from declared totals are removed: records are missing, there are more than declared,
/// or they have other content.
[[nodiscard]] std::string remedy(bool is_missing, bool is_surplus, const std::string& import_supplier);
/// Does the same for figures, by their numbers of records and accounts.
[[nodiscard]] std::string remedy(const std::vector<store::ControlFigure>& figures,
                                 const std::string& import_supplier);

/// Says how a difference from a consumer's bookings is removed, or accepted.
[[nodiscard]] std::string remedy(const store::Booking& booking, const std::string& import_supplier);

/// Writes a whole document that needs no other file, and can be printed.
[[nodiscard]] std::string to_html(const Report& report);
/// Writes the same figures for programs.
[[nodiscard]] std::string to_json(const Report& report);

/// Writes the valid accepted differences as an object: how many, how many have lapsed, and the first of them.
void write_accepted(json::Writer& writer, const Explanations& explanations);

/// The mark in front of the id, in both forms of a report.
inline constexpr std::string_view id_mark = "data-import-report:";
/// Returns the id at the beginning of a file; nothing if it is no report.
[[nodiscard]] std::optional<std::string> id_of(std::string_view file);

}  // namespace data_import::report

// A report: the state of a supplier's migration at one moment, as HTML for readers and as JSON for programs.
// A person can sign it.
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
#include "data/store/access_events.h"
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

/// The greatest number of accounts in each list of a report. The report also says how many there are in all.
inline constexpr std::size_t most_listed = 1000;
/// The greatest number of accepted differences of accounts; a supplier with more gets no report.
inline constexpr std::size_t most_accepted = 100'000;

/// Imported accounts without records of a kind.
struct AccountsWithout {
    std::string_view kind;
    std::int64_t count = 0;
    /// External numbers of the accounts without records of `kind`, at most `most_listed`.
    std::vector<std::string> first;
};

/// The result of reading every record of the supplier.
struct Scan {
    std::int64_t accounts = 0;
    std::int64_t records = 0;
    /// The figures for which the records do not add up to the stored control totals. In them, `held` is the
    /// value of the control total, and `declared` is the sum over the records, not the supplier's
    /// declaration. Empty unless somebody has changed records by hand.
    std::vector<store::ControlFigure> differences = {};
    /// Imported accounts without notes, and those without transactions.
    std::vector<AccountsWithout> without = {};
    std::vector<store::ImportingKey> keys = {};
};

struct Report {
    std::string id;                          ///< id of the report: 32 hexadecimal digits
    bool is_draft = true;                    ///< the report is not meant to be signed
    std::optional<std::string> signer = {};  ///< the person who signs, or is to sign the final report
    /// The person who made the report; nothing for a draft that the page of operators shows.
    std::optional<store::Operator> by = {};
    std::int64_t schema_version = 0;
    store::Supplier supplier;
    store::MigrationProgress progress;
    store::ControlTotals totals;
    Explanations explanations;
    std::vector<store::Booking> bookings;  ///< bookings of each consumer that takes the supplier's accounts
    store::TimeSeries throughput;
    std::vector<store::OpenAccount> failed;  ///< accounts that failed last; `progress` counts all failed
    /// Accounts that have been in progress for the longest time; `progress` counts all that are in progress.
    std::vector<store::OpenAccount> in_progress;
    std::optional<Scan> scan;  ///< result of reading all records; nothing if they were not read
    std::optional<store::AccountComparison> comparison;  ///< the last comparison, if there was any

    [[nodiscard]] std::int64_t count_of(std::string_view state) const;
};

/// Says when every record of the supplier is read: never, only if nothing else keeps the report from being
/// signed, or always.
enum class Reading { never, where_signable, always };

struct ReportRequest {
    std::string import_supplier;
    Reading reading = Reading::never;
    database::Deadline deadline;
};

/// Returns a draft of the report; nothing if there is no such supplier. Has to be called in a transaction of
/// proof::with_snapshot, so that all figures are of one moment. Throws std::runtime_error if there are more
/// than `most_accepted` accepted differences.
[[nodiscard]] std::optional<Report> take(database::Database& database, const ReportRequest& request);

/// Reads only the control totals and the explanations of their differences. Has to be called in a transaction
/// of proof::with_snapshot, as take() has.
[[nodiscard]] std::pair<store::ControlTotals, Explanations> take_explanations(database::Database& database,
                                                                              const ReportRequest& request);

/// Returns the reason why the report cannot be signed, as a sentence; nothing if it can be signed. A report
/// whose `scan` is nothing cannot be signed, because its records were not read.
[[nodiscard]] std::optional<std::string> obstacle(const Report& report);
/// Returns the first reason in the control totals or in the bookings why the report cannot be signed; nothing
/// if they give no such reason. The records need not have been read (`scan` may be nothing).
[[nodiscard]] std::optional<std::string> obstacle_of_totals(const Report& report);

/// Returns advice on how to remove differences from declared totals. `is_missing` means that records are
/// missing, `is_surplus` that more records are stored than declared. If both are false, records have other
/// content.
[[nodiscard]] std::string remedy(bool is_missing, bool is_surplus, const std::string& import_supplier);
/// Returns the advice for these differing figures. Decides by the numbers of records and of accounts alone
/// whether records are missing or too many.
[[nodiscard]] std::string remedy(const std::vector<store::ControlFigure>& figures,
                                 const std::string& import_supplier);

/// Returns advice on how to remove or accept the differences of a consumer's bookings.
[[nodiscard]] std::string remedy(const store::Booking& booking, const std::string& import_supplier);

/// Returns the report as an HTML document that needs no other file, and can be printed.
[[nodiscard]] std::string to_html(const Report& report);
/// Returns the report as JSON.
[[nodiscard]] std::string to_json(const Report& report);

/// Writes an object about the accepted differences: how many are valid, how many have lapsed, and the first
/// `most_listed` valid ones.
void write_accepted(json::Writer& writer, const Explanations& explanations);

/// Returns the name of a report's files without their endings: the supplier's code, `draft` if the report is
/// a draft, and the present time, such as `ACME-20240531T083000Z` or `ACME-draft-20240531T083000Z`.
/// Characters that are unusual in file names are percent-encoded.
[[nodiscard]] std::string file_stem(const std::string& import_supplier, bool is_draft);

/// Returns the entry that is stored for a signed report. `html` and `json` are its two files. The report has
/// to have a signer and an operator.
[[nodiscard]] store::SignedReport signed_report(const Report& report, const std::string& html,
                                                const std::string& json);

/// Stands before the report's id in the HTML and in the JSON.
inline constexpr std::string_view id_mark = "data-import-report:";
/// Returns the id of a report from the text of its file; nothing if the file is no report.
[[nodiscard]] std::optional<std::string> id_of(std::string_view file);

}  // namespace data_import::report

// Reads from the database what a report shows.
#include <algorithm>
#include <chrono>
#include <map>
#include <stdexcept>
#include <utility>

#include "base/util/crypto.h"
#include "data/database/failures.h"
#include "data/proof/account_totals.h"
#include "data/proof/supplier_figures.h"
#include "data/records/kinds.h"
#include "data/report/report.h"
#include "data/store/records.h"
#include "data/store/schema_version.h"

namespace data_import::report {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t id_bytes = 16;
constexpr std::size_t accounts_at_once = 100;
constexpr milliseconds longest_part = std::chrono::minutes(10);
constexpr std::string_view kinds_that_all_have[] = {"notes", "transactions"};

/// Finds the records that accounts with accepted differences have now. Reads `accounts_at_once` accounts at a
/// time, in the order of `accepted`. find() has to be called for the accounts in that order, and for all
/// kinds of an account before the next account.
class RecordsReader {
public:
    RecordsReader(database::Database& database, const ReportRequest& request,
                  const std::vector<store::AcceptedDifference>& accepted)
        : database_(database), request_(request), accepted_(accepted) {}

    AccountRecords find(const std::string& number, const std::string& kind) {
        if (!records_.contains(number)) read_next();
        const auto& kinds = records_.at(number);
        const records::Kind& known = records::kind_of(kind);
        if (!kinds) return {.is_known = false, .figures = proof::figures_of({}, known)};
        return {.is_known = true, .figures = proof::figures_of((*kinds)[records::place_of(kind)], known)};
    }

private:
    void read_next() {
        const auto left = std::chrono::ceil<milliseconds>(request_.deadline - steady_clock::now());
        if (left <= left.zero()) throw database::TimedOut("the accounts were not read before the deadline");
        const std::vector<std::string> numbers = next_numbers();
        records_.clear();
        for (const std::string& number : numbers) records_[number];
        for (auto& account : proof::find_account_totals(database_, request_.import_supplier, numbers,
                                                        std::min(left, longest_part)))
            records_[account.external_account_number] = std::move(account.kinds);
    }

    std::vector<std::string> next_numbers() {
        std::vector<std::string> numbers;
        for (; next_ < accepted_.size(); ++next_) {
            const std::string& number = accepted_[next_].difference.external_account_number;
            if (!numbers.empty() && numbers.back() == number) continue;
            if (numbers.size() == accounts_at_once) break;
            numbers.push_back(number);
        }
        return numbers;
    }

    database::Database& database_;
    const ReportRequest& request_;
    const std::vector<store::AcceptedDifference>& accepted_;
    std::size_t next_ = 0;  ///< the first of `accepted` whose account was not read yet
    /// The accounts that were read last, by number; nothing for an account that does not exist here.
    std::map<std::string, std::optional<std::vector<records::KindTotals>>> records_;
};

Explanations explain_all(database::Database& database, const ReportRequest& request,
                         const store::ControlTotals& totals) {
    const auto accepted = store::read_accepted_differences(database.execute(
        store::list_accepted_differences(request.import_supplier, most_accepted + 1), request.deadline));
    if (accepted.size() > most_accepted)
        throw std::runtime_error("there are more than " + std::to_string(most_accepted) +
                                 " accepted differences of accounts, too many for a report");
    RecordsReader reader(database, request, accepted);
    return explain(totals, accepted, [&](const std::string& number, const std::string& kind) {
        return reader.find(number, kind);
    });
}

store::ControlTotals find_totals(database::Database& database, const ReportRequest& request,
                                 int most_undeclared) {
    return store::read_control_totals(database.execute(
        store::find_control_totals(request.import_supplier, most_undeclared), request.deadline));
}

Scan scan_records(database::Database& database, const ReportRequest& request) {
    proof::SupplierFigures figures;
    static_cast<void>(proof::stream_account_totals(
        database, {.import_supplier = request.import_supplier, .deadline = request.deadline},
        [&](const records::AccountTotals& account) { figures.add(account); }));
    Scan scan{
        .accounts = figures.accounts(),
        .records = figures.records(),
        .differences = figures.differences(find_totals(database, request, store::all_undeclared_figures))};
    store::allow_reading_whole_tables(database, request.deadline);
    for (const std::string_view kind : kinds_that_all_have) {
        const auto ask = [&](const database::Call& call) { return database.execute(call, request.deadline); };
        scan.without.push_back(
            {.kind = kind,
             .count = ask(store::count_accounts_without(request.import_supplier, kind)).integer(0, 0),
             .first = ask(store::list_accounts_without(request.import_supplier, kind, most_listed)).texts()});
    }
    scan.keys = store::list_importing_keys(database, request.import_supplier, request.deadline);
    return scan;
}

std::vector<store::OpenAccount> list_open(database::Database& database, const ReportRequest& request,
                                          store::OpenState state) {
    return store::read_open_accounts(database.execute(
        store::list_open_accounts(request.import_supplier, state, most_listed), request.deadline));
}

}  // namespace

std::optional<Report> take(database::Database& database, const ReportRequest& request) {
    auto supplier = store::find_supplier(database, request.import_supplier, request.deadline);
    if (!supplier) return std::nullopt;
    Report report;
    report.id = util::to_hex(util::random_bytes(id_bytes));
    report.supplier = *std::move(supplier);
    report.schema_version =
        store::read_schema_version(database.execute(store::find_schema_version(), request.deadline));
    report.progress = store::read_progress(
                          database.execute(store::find_progress(request.import_supplier), request.deadline))
                          .value();
    report.totals = find_totals(database, request, store::most_undeclared_figures);
    report.bookings = store::read_bookings(
        database.execute(store::find_bookings(request.import_supplier), request.deadline));
    report.throughput = store::read_time_series(
        database.execute(store::find_throughput(request.import_supplier, store::Span::all), request.deadline),
        store::Span::all);
    report.failed = list_open(database, request, store::OpenState::failed);
    report.in_progress = list_open(database, request, store::OpenState::in_progress);
    report.comparison = store::read_comparison(
        database.execute(store::find_comparison(request.import_supplier), request.deadline));
    report.explanations = explain_all(database, request, report.totals);
    if (request.reading == Reading::always ||
        (request.reading == Reading::where_signable && !obstacle_of_totals(report)))
        report.scan = scan_records(database, request);
    return report;
}

std::pair<store::ControlTotals, Explanations> take_explanations(database::Database& database,
                                                                const ReportRequest& request) {
    store::ControlTotals totals = find_totals(database, request, store::most_undeclared_figures);
    Explanations explanations = explain_all(database, request, totals);
    return {std::move(totals), std::move(explanations)};
}

}  // namespace data_import::report

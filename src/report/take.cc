// Figures of one moment.
#include <algorithm>
#include <map>
#include <stdexcept>

#include "proof/account_totals.h"
#include "records/kinds.h"
#include "report/report.h"
#include "store/missing_records.h"
#include "store/records.h"
#include "store/schema_state.h"
#include "util/crypto.h"

namespace data_import::report {

namespace {

constexpr std::size_t id_bytes = 16;
constexpr std::string_view kinds_that_all_have[] = {"notes", "transactions"};

store::KindFigures figures_of(const records::KindTotals& totals, std::string_view kind) {
    return {.records = totals.records,
            .amount = records::amount_of(totals, records::kind_of(kind)),
            .fingerprint = totals.fingerprint.to_text()};
}

/// Accounts are asked for in their order, each several times.
class Holdings {
public:
    Holdings(database::Database& database, const Wish& wish) : database_(database), wish_(wish) {}

    Holding find(const std::string& number, const std::string& kind) {
        if (!number_ || *number_ != number) read(number);
        return {.is_known = is_known_, .figures = figures_of(kinds_[records::place_of(kind)], kind)};
    }

private:
    void read(const std::string& number) {
        kinds_.assign(records::kinds().size(), {});
        const proof::TotalsQuery query{.import_supplier = wish_.import_supplier,
                                       .external_account_number = number};
        is_known_ = proof::stream_account_totals(
            database_, query, [&](const records::AccountTotals& account) { kinds_ = account.kinds; });
        number_ = number;
    }

    database::Database& database_;
    const Wish& wish_;
    std::optional<std::string> number_;
    bool is_known_ = false;
    std::vector<records::KindTotals> kinds_;
};

Explanations explain_all(database::Database& database, const Wish& wish, const store::ControlTotals& totals) {
    const auto accepted = store::read_accepted_differences(database.execute(
        store::list_accepted_differences(wish.import_supplier, most_accepted + 1), wish.deadline));
    if (accepted.size() > most_accepted)
        throw std::runtime_error("there are more than " + std::to_string(most_accepted) +
                                 " accepted differences of accounts, which no report can judge");
    Holdings holdings(database, wish);
    return explain(totals, accepted, [&](const std::string& number, const std::string& kind) {
        return holdings.find(number, kind);
    });
}

/// Figures by kind and name.
using Figures = std::map<std::pair<std::string, std::string>, util::DecimalSum>;

void add(Figures& figures, Scan& scan, const records::AccountTotals& account) {
    ++scan.accounts;
    for (std::size_t place = 0; place < account.kinds.size(); ++place) {
        const records::KindTotals& totals = account.kinds[place];
        if (totals.records == 0) continue;
        const std::string kind(records::kinds()[place].name);
        scan.records += totals.records;
        figures[{kind, std::string(store::records_figure)}].add(std::to_string(totals.records));
        for (const auto& [figure, sum] : totals.sums) figures[{kind, figure}].add(sum.to_text());
    }
}

bool is_left_out(const store::ControlTotals& totals, const std::string& kind) {
    return std::ranges::find(totals.left_out, kind, &std::pair<std::string, std::int64_t>::first) !=
           totals.left_out.end();
}

/// A figure that only one side has is 0 on the other.
std::vector<store::ControlFigure> compare(const store::ControlTotals& totals, Figures counted) {
    std::vector<store::ControlFigure> differences;
    const auto add_difference = [&](const std::string& kind, const std::string& figure,
                                    const std::string& held, const std::string& of_records) {
        if (held == of_records) return;
        util::DecimalSum difference;
        difference.add(held);
        difference.add(of_records.front() == '-' ? of_records.substr(1) : '-' + of_records);
        differences.push_back({kind, figure, held, of_records, difference.to_text()});
    };
    for (const store::ControlFigure& one : totals.figures) {
        const auto found = counted.find({one.kind, one.figure});
        add_difference(one.kind, one.figure, one.held.value_or("0"),
                       found == counted.end() ? "0" : found->second.to_text());
        if (found != counted.end()) counted.erase(found);
    }
    for (const auto& [name, sum] : counted) {
        if (!is_left_out(totals, name.first)) add_difference(name.first, name.second, "0", sum.to_text());
    }
    return differences;
}

Scan scan_records(database::Database& database, const Wish& wish, const store::ControlTotals& totals) {
    Scan scan;
    Figures figures;
    static_cast<void>(proof::stream_account_totals(
        database, {.import_supplier = wish.import_supplier},
        [&](const records::AccountTotals& account) { add(figures, scan, account); }));
    const std::string accounts(store::accounts_figure);
    if (scan.accounts > 0) figures[{accounts, accounts}].add(std::to_string(scan.accounts));
    scan.differences = compare(totals, std::move(figures));
    store::allow_reading_whole_tables(database, wish.deadline);
    for (const std::string_view kind : kinds_that_all_have) {
        scan.without.push_back(
            {.kind = kind,
             .count = store::read_count(
                 database.execute(store::count_accounts_without(wish.import_supplier, kind), wish.deadline)),
             .first = store::read_accounts_without(database.execute(
                 store::list_accounts_without(wish.import_supplier, kind, most_listed), wish.deadline))});
    }
    scan.keys = store::list_importing_keys(database, wish.import_supplier, wish.deadline);
    return scan;
}

store::ControlTotals find_totals(database::Database& database, const Wish& wish) {
    return store::read_control_totals(
        database.execute(store::find_control_totals(wish.import_supplier), wish.deadline));
}

std::vector<store::OpenAccount> list_open(database::Database& database, const Wish& wish,
                                          store::OpenState state) {
    return store::read_open_accounts(
        database.execute(store::list_open_accounts(wish.import_supplier, state, most_listed), wish.deadline));
}

}  // namespace

std::optional<Report> take(database::Database& database, const Wish& wish) {
    auto supplier = store::find_supplier(database, wish.import_supplier, wish.deadline);
    if (!supplier) return std::nullopt;
    Report report;
    report.id = util::to_hex(util::random_bytes(id_bytes));
    report.supplier = *std::move(supplier);
    report.schema_version =
        store::read_schema_version(database.execute(store::find_schema_version(), wish.deadline));
    report.progress =
        store::read_progress(database.execute(store::find_progress(wish.import_supplier), wish.deadline))
            .value();
    report.totals = find_totals(database, wish);
    report.throughput = store::read_time_series(
        database.execute(store::find_throughput(wish.import_supplier, store::Span::all), wish.deadline),
        store::Span::all);
    report.failed = list_open(database, wish, store::OpenState::failed);
    report.in_progress = list_open(database, wish, store::OpenState::in_progress);
    report.explanations = explain_all(database, wish, report.totals);
    if (wish.reading == Reading::always ||
        (wish.reading == Reading::where_signable && !obstacle_of_totals(report)))
        report.scan = scan_records(database, wish, report.totals);
    return report;
}

std::pair<store::ControlTotals, Explanations> take_explanations(database::Database& database,
                                                                const Wish& wish) {
    store::ControlTotals totals = find_totals(database, wish);
    Explanations explanations = explain_all(database, wish, totals);
    return {std::move(totals), std::move(explanations)};
}

}  // namespace data_import::report

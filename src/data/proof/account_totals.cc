#include "data/proof/account_totals.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "base/util/crypto.h"
#include "data/proof/record_totals.h"
#include "data/records/kinds.h"
#include "data/store/records.h"

namespace data_import::proof {

namespace {

using std::chrono::steady_clock;

constexpr std::size_t first_slice = 50;
constexpr std::size_t most_accounts = 1000;
// A slice that takes less time than this is followed by a larger one.
constexpr std::chrono::milliseconds short_slice{400};
// A slice that takes more time than this is followed by a smaller one.
constexpr std::chrono::milliseconds long_slice{1000};

/// Accounts whose totals are computed together, by one statement for each kind.
class Slice {
public:
    explicit Slice(const std::vector<store::NumberedAccount>& accounts) {
        std::vector<std::string> keys;
        for (const store::NumberedAccount& account : accounts) keys.push_back(account.account_key);
        accounts_ = std::move(keys);
        prepare(accounts);
    }
    /// `accounts` have to be the supplier's next accounts after the number `behind`, with none left out, so
    /// that statements can name them as a range.
    Slice(const std::vector<store::NumberedAccount>& accounts, std::string_view import_supplier,
          const std::string& behind)
        : accounts_(
              store::AccountRange{std::string(import_supplier), behind,
                                  accounts.empty() ? behind : accounts.back().external_account_number}) {
        prepare(accounts);
    }

    void read(database::Database& database, std::chrono::milliseconds timeout,
              database::Deadline end = database::Deadline::max()) {
        if (totals_.empty()) return;
        for (std::size_t kind = 0; kind < record_totals().size(); ++kind)
            read_kind(database, kind, std::min(steady_clock::now() + timeout, end));
    }

    [[nodiscard]] const std::vector<records::AccountTotals>& totals() const { return totals_; }
    [[nodiscard]] std::vector<records::AccountTotals> take() { return std::move(totals_); }

private:
    void prepare(const std::vector<store::NumberedAccount>& accounts) {
        totals_.reserve(accounts.size());
        for (const store::NumberedAccount& account : accounts) {
            places_.emplace(account.account_key, totals_.size());
            totals_.push_back(
                {account.external_account_number, std::vector<records::KindTotals>(record_totals().size())});
        }
    }

    void read_kind(database::Database& database, std::size_t kind, database::Deadline deadline) {
        const RecordTotals& reader = record_totals()[kind];
        std::string text;
        const auto add = [&](const std::vector<database::BinaryValue>& row) {
            records::AccountTotals& account = totals_[places_.at(util::to_hex(row.back().value()))];
            reader.add(account.kinds[kind], account.external_account_number, row, text);
        };
        store::read_records(database, reader.kind(), reader.record().columns(), accounts_, add, deadline);
    }

    store::SomeAccounts accounts_;
    std::vector<records::AccountTotals> totals_;
    std::unordered_map<std::string, std::size_t> places_;
};

std::size_t next_size(std::size_t size, steady_clock::duration took) {
    if (took < short_slice) return std::min(size * 2, most_accounts);
    return took > long_slice ? std::max<std::size_t>(size / 2, 1) : size;
}

void stream_all(database::Database& database, const TotalsQuery& query,
                const std::function<void(const records::AccountTotals&)>& each) {
    std::string behind;
    for (std::size_t size = first_slice;;) {
        const auto began = steady_clock::now();
        const auto accounts = store::next_accounts(database, query.import_supplier, behind, size,
                                                   std::min(began + query.timeout_of_part, query.deadline));
        Slice slice(accounts, query.import_supplier, behind);
        slice.read(database, query.timeout_of_part, query.deadline);
        for (const records::AccountTotals& totals : slice.totals()) each(totals);
        if (accounts.size() < size) return;
        behind = accounts.back().external_account_number;
        size = next_size(size, steady_clock::now() - began);
    }
}

bool stream_one(database::Database& database, const TotalsQuery& query,
                const std::function<void(const records::AccountTotals&)>& each) {
    const std::string number(*query.external_account_number);
    const auto known =
        find_account_totals(database, query.import_supplier, {&number, 1}, query.timeout_of_part);
    if (known.empty()) return false;
    each(known.front());
    return true;
}

}  // namespace

bool stream_account_totals(database::Database& database, const TotalsQuery& query,
                           const std::function<void(const records::AccountTotals&)>& each) {
    if (query.external_account_number) return stream_one(database, query, each);
    stream_all(database, query, each);
    return true;
}

std::vector<records::AccountTotals> find_account_totals(database::Database& database,
                                                        std::string_view import_supplier,
                                                        std::span<const std::string> external_account_numbers,
                                                        std::chrono::milliseconds timeout_of_part) {
    Slice slice(store::find_accounts(database, import_supplier, external_account_numbers,
                                     steady_clock::now() + timeout_of_part));
    slice.read(database, timeout_of_part);
    return slice.take();
}

void with_snapshot(database::Database& database, const std::function<void()>& work,
                   std::string_view request) {
    const database::Deadline deadline = steady_clock::now() + longest_snapshot;
    database.transaction(
        [&] {
            store::begin_reading_records(database, deadline);
            work();
        },
        deadline, request);
}

store::KindFigures figures_of(const records::KindTotals& totals, const records::Kind& kind) {
    store::Sums sums;
    for (const auto& [figure, sum] : totals.sums) sums[figure] = sum.to_text();
    return {.records = totals.records,
            .amount = records::amount_of(totals, kind),
            .fingerprint = totals.fingerprint.to_text(),
            .sums = std::move(sums)};
}

}  // namespace data_import::proof

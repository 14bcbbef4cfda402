#include "proof/account_totals.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "proof/record_totals.h"
#include "records/kinds.h"
#include "store/records.h"
#include "util/crypto.h"

namespace data_import::proof {

namespace {

using std::chrono::steady_clock;

constexpr std::size_t first_batch = 50;
constexpr std::size_t most_accounts = 1000;
constexpr std::chrono::milliseconds short_batch{200};  // ... is followed by a larger one
constexpr std::chrono::milliseconds long_batch{1000};  // ... by a smaller one

const std::vector<RecordTotals>& readers() {
    static const std::vector<RecordTotals> all = [] {
        std::vector<RecordTotals> made;
        for (const records::Kind& kind : records::kinds()) made.emplace_back(kind);
        return made;
    }();
    return all;
}

/// Accounts whose totals are computed together: one statement for each kind.
class Batch {
public:
    explicit Batch(const std::vector<store::NumberedAccount>& accounts) {
        totals_.reserve(accounts.size());
        for (const store::NumberedAccount& account : accounts) {
            places_.emplace(account.account_key, totals_.size());
            keys_.push_back(account.account_key);
            totals_.push_back(
                {account.external_account_number, std::vector<records::KindTotals>(readers().size())});
        }
    }

    void read(database::Database& database, std::chrono::milliseconds timeout) {
        for (std::size_t kind = 0; kind < readers().size(); ++kind) read(database, kind, timeout);
    }

    [[nodiscard]] const std::vector<records::AccountTotals>& totals() const { return totals_; }
    [[nodiscard]] std::vector<records::AccountTotals> take() { return std::move(totals_); }

private:
    void read(database::Database& database, std::size_t kind, std::chrono::milliseconds timeout) {
        const RecordTotals& reader = readers()[kind];
        std::string text;
        const auto add = [&](const std::vector<database::BinaryValue>& row) {
            records::AccountTotals& account = totals_[places_.at(util::to_hex(row.back().value()))];
            reader.add(account.kinds[kind], account.external_account_number, row, text);
        };
        store::read_records(database, reader.kind(), reader.columns(), keys_, add,
                            steady_clock::now() + timeout);
    }

    std::vector<records::AccountTotals> totals_;
    std::vector<std::string> keys_;
    std::unordered_map<std::string, std::size_t> places_;
};

std::size_t next_size(std::size_t size, steady_clock::duration took) {
    if (took < short_batch) return std::min(size * 2, most_accounts);
    return took > long_batch ? std::max<std::size_t>(size / 2, 1) : size;
}

void stream_all(database::Database& database, const TotalsQuery& query,
                const std::function<void(const records::AccountTotals&)>& each) {
    std::string behind;
    for (std::size_t size = first_batch;;) {
        const auto began = steady_clock::now();
        const auto accounts = store::next_accounts(database, query.import_supplier, behind, size,
                                                   began + query.timeout_of_part);
        Batch batch(accounts);
        batch.read(database, query.timeout_of_part);
        for (const records::AccountTotals& totals : batch.totals()) each(totals);
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
    Batch batch(store::find_accounts(database, import_supplier, external_account_numbers,
                                     steady_clock::now() + timeout_of_part));
    if (!batch.totals().empty()) batch.read(database, timeout_of_part);
    return batch.take();
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

}  // namespace data_import::proof

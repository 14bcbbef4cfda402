#include "proof/account_totals.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "database/binary_values.h"
#include "records/kinds.h"
#include "schema/stored_record.h"
#include "store/records.h"
#include "util/crypto.h"

namespace data_import::proof {

namespace {

using std::chrono::steady_clock;

constexpr std::size_t first_batch = 50;
constexpr std::size_t most_accounts = 1000;
constexpr std::chrono::milliseconds short_batch{400};  // ... is followed by a larger one
constexpr std::chrono::milliseconds long_batch{1000};  // ... by a smaller one

using database::BinaryValue;

std::string name_of(const records::Figure& figure, const BinaryValue& by) {
    std::string name(figure.name);
    if (!figure.by.empty()) (name += ':') += by.value_or("");
    return name;
}

// An administrator can store what no import would: numbers that are none, or too large for any sum. The
// fingerprint tells of these; a sum leaves them out.
void add_number(util::DecimalSum& sum, std::string_view value, bool is_integer) {
    std::string text;
    is_integer ? static_cast<void>(text = std::to_string(database::binary_integer(value)))
               : database::append_numeric(text, value);
    if (text.find_first_not_of("-.0123456789") != std::string::npos) return;
    try {
        sum.add(text);
    } catch (const std::overflow_error&) {
    }
}

/// How the records of a kind are read and added up.
class RecordTotals {
public:
    explicit RecordTotals(const records::Kind& kind) : kind_(kind), record_(kind.record) {
        for (const records::Figure& figure : kind.figures) {
            const std::size_t field = record_.place_of(figure.field);
            figures_.push_back({.figure = &figure,
                                .field = field,
                                .by = figure.by.empty() ? field : record_.place_of(figure.by),
                                .is_of_items = figure.field.find('.') != std::string_view::npos,
                                .is_integer = record_.columns()[field].is_integer});
        }
    }

    [[nodiscard]] const records::Kind& kind() const { return kind_; }
    /// The columns that a row has to have.
    [[nodiscard]] std::span<const schema::StoredRecord::Column> columns() const { return record_.columns(); }

    /// Adds a record; `text` is reused from record to record.
    void add(records::KindTotals& totals, std::string_view external_account_number,
             const std::vector<BinaryValue>& row, std::string& text) const {
        ++totals.records;
        text = records::digest_head(kind_.name, external_account_number);
        record_.append_canonical(text, row);
        totals.fingerprint.add(text);
        for (const Places& places : figures_)
            places.is_of_items ? add_items(totals, places, row) : add_value(totals, places, row);
    }

private:
    /// The columns with the values of a figure.
    struct Places {
        const records::Figure* figure;
        std::size_t field;
        std::size_t by;  ///< column with the figure's `by`
        bool is_of_items;
        bool is_integer;
    };

    static void add_value(records::KindTotals& totals, const Places& places,
                          const std::vector<BinaryValue>& row) {
        const BinaryValue& value = row[places.field];
        if (value)
            add_number(totals.sums[name_of(*places.figure, row[places.by])], *value, places.is_integer);
    }

    // Items mostly have the same unit as the one before.
    static void add_items(records::KindTotals& totals, const Places& places,
                          const std::vector<BinaryValue>& row) {
        if (!row[places.field] || !row[places.by]) return;
        database::BinaryArray values(*row[places.field]);
        if (places.figure->counts_items)
            return totals.sums[name_of(*places.figure, {})].add(std::to_string(values.size()));
        database::BinaryArray by(*row[places.by]);
        BinaryValue last;
        util::DecimalSum* sum = nullptr;
        while (values.size() > 0) {
            const BinaryValue value = values.next();
            const BinaryValue name = by.next_or_only();
            if (sum == nullptr || name != last) sum = &totals.sums[name_of(*places.figure, name)];
            last = name;
            if (value) add_number(*sum, *value, places.is_integer);
        }
    }

    const records::Kind& kind_;
    schema::StoredRecord record_;
    std::vector<Places> figures_;
};

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
        std::vector<std::string> keys;
        for (const store::NumberedAccount& account : accounts) keys.push_back(account.account_key);
        accounts_ = std::move(keys);
        prepare(accounts);
    }
    /// All accounts of the supplier behind that number, up to the last of these.
    Batch(const std::vector<store::NumberedAccount>& accounts, std::string_view import_supplier,
          const std::string& behind)
        : accounts_(
              store::AccountRange{std::string(import_supplier), behind,
                                  accounts.empty() ? behind : accounts.back().external_account_number}) {
        prepare(accounts);
    }

    void read(database::Database& database, std::chrono::milliseconds timeout) {
        if (totals_.empty()) return;
        for (std::size_t kind = 0; kind < readers().size(); ++kind) read(database, kind, timeout);
    }

    [[nodiscard]] const std::vector<records::AccountTotals>& totals() const { return totals_; }
    [[nodiscard]] std::vector<records::AccountTotals> take() { return std::move(totals_); }

private:
    void prepare(const std::vector<store::NumberedAccount>& accounts) {
        totals_.reserve(accounts.size());
        for (const store::NumberedAccount& account : accounts) {
            places_.emplace(account.account_key, totals_.size());
            totals_.push_back(
                {account.external_account_number, std::vector<records::KindTotals>(readers().size())});
        }
    }

    void read(database::Database& database, std::size_t kind, std::chrono::milliseconds timeout) {
        const RecordTotals& reader = readers()[kind];
        std::string text;
        const auto add = [&](const std::vector<database::BinaryValue>& row) {
            records::AccountTotals& account = totals_[places_.at(util::to_hex(row.back().value()))];
            reader.add(account.kinds[kind], account.external_account_number, row, text);
        };
        store::read_records(database, reader.kind(), reader.columns(), accounts_, add,
                            steady_clock::now() + timeout);
    }

    store::SomeAccounts accounts_;
    std::vector<records::AccountTotals> totals_;
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
        Batch batch(accounts, query.import_supplier, behind);
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
    batch.read(database, timeout_of_part);
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

store::KindFigures figures_of(const records::KindTotals& totals, const records::Kind& kind) {
    store::Sums sums;
    for (const auto& [figure, sum] : totals.sums) sums[figure] = sum.to_text();
    return {.records = totals.records,
            .amount = records::amount_of(totals, kind),
            .fingerprint = totals.fingerprint.to_text(),
            .sums = std::move(sums)};
}

}  // namespace data_import::proof

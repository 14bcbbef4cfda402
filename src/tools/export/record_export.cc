#include "tools/export/record_export.h"

#include <algorithm>

#include "data/payload/imports.h"
#include "data/proof/account_totals.h"
#include "data/proof/record_totals.h"
#include "data/store/records.h"

namespace data_import::exports {

namespace {

database::Deadline late() {
    return std::chrono::steady_clock::now() + proof::longest_snapshot;
}

/// The parts of the program that read and write the records of one kind.
struct Reader {
    const proof::RecordTotals* totals;
    const payload::DeclaredImport* import;
    std::size_t place;  ///< place of the kind in records::kinds()
};

std::vector<Reader> readers_of(const Request& request) {
    std::vector<Reader> readers;
    for (std::size_t place = 0; place < records::kinds().size(); ++place) {
        const std::string_view name = records::kinds()[place].name;
        if (request.has_kind(name))
            readers.push_back({&proof::record_totals()[place], &payload::import_of(name), place});
    }
    return readers;
}

/// Writes the records of one file (a part of the accounts), and adds up the figures of these records.
class PartWriter {
public:
    PartWriter(const std::vector<Reader>& readers, std::string_view import_supplier,
               std::vector<records::KindTotals>& totals, const BulkLines::Sink& sink)
        : readers_(readers), totals_(totals), lines_(import_supplier, sink) {}

    void add(const store::OrderedRecord& record) {
        const Reader& reader = readers_[record.kind];
        reader.totals->add_figures(totals_[reader.place], record.row);
        text_.clear();
        reader.totals->record().append_payload(text_, record.row);
        lines_.add(*reader.import, record.external_account_number, record.copy, text_);
    }
    void end() { lines_.end(); }

private:
    const std::vector<Reader>& readers_;
    std::vector<records::KindTotals>& totals_;
    BulkLines lines_;
    std::string text_;
};

}  // namespace

std::span<const std::string> numbers_in(const std::vector<std::string>& numbers, const std::string& behind,
                                        const std::string& last) {
    const auto begin = std::ranges::upper_bound(numbers, behind);
    return {begin, std::upper_bound(begin, numbers.end(), last)};
}

void AccountRanges::add(std::string_view external_account_number) {
    if (accounts_++ % accounts_of_range == 0) last_.emplace_back();
    last_.back() = external_account_number;
}

void AccountRanges::visit(std::size_t part,
                          const std::function<void(const std::string&, const std::string&)>& each) const {
    constexpr std::size_t ranges_of_part = accounts_of_part / accounts_of_range;
    const std::size_t first = part * ranges_of_part;
    for (std::size_t range = first; range < std::min(first + ranges_of_part, last_.size()); ++range)
        each(range == 0 ? std::string() : last_[range - 1], last_[range]);
}

void export_records(database::Database& database, const Request& request, const AccountRanges& ranges,
                    std::size_t part, Progress& progress, std::vector<records::KindTotals>& totals,
                    const BulkLines::Sink& sink) {
    const std::vector<Reader> readers = readers_of(request);
    if (readers.empty()) return;
    PartWriter writer(readers, request.import_supplier, totals, sink);
    store::OrderedRecords wanted{.accounts = {}, .kinds = {}, .since = request.since};
    for (const Reader& reader : readers)
        wanted.kinds.push_back({&reader.totals->kind(), reader.totals->record().columns()});
    ranges.visit(part, [&](const std::string& behind, const std::string& last) {
        progress.check();
        wanted.accounts = {request.import_supplier, behind, last};
        wanted.numbers = numbers_in(request.numbers, behind, last);
        store::read_records_in_order(
            database, wanted,
            [&](const store::OrderedRecord& record) {
                progress.check();
                writer.add(record);
                ++progress.records;
            },
            late());
    });
    writer.end();
}

std::int64_t export_records_without_account(database::Database& database, const std::string& kind,
                                            const Request& request, Progress& progress,
                                            const BulkLines::Sink& sink) {
    std::int64_t records = 0;
    const payload::DeclaredImport& import = payload::import_of(kind);
    BulkLines lines(request.import_supplier, sink);
    store::read_records_without_account(
        database, kind, request.since,
        [&](std::string_view record) {
            progress.check();
            lines.add(import, {}, 1, record);
            ++progress.records;
            ++records;
        },
        late());
    lines.end();
    return records;
}

}  // namespace data_import::exports

#include "tools/client/book.h"

#include <algorithm>
#include <limits>
#include <ostream>

#include "base/util/big_endian.h"
#include "base/util/crypto.h"
#include "base/util/datetime.h"
#include "data/payload/declarations.h"
#include "data/payload/imports.h"
#include "data/records/fingerprint.h"
#include "data/records/kinds.h"
#include "data/schema/canonical.h"
#include "data/schema/content.h"
#include "tools/client/check_run.h"

namespace data_import::client {

namespace {

std::string digest_of(std::string_view text) {
    return std::string(util::bytes_of(util::sha256(text)).substr(0, records::digest_bytes));
}

std::string identity_of(const records::Kind& kind, const json::Value& record) {
    return kind.identity != nullptr ? kind.identity(record) : schema::content_text(kind.record, record);
}

/// Returns a number that sorts like the note's time: its microseconds, with the sign bit inverted. Returns 0
/// for a note without a time; every allowed time gives a greater number.
std::uint64_t time_of(const json::Value& note) {
    const auto created_at = note.find("created_at");
    if (!created_at) return 0;
    const auto instant = util::parse_datetime(created_at->text()).value();
    return static_cast<std::uint64_t>(instant.microseconds) ^ std::uint64_t{1} << 63U;
}

std::uint64_t variant_of(const records::Kind& kind, const json::Value& record) {
    if (kind.name == "notes") return time_of(record);
    if (kind.name != "historical_statements") return 0;
    return util::big_endian(digest_of(payload::content_of_historical_statement(record)).substr(0, 8));
}

/// Cuts parts from the beginning of a text, one after the other.
class Cut {
public:
    explicit Cut(std::string_view text) : text_(text) {}

    std::string_view bytes(std::size_t count) {
        const std::string_view front = text_.substr(0, count);
        text_.remove_prefix(count);
        return front;
    }
    std::string_view up_to_zero(std::size_t zeros) {
        std::size_t end = 0;
        while (zeros-- > 0) end = text_.find('\0', end) + 1;
        return bytes(end);
    }
    [[nodiscard]] std::string_view rest() const { return text_; }

private:
    std::string_view text_;
};

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

std::size_t notes() {
    static const std::size_t place = records::place_of("notes");
    return place;
}

std::size_t statements() {
    static const std::size_t place = records::place_of("historical_statements");
    return place;
}

}  // namespace

std::string_view BookRecord::external_account_number() const {
    return account.substr(account.find('\0') + 1, account.size() - account.find('\0') - 2);
}

std::string to_text(const BookRecord& record) {
    std::string text(record.account);
    util::append_big_endian<1>(text, record.kind);
    text += record.identity;
    util::append_big_endian<8>(text, record.variant);
    util::append_big_endian<8>(text, record.place);
    util::append_big_endian<2>(text, record.part);
    util::append_big_endian<1>(text, record.is_always_new ? 1 : 0);
    ((text += record.digest) += record.figure) += '\0';
    return text += record.value;
}

BookRecord book_record_of(std::string_view text) {
    Cut cut(text);
    BookRecord record{.account = cut.up_to_zero(2)};
    record.kind = util::big_endian(cut.bytes(1));
    record.identity = cut.bytes(records::digest_bytes);
    record.variant = util::big_endian(cut.bytes(8));
    record.place = util::big_endian(cut.bytes(8));
    record.part = static_cast<std::uint16_t>(util::big_endian(cut.bytes(2)));
    record.is_always_new = util::big_endian(cut.bytes(1)) == 1;
    record.digest = cut.bytes(records::digest_bytes);
    record.figure = cut.up_to_zero(1);
    record.figure.remove_suffix(1);
    record.value = cut.rest();
    return record;
}

void BookRecords::add(const ImportRequest& request, const json::Value& body, std::uint64_t line) {
    const payload::DeclaredImport* const import = payload::find_import(request.address());
    if (import == nullptr || records::find_kind(import->stores) == nullptr) return;
    const std::string_view number = body.at("external_account_number").text();
    std::string account(body.at("import_supplier").text());
    note_supplier(account);
    ((account += '\0') += number) += '\0';
    BookRecord record{.account = account,
                      .kind = records::place_of(import->stores),
                      .place = line << BookRecord::place_bits,
                      .is_always_new = !request.is_idempotent()};
    if (!import->is_list)
        return add_record(record, number, import->field.empty() ? body : body.at(import->field));
    for (const json::Value item : body.at(import->field).items()) {
        add_record(record, number, item);
        ++record.place;
    }
}

void BookRecords::add_record(BookRecord& record, std::string_view number, const json::Value& sent) {
    const records::Kind& kind = records::kinds()[record.kind];
    canonical_ = records::digest_head(kind.name, number);
    schema::append_canonical(canonical_, kind.record, sent);
    const std::string digest = digest_of(canonical_);
    const std::string identity = digest_of(identity_of(kind, sent));
    record.digest = digest;
    record.identity = identity;
    record.variant = variant_of(kind, sent);
    record.part = 0;
    record.figure = record.value = {};
    const records::Sums sums = records::figures_of(kind, sent);
    for (const auto& [figure, sum] : sums) {
        const std::string value = sum.to_text();
        record.figure = figure;
        record.value = value;
        texts_.add(to_text(record));
        ++record.part;
    }
    if (sums.empty()) texts_.add(to_text(record));
    ++count_;
}

void BookRecords::note_supplier(std::string_view supplier) {
    if (first_supplier_.empty()) first_supplier_ = supplier;
    if (supplier != first_supplier_ && second_supplier_.empty()) second_supplier_ = supplier;
}

BookTotals::BookTotals(util::SortedTexts& texts) : texts_(texts), text_(texts.next()) {}

std::optional<BookAccount> BookTotals::next() {
    if (!text_) return std::nullopt;
    const BookRecord first = book_record_of(*text_);
    const std::string account(first.account);
    account_.import_supplier = first.import_supplier();
    account_.totals = {std::string(first.external_account_number()),
                       std::vector<records::KindTotals>(records::kinds().size())};
    last_.clear();
    for (; text_; text_ = texts_.next()) {
        const BookRecord record = book_record_of(*text_);
        if (record.account != account) break;
        take(record);
    }
    settle_note();
    settle_statements();
    return std::move(account_);
}

void BookTotals::take(const BookRecord& record) {
    if (record.part > 0) {
        if (counts_) add_figure(record.kind, record.figure, record.value);
        return;
    }
    if (record.kind == statements()) return take_statement(record);
    std::string identity(1, static_cast<char>(record.kind));
    identity += record.identity;
    const bool is_same = identity == last_;
    last_ = std::move(identity);
    if (record.kind == notes()) return take_note(record, is_same);
    counts_ = record.is_always_new || !is_same;
    counts_ ? count(record.kind, record.digest, record.figure, record.value) : static_cast<void>(++repeats_);
}

/// Takes the next of the sorted notes. `is_same` is true if this note is equal to the note taken before,
/// apart from the time. Equal notes come one after the other: first those without a time, then those with a
/// time, in the order of their times.
void BookTotals::take_note(const BookRecord& record, bool is_same) {
    if (!is_same) {
        settle_note();
        first_timed_ = never;
        last_variant_ = 0;
    }
    if (!is_same && record.variant == 0) {
        untimed_ = {record.place, std::string(record.digest)};
    } else if (record.variant == last_variant_) {
        ++repeats_;
    } else {
        last_variant_ = record.variant;
        first_timed_ = std::min(first_timed_, record.place);
        count(record.kind, record.digest, {}, {});
    }
}

void BookTotals::settle_note() {
    if (!untimed_) return;
    untimed_->place < first_timed_ ? count(notes(), untimed_->digest, {}, {}) : static_cast<void>(++repeats_);
    untimed_.reset();
}

void BookTotals::take_statement(const BookRecord& record) {
    if (statements_.size() == most_statements) {
        throw std::runtime_error("the account " + account_.totals.external_account_number +
                                 " has more than " + std::to_string(most_statements) +
                                 " statements: take fewer files at once");
    }
    statements_.push_back({.place = record.place,
                           .identity = std::string(record.identity),
                           .content = record.variant,
                           .digest = std::string(record.digest),
                           .figure = std::string(record.figure),
                           .value = std::string(record.value)});
}

void BookTotals::settle_statements() {
    std::ranges::sort(statements_, {}, &Statement::place);
    Known known;
    for (std::size_t from = 0; from < statements_.size();) {
        const std::uint64_t line = statements_[from].place >> BookRecord::place_bits;
        std::size_t to = from;
        while (to < statements_.size() && statements_[to].place >> BookRecord::place_bits == line) ++to;
        settle_request(from, to, known);
        from = to;
    }
    statements_.clear();
}

/// Counts all statements of one request. Counts none if one of them is known with other content, because the
/// service then refuses the request as a whole.
void BookTotals::settle_request(std::size_t from, std::size_t to, Known& known) {
    for (std::size_t at = from; at < to; ++at) {
        const auto stored = known.find(statements_[at].identity);
        if (stored == known.end() || stored->second == statements_[at].content) continue;
        const std::uint64_t line = statements_[at].place >> BookRecord::place_bits;
        ++refused_lines_[LinePlace::of(line).file];
        first_refused_line_ = std::min(first_refused_line_, line);
        return;
    }
    for (std::size_t at = from; at < to; ++at) {
        const Statement& one = statements_[at];
        known.emplace(one.identity, one.content).second
            ? count(statements(), one.digest, one.figure, one.value)
            : static_cast<void>(++repeats_);
    }
}

std::uint64_t BookTotals::refused_lines() const {
    std::uint64_t lines = 0;
    for (const auto& [file, count] : refused_lines_) lines += count;
    return lines;
}

void BookTotals::count(std::size_t kind, std::string_view digest, std::string_view figure,
                       std::string_view value) {
    records::KindTotals& totals = account_.totals.kinds[kind];
    ++totals.records;
    totals.fingerprint.add_digest(digest);
    if (!figure.empty()) add_figure(kind, figure, value);
}

void BookTotals::add_figure(std::size_t kind, std::string_view figure, std::string_view value) {
    records::Sums& sums = account_.totals.kinds[kind].sums;
    const auto sum = sums.try_emplace(std::string(figure)).first;
    sum->second.add(value);
    if (sums.size() > most_figures) {
        throw std::runtime_error("the account " + account_.totals.external_account_number +
                                 " has more than " + std::to_string(most_figures) + " units");
    }
}

int Book::run(const Stop& stop, std::ostream& errors, const std::function<void()>& work,
              const std::function<bool()>& conclude) {
    try {
        if (!read(stop)) return tell_of_stop(stop, errors);
        work();
        tell(errors);
        return conclude() && is_whole() ? 0 : 1;
    } catch (const std::runtime_error&) {
        if (!stop.requested()) throw;
        return tell_of_stop(stop, errors);
    }
}

/// Reads and checks all files, and sorts their records. Returns false if the run was stopped.
bool Book::read(const Stop& stop) {
    if (options_.files.size() >> LinePlace::file_bits > 0)
        throw std::runtime_error("these are more than " + grouped(std::uint64_t{1} << LinePlace::file_bits) +
                                 " files: take fewer at once");
    check_files(options_, summary_, stop,
                {.accepted =
                     [this](const ImportRequest& request, const json::Value& body, const InputLine& line) {
                         records_.add(request, body, LinePlace{line.file, line.number}.number());
                     },
                 .is_passed_over = [this](const InputLine& line) { return take_over(line); },
                 .left_out =
                     [this](const InputLine& line) {
                         if (replaced_.is_of_rejects(line.file)) ++left_in_rejects_;
                     }});
    if (stop.requested()) return false;
    texts_.sort();
    totals_.emplace(texts_);
    return true;
}

bool Book::take_over(const InputLine& line) {
    const bool is_replaced = replaced_.contains(line);
    if (is_replaced) ++replaced_lines_;
    return is_replaced;
}

void Book::tell(std::ostream& errors) const {
    errors << program << ": " << util::counted(records_.count(), "record") << ", "
           << grouped(totals_->repeats()) << " of them repeats";
    if (texts_.file_bytes() > 0)
        errors << "; " << grouped((texts_.file_bytes() >> 20U) + 1) << " MiB in a temporary file";
    errors << '\n';
    if (replaced_lines_ > 0)
        errors << program << ": " << grouped(replaced_lines_)
               << (replaced_lines_ == 1 ? " request is replaced by the one"
                                        : " requests are replaced by those")
               << " in rejects\n";
    if (!summary_.all_accepted())
        errors << program << ": left out requests that the service would refuse"
               << (left_in_rejects_ == summary_.totals().failed() ? ", all of them in rejects: " : ": ")
               << summary_.to_text(std::chrono::steady_clock::now() - begin_);
    else {
        if (const std::string empty = summary_.empty_files_text(); !empty.empty())
            errors << program << ": " << empty;
        errors << summary_.warnings_text();
    }
    if (totals_->refused_lines() > 0) {
        const LinePlace first = LinePlace::of(totals_->first_refused_line());
        errors << program
               << ": left out requests that the service would refuse: " << grouped(totals_->refused_lines())
               << " with a statement_id that an earlier one has with other content, such as "
               << printable(options_.files.at(first.file)) << " line " << first.line << '\n';
    }
    errors << std::flush;
}

/// Returns whether each line that is left out of the book, because the service would refuse the line, stands
/// in a file of rejects (ReplacedLines).
bool Book::is_whole() const {
    return summary_.totals().failed() == left_in_rejects_ &&
           std::ranges::all_of(totals_->refused_by_file(), [this](const auto& refused) {
               return replaced_.is_of_rejects(refused.first);
           });
}

}  // namespace data_import::client

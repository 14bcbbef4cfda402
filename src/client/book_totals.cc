#include "client/book_totals.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace data_import::client {

namespace {

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

/// Takes the repeats of a note: first those without a time, then those of each time in their order.
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

/// Takes all statements of the account, or none.
void BookTotals::settle_request(std::size_t from, std::size_t to, Known& known) {
    for (std::size_t at = from; at < to; ++at) {
        const auto stored = known.find(statements_[at].identity);
        if (stored == known.end() || stored->second == statements_[at].content) continue;
        ++refused_lines_;
        refused_account_ = account_.totals.external_account_number;
        return;
    }
    for (std::size_t at = from; at < to; ++at) {
        const Statement& one = statements_[at];
        known.emplace(one.identity, one.content).second
            ? count(statements(), one.digest, one.figure, one.value)
            : static_cast<void>(++repeats_);
    }
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

}  // namespace data_import::client

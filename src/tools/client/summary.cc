#include "tools/client/summary.h"

#include <algorithm>
#include <cstdio>
#include <span>
#include <utility>

#include "base/util/joined.h"
#include "base/util/readable.h"
#include "data/payload/imports.h"

namespace data_import::client {

namespace {

/// The counter of the lines with one Fate, and its names in JSON and in words.
struct Counter {
    Fate fate;
    std::uint64_t Totals::*member;
    std::string_view name;
    std::string_view words;
};

constexpr Counter counters[] = {
    {Fate::accepted, &Totals::accepted, "accepted", "accepted"},
    {Fate::refused, &Totals::refused, "refused", "refused"},
    {Fate::malformed, &Totals::malformed, "malformed", "malformed"},
    {Fate::undelivered, &Totals::undelivered, "undelivered", "not delivered"},
    {Fate::unknown, &Totals::unknown, "unknown", "of unknown outcome"},
    {Fate::stopped, &Totals::stopped, "stopped", "left when stopped"},
};

std::string fixed(double number, int digits) {
    char text[64];
    const int length = std::snprintf(text, sizeof text, "%.*f", digits, number);
    return {text, static_cast<std::size_t>(length)};
}

double rate(const Totals& totals, std::chrono::duration<double> elapsed) {
    return static_cast<double>(totals.settled()) / std::max(elapsed.count(), 0.001);
}

std::string listed(const std::map<int, std::uint64_t>& statuses) {
    return util::joined(statuses, [](const auto& entry) {
        const auto& [status, count] = entry;
        return (status == 0 ? "no answer" : std::to_string(status)) + " " + grouped(count);
    });
}

std::string counts_text(const Totals& totals) {
    std::vector<std::string> counts;
    Totals requests = totals;
    requests.lines -= totals.unreadable_files;
    requests.malformed -= totals.unreadable_files;
    for (const Counter& counter : counters) {
        const std::uint64_t count = requests.*counter.member;
        if (count > 0 || counter.fate == Fate::accepted)
            counts.push_back(grouped(count) + " " + std::string(counter.words));
    }
    if (totals.unreadable_files > 0)
        counts.push_back(util::counted(totals.unreadable_files, "unreadable file"));
    if (totals.has_unread) counts.emplace_back("with any behind them");
    std::string text = util::counted(requests.lines, "request");
    if (totals.csv_records > 0) text += " with " + util::counted(totals.csv_records, "CSV record");
    return text + ": " + util::joined(counts);
}

std::string examples_text(const FaultGroup& group, const std::vector<std::string>& files) {
    std::string text;
    std::size_t file = files.size();
    for (const FaultGroup::Example& example : group.examples) {
        if (example.file != file)
            text += (text.empty() ? "" : ", ") + printable(files.at(example.file)) + " line ";
        else
            text += ", ";
        file = example.file;
        text += std::to_string(example.line);
    }
    return text;
}

std::string differing_text(std::uint64_t records) {
    return grouped(records) + (records == 1 ? " record is" : " records are") +
           " stored with other content, which does not change:\n";
}

std::string moved_text(std::uint64_t transactions) {
    return grouped(transactions) +
           (transactions == 1 ? " transaction has the nearest date"
                              : " transactions have the nearest dates") +
           " in the open statement period, because the sent one was outside\n";
}

Fault fault_of(const LineWarning& warning) {
    return {.code = std::string(warning.code),
            .attr = warning.attr,
            .detail = warning.detail,
            .line = warning.line};
}

/// Returns `delivery notes` for `delivery_notes`, `delivery note` for one.
std::string words_of(std::string_view kind, std::uint64_t records) {
    std::string words(kind);
    std::ranges::replace(words, '_', ' ');
    if (records == 1) words.pop_back();
    return words;
}

/// Counts the stored records: those that the answer lists, as it does for notes and transactions. If it lists
/// none, counts all records of the request.
void count_records(const InputLine& line, const ImportAnswer& answer, EndpointTotals& endpoint) {
    const payload::DeclaredImport* const import = payload::find_import(line.import);
    if (import == nullptr) return;
    std::uint64_t told = 0;
    for (const auto& [status, number] : answer.records) {
        told += number;
        if (status.find("ALREADY_EXISTS") != std::string::npos) endpoint.already_there += number;
    }
    endpoint.records += told > 0 ? told : records_in(line, *import);
}

json::Writer& count(json::Writer& writer, std::string_view name, std::uint64_t number) {
    return writer.key(name).integer(static_cast<std::int64_t>(number));
}

}  // namespace

void write_totals(json::Writer& writer, const Totals& totals, std::chrono::duration<double> elapsed) {
    count(writer, "lines", totals.lines);
    for (const Counter& counter : counters) count(writer, counter.name, totals.*counter.member);
    count(writer, "csv_records", totals.csv_records);
    count(writer, "repeats", totals.retries);
    count(writer, "bytes", totals.bytes);
    count(writer, "moved_dates", totals.moved);
    count(writer, "settled_before", totals.before);
    count(writer, "refused_before", totals.refused_before);
    writer.key("seconds").raw(fixed(elapsed.count(), 3));
    writer.key("lines_per_second").raw(fixed(rate(totals, elapsed), 1));
}

void Summary::add(const InputLine& line, const Outcome& outcome) {
    const std::lock_guard lock(mutex_);
    ++totals_.lines;
    ++(totals_.*std::ranges::find(counters, outcome.fate, &Counter::fate)->member);
    totals_.csv_records += line.csv_records;
    if (line.ends_file) ++totals_.unreadable_files;
    totals_.bytes += line.bytes;
    has_unretryable_ = has_unretryable_ || !outcome.idempotent;
    const bool is_left = outcome.fate == Fate::stopped && outcome.status == 0;
    if (outcome.asked && !is_left) ++statuses_[outcome.status];
    for (const auto& [status, number] : outcome.answer.records) records_[status] += number;
    totals_.moved += outcome.answer.moved;
    totals_.differing += outcome.answer.differing.size();
    EndpointTotals& endpoint = endpoints_[line.import];
    ++endpoint.lines;
    endpoint.bytes += line.bytes;
    if (outcome.fate == Fate::stopped) return;
    for (const LineWarning& warning : line.warnings) warnings_.add(line.file, fault_of(warning));
    if (outcome.fate != Fate::accepted) ++endpoint.failed;
    if (outcome.fate == Fate::accepted && outcome.asked) count_records(line, outcome.answer, endpoint);
    for (const Fault& fault : faults_of(line, outcome)) problems_.add(line.file, fault);
}

void Summary::skip(const InputLine& line) {
    const std::lock_guard lock(mutex_);
    totals_.bytes += line.bytes;
    endpoints_[line.import].bytes += line.bytes;
}

void Summary::set_before(std::uint64_t settled, std::uint64_t refused) {
    const std::lock_guard lock(mutex_);
    totals_.before = settled;
    totals_.refused_before = refused;
}

void Summary::set_unread() {
    const std::lock_guard lock(mutex_);
    totals_.has_unread = true;
}

void Summary::set_whole(const LineCount& whole) {
    const std::lock_guard lock(mutex_);
    totals_.stopped += std::max(whole.lines, totals_.lines) - totals_.lines;
    totals_.lines = std::max(whole.lines, totals_.lines);
    totals_.csv_records = std::max(whole.csv_records, totals_.csv_records);
}

void Summary::set_empty_files(const std::vector<std::size_t>& files) {
    const std::lock_guard lock(mutex_);
    empty_files_ = files;
}

void Summary::add_retry() {
    const std::lock_guard lock(mutex_);
    ++totals_.retries;
}

void Summary::set_stopped(const std::string& reason, bool can_resume) {
    const std::lock_guard lock(mutex_);
    stop_reason_ = reason;
    can_resume_ = can_resume;
}

Totals Summary::totals() const {
    const std::lock_guard lock(mutex_);
    return totals_;
}

std::map<std::string_view, EndpointTotals> Summary::endpoints() const {
    const std::lock_guard lock(mutex_);
    return endpoints_;
}

bool Summary::all_accepted() const {
    const std::lock_guard lock(mutex_);
    return totals_.accepted == totals_.lines && totals_.refused_before == 0 && stop_reason_.empty() &&
           totals_.differing == 0;
}

bool Summary::is_unfinished() const {
    const std::lock_guard lock(mutex_);
    return !stop_reason_.empty() || totals_.undelivered > 0 || totals_.stopped > 0;
}

bool Summary::can_resume() const {
    const std::lock_guard lock(mutex_);
    return can_resume_;
}

/// Returns the numbers of records as a line for people: `records: 941 notes (14 already there), 3 delivery
/// notes`.
std::string Summary::records_text() const {
    std::vector<std::string> kinds;
    for (const payload::DeclaredImport& import : payload::imports()) {
        const auto found = endpoints_.find(import.path);
        if (found == endpoints_.end() || found->second.records == 0) continue;
        const EndpointTotals& totals = found->second;
        std::string text = grouped(totals.records) + " " + words_of(import.stores, totals.records);
        if (totals.already_there > 0) text += " (" + grouped(totals.already_there) + " already there)";
        kinds.push_back(std::move(text));
    }
    return kinds.empty() ? std::string() : "records: " + util::joined(kinds) + "\n";
}

void Summary::write_kinds(json::Writer& writer) const {
    for (const payload::DeclaredImport& import : payload::imports()) {
        const auto found = endpoints_.find(import.path);
        if (found == endpoints_.end() || found->second.records == 0) continue;
        writer.key(import.stores).begin_object();
        count(writer, "records", found->second.records);
        count(writer, "already_there", found->second.already_there).end_object();
    }
}

/// Returns problems as a text for people. If `is_accepted` is true, these are the records that are stored
/// with other content, although their lines were accepted. If it is false, these are all other problems.
std::string Summary::problems_text(bool is_accepted) const {
    std::string text;
    for (const auto& [key, group] : problems_.by_count()) {
        if ((std::get<1>(key) == stored_with_other_content) == is_accepted) text += group_text(key, group);
    }
    return text;
}

std::string Summary::group_text(const FaultGroups::Key& key, const FaultGroup& group) const {
    const auto& [status, code, place, reason] = key;
    std::string text =
        "  " + (status == 0 ? std::string("   ") : std::to_string(status)) + " " + printable(code);
    if (!place.empty()) text += " at " + printable(place);
    return text + ": " + grouped(group.count) + ", such as " + examples_text(group, files_) +
           (group.is_alike ? ": " : "; the first: ") + printable(group.detail) + "\n";
}

std::string Summary::warnings_text() const {
    const std::lock_guard lock(mutex_);
    return listed_warnings();
}

/// Returns the warnings as a text for people. The caller has to hold the mutex.
std::string Summary::listed_warnings() const {
    std::string text;
    for (const auto& [key, group] : warnings_.by_count()) text += group_text(key, group);
    return text.empty() ? text : "warnings:\n" + text;
}

void Summary::write_groups(json::Writer& writer, const FaultGroups& groups) const {
    for (const auto& [key, group] : groups.by_count()) {
        const auto& [status, code, place, reason] = key;
        writer.begin_object().key("status").integer(status).key("code").string(code).key("place").string(
            place);
        count(writer, "count", group.count).key("attr").string(group.attr).key("detail").string(group.detail);
        writer.key("examples").begin_array();
        for (const FaultGroup::Example& example : group.examples) {
            writer.begin_object().key("file").string(files_.at(example.file));
            count(writer, "line", example.line).end_object();
        }
        writer.end_array().end_object();
    }
}

std::string Summary::stop_text() const {
    const std::lock_guard lock(mutex_);
    if (stop_reason_.empty()) return {};
    std::string text = std::string(program) + ": stopped: " + printable(stop_reason_);
    if (!can_resume_)
        return text + (keeps_journal_ ? "; correct that, and repeat the command to resume\n" : "\n");
    text += '\n';
    text += "to resume, run the same command again: imported records are recognised and not imported twice\n";
    if (has_unretryable_ && !keeps_journal_) {
        text += "except for transactions with check_previously_added=false: remove the accepted ones first\n";
    }
    return text;
}

std::string Summary::empty_files_text() const {
    const std::lock_guard lock(mutex_);
    return nothing_text();
}

/// Returns a sentence that names the files without lines; empty if there are none. The caller has to hold the
/// mutex.
std::string Summary::nothing_text() const {
    if (empty_files_.empty()) return {};
    constexpr std::size_t most_named = 10;
    const std::size_t named = std::min(empty_files_.size(), most_named);
    std::string text =
        "nothing to load in " + util::joined(std::span(empty_files_).first(named),
                                             [this](std::size_t file) { return printable(files_.at(file)); });
    if (empty_files_.size() > named) text += " and " + std::to_string(empty_files_.size() - named) + " more";
    return text + "\n";
}

std::string Summary::to_text(std::chrono::duration<double> elapsed) const {
    const std::lock_guard lock(mutex_);
    std::string text = counts_text(totals_) + "; " + fixed(elapsed.count(), 1) + " s, " +
                       grouped(static_cast<std::uint64_t>(rate(totals_, elapsed))) + " requests/s";
    if (totals_.retries > 0)
        text += ", " + grouped(totals_.retries) + (totals_.retries == 1 ? " retry" : " retries");
    text += "\n" + nothing_text();
    if (totals_.before > 0) {
        text += "earlier runs have settled " + util::counted(totals_.before, "other request") + ", " +
                grouped(totals_.refused_before) + " of them not accepted or stored with other content\n";
    }
    if (!statuses_.empty()) text += "requests by status: " + listed(statuses_) + "\n";
    text += records_text();
    if (totals_.moved > 0) text += moved_text(totals_.moved);
    if (totals_.differing > 0) text += differing_text(totals_.differing) + problems_text(true);
    text += listed_warnings();
    if (totals_.failed() > 0) text += "errors:\n" + problems_text(false);
    return text;
}

std::string Summary::to_json(std::chrono::duration<double> elapsed) const {
    const std::lock_guard lock(mutex_);
    json::Writer writer;
    writer.begin_object();
    write_totals(writer, totals_, elapsed);
    writer.key("statuses").begin_object();
    for (const auto& [status, number] : statuses_) count(writer, std::to_string(status), number);
    writer.end_object().key("records").begin_object();
    for (const auto& [status, number] : records_) count(writer, status, number);
    writer.end_object().key("kinds").begin_object();
    write_kinds(writer);
    writer.end_object().key("problems").begin_array();
    write_groups(writer, problems_);
    writer.end_array().key("warnings").begin_array();
    write_groups(writer, warnings_);
    writer.end_array().key("empty_files").begin_array();
    for (const std::size_t file : empty_files_) writer.string(files_.at(file));
    writer.end_array().key("stop_reason");
    stop_reason_.empty() ? writer.null() : writer.string(stop_reason_);
    return writer.end_object().take() + "\n";
}

}  // namespace data_import::client

#include "client/summary.h"

#include <algorithm>
#include <cstdio>
#include <tuple>
#include <utility>

#include "json/writer.h"
#include "util/joined.h"

namespace data_import::client {

namespace {

std::uint64_t& counter(Totals& totals, Fate fate) {
    switch (fate) {
        case Fate::accepted:
            return totals.accepted;
        case Fate::refused:
            return totals.refused;
        case Fate::malformed:
            return totals.malformed;
        case Fate::undelivered:
            return totals.undelivered;
        case Fate::unknown:
            return totals.unknown;
        default:
            return totals.stopped;
    }
}

std::string fixed(double number, int digits) {
    char text[64];
    const int length = std::snprintf(text, sizeof text, "%.*f", digits, number);
    return {text, static_cast<std::size_t>(length)};
}

double rate(const Totals& totals, std::chrono::duration<double> elapsed) {
    return static_cast<double>(totals.lines) / std::max(elapsed.count(), 0.001);
}

template <typename Counts>
std::string listed(const Counts& counts) {
    return util::joined(counts, [](const auto& entry) {
        const auto& [name, count] = entry;
        if constexpr (std::is_same_v<typename Counts::key_type, int>)
            return (name == 0 ? "no answer" : std::to_string(name)) + " " + grouped(count);
        else
            return printable(name) + " " + grouped(count);
    });
}

std::string counts_text(const Totals& totals) {
    std::string text = grouped(totals.lines) + (totals.lines == 1 ? " line: " : " lines: ") +
                       grouped(totals.accepted) + " accepted";
    const std::pair<std::uint64_t, const char*> others[] = {{totals.refused, " refused"},
                                                            {totals.malformed, " malformed"},
                                                            {totals.undelivered, " not delivered"},
                                                            {totals.unknown, " of unknown outcome"},
                                                            {totals.stopped, " left when stopped"}};
    for (const auto& [count, name] : others) {
        if (count > 0) text += ", " + grouped(count) + name;
    }
    return text;
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
    return grouped(records) + (records == 1
                                   ? " record is stored with other content, which stays as it is\n"
                                   : " records are stored with other content, which stays as it is\n");
}

json::Writer& count(json::Writer& writer, std::string_view name, std::uint64_t number) {
    return writer.key(name).integer(static_cast<std::int64_t>(number));
}

}  // namespace

void write_totals(json::Writer& writer, const Totals& totals, std::chrono::duration<double> elapsed) {
    count(writer, "lines", totals.lines);
    count(writer, "accepted", totals.accepted);
    count(writer, "refused", totals.refused);
    count(writer, "malformed", totals.malformed);
    count(writer, "undelivered", totals.undelivered);
    count(writer, "unknown", totals.unknown);
    count(writer, "stopped", totals.stopped);
    count(writer, "repeats", totals.repeats);
    count(writer, "bytes", totals.bytes);
    count(writer, "settled_before", totals.before);
    count(writer, "refused_before", totals.refused_before);
    writer.key("seconds").raw(fixed(elapsed.count(), 3));
    writer.key("lines_per_second").raw(fixed(rate(totals, elapsed), 1));
}

std::string printable(std::string text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto byte = static_cast<unsigned char>(text[at]);
        const auto before = static_cast<unsigned char>(at > 0 ? text[at - 1] : ' ');
        const bool is_c1 = before == 0xc2 && byte >= 0x80 && byte < 0xa0;
        if (byte < ' ' || byte == 0x7f) text[at] = ' ';
        if (is_c1) text.replace(at - 1, 2, "  ");
    }
    return text;
}

void Summary::add(const Line& line, const Outcome& outcome) {
    const std::lock_guard lock(mutex_);
    ++totals_.lines;
    ++counter(totals_, outcome.fate);
    totals_.repeats += outcome.repeats;
    totals_.bytes += line.bytes;
    has_unrepeatable_ = has_unrepeatable_ || !outcome.idempotent;
    if (outcome.asked) ++statuses_[outcome.status];
    for (const auto& [status, number] : outcome.answer.records) records_[status] += number;
    totals_.differing += outcome.answer.differing;
    EndpointTotals& endpoint = endpoints_[line.import];
    ++endpoint.lines;
    endpoint.bytes += line.bytes;
    if (outcome.fate == Fate::accepted || outcome.fate == Fate::stopped) return;
    ++endpoint.failed;
    for (const Fault& fault : faults_of(line, outcome)) problems_.add(line.file, fault);
}

void Summary::skip(const Line& line) {
    const std::lock_guard lock(mutex_);
    ++totals_.before;
    totals_.bytes += line.bytes;
    endpoints_[line.import].bytes += line.bytes;
}

void Summary::set_refused_before(std::uint64_t lines) {
    const std::lock_guard lock(mutex_);
    totals_.refused_before = lines;
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

std::string Summary::problems_text() const {
    std::string text;
    for (const FaultGroups::Key& key : problems_.by_count()) {
        const auto& [status, code, place] = key;
        const FaultGroup& group = problems_.groups().at(key);
        text += "  " + (status == 0 ? std::string("   ") : std::to_string(status)) + " " + printable(code);
        if (!place.empty()) text += " at " + printable(place);
        text += ": " + grouped(group.count) + ", such as " + examples_text(group, files_) + ": " +
                printable(group.detail) + "\n";
    }
    return text.empty() ? text : "not accepted:\n" + text;
}

void Summary::write_problems(json::Writer& writer) const {
    for (const FaultGroups::Key& key : problems_.by_count()) {
        const auto& [status, code, place] = key;
        const FaultGroup& group = problems_.groups().at(key);
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
        return text +
               (keeps_journal_ ? "; once that is mended, the same command goes on from there\n" : "\n");
    text += '\n';
    text +=
        "to resume, run the same command again: what has been imported is recognised and not imported "
        "twice\n";
    if (has_unrepeatable_ && !keeps_journal_) {
        text +=
            "except for transactions with check_previously_added=false: take the accepted ones out first\n";
    }
    return text;
}

std::string Summary::to_text(std::chrono::duration<double> elapsed) const {
    const std::lock_guard lock(mutex_);
    std::string text = counts_text(totals_) + "; " + fixed(elapsed.count(), 1) + " s, " +
                       grouped(static_cast<std::uint64_t>(rate(totals_, elapsed))) + " lines/s";
    if (totals_.repeats > 0) text += ", " + grouped(totals_.repeats) + " repeats";
    text += "\n";
    if (totals_.before > 0) {
        text += "earlier runs have settled " + grouped(totals_.before) + " lines more, " +
                grouped(totals_.refused_before) + " of them not accepted\n";
    }
    if (!statuses_.empty()) text += "requests by status: " + listed(statuses_) + "\n";
    if (!records_.empty()) text += "records: " + listed(records_) + "\n";
    if (totals_.differing > 0) text += differing_text(totals_.differing);
    return text + problems_text();
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
    writer.end_object().key("problems").begin_array();
    write_problems(writer);
    writer.end_array().key("stop_reason");
    stop_reason_.empty() ? writer.null() : writer.string(stop_reason_);
    return writer.end_object().take() + "\n";
}

}  // namespace data_import::client

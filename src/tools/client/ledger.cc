#include "tools/client/ledger.h"

#include "data/json/writer.h"
#include "tools/client/input.h"
#include "tools/client/summary.h"

namespace data_import::client {

namespace {

void write_error(json::Writer& writer, const Fault& fault) {
    writer.key("code").string(fault.code).key("attr").string(fault.attr).key("detail").string(fault.detail);
}

bool is_faultless(const Outcome& outcome) {
    return outcome.fate == Fate::accepted && outcome.answer.differing.empty();
}

}  // namespace

Ledger::Ledger(const Options& options, Summary& summary)
    : files_(options.files), summary_(summary), rejects_(options) {
    if (!options.report_file.empty()) report_ = KeptFile("report", options.report_file, options.files);
}

void Ledger::begin(Journal* journal) {
    KeptSizes sizes = journal == nullptr ? KeptSizes() : journal->sizes();
    if (sizes.empty()) sizes = {0};
    report_.begin(sizes.front());
    rejects_.begin({sizes.begin() + 1, sizes.end()});
    journal_ = journal;
}

KeptSizes Ledger::sizes() const {
    KeptSizes sizes{report_.size()};
    rejects_.append_sizes(sizes);
    return sizes;
}

void Ledger::begin_file(std::size_t file, const Head& head) {
    const std::lock_guard lock(mutex_);
    rejects_.begin_file(file, head);
}

void Ledger::settle(const InputLine& line, const Outcome& outcome) {
    const std::lock_guard lock(mutex_);
    if (write(line, outcome) && journal_ != nullptr) {
        journal_->settle({{line.sequence, line.chain, is_faultless(outcome)}}, sizes());
        shorten_journal();
    }
}

void Ledger::settle(const Delivery::Settled& settled) {
    const std::lock_guard lock(mutex_);
    std::vector<SettledLine> lines;
    for (const auto& [job, outcome] : settled) {
        if (write(job->line, outcome))
            lines.push_back({job->line.sequence, job->line.chain, is_faultless(outcome)});
    }
    if (journal_ == nullptr || lines.empty()) return;
    journal_->settle(lines, sizes());
    shorten_journal();
}

void Ledger::note_organisation(const std::string& organisation) {
    const std::lock_guard lock(mutex_);
    sync_all();
    journal_->note_organisation(organisation);
}

void Ledger::sync() {
    const std::lock_guard lock(mutex_);
    sync_all();
}

void Ledger::sync_all() {
    if (journal_ == nullptr) return;
    rejects_.sync();
    report_.sync();
    journal_->sync();
}

void Ledger::shorten_journal() {
    if (!journal_->is_long()) return;
    sync_all();
    journal_->shorten();
}

std::chrono::sys_seconds Ledger::begin_line(const InputLine& line) {
    if (journal_ == nullptr)
        return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    std::chrono::sys_seconds first;
    {
        const std::lock_guard lock(mutex_);
        first = journal_->begin(line.sequence, line.chain);
        shorten_journal();
    }
    sync();  // costs little in most cases: the sync of another thread has covered this line already
    return first;
}

/// Counts the outcome, and writes rejects and report. Returns false for a line that is left for the next run.
bool Ledger::write(const InputLine& line, const Outcome& outcome) {
    summary_.add(line, outcome);
    if (is_faultless(outcome)) return true;
    const bool is_open = outcome.fate == Fate::stopped || outcome.fate == Fate::undelivered;
    if (is_open && !outcome.may_be_stored && journal_ != nullptr) journal_->take_back(line.sequence);
    if (outcome.fate == Fate::stopped || (is_open && journal_ != nullptr)) return false;
    report(line, outcome);
    return true;
}

void Ledger::report(const InputLine& line, const Outcome& outcome) {
    const std::vector<Fault> faults = faults_of(line, outcome);
    const bool can_be_corrected = outcome.fate != Fate::accepted;
    const auto rejects_line = can_be_corrected ? rejects_.add(line, faults) : std::nullopt;
    if (!report_) return;
    json::Writer writer;
    writer.begin_object().key("file").string(files_.at(line.file));
    writer.key("line").integer(static_cast<std::int64_t>(faults.front().line));
    writer.key("status").integer(outcome.status);
    write_error(writer, faults.front());
    writer.key("request_id");
    outcome.request_id.empty() ? writer.null() : writer.string(outcome.request_id);
    if (rejects_line) writer.key("rejects_line").integer(static_cast<std::int64_t>(*rejects_line));
    if (faults.size() > 1) {
        writer.key("errors").begin_array();
        for (const Fault& fault : faults) {
            writer.begin_object().key("line").integer(static_cast<std::int64_t>(fault.line));
            write_error(writer, fault);
            writer.end_object();
        }
        writer.end_array();
    }
    report_.add(writer.end_object().take() + '\n');
}

}  // namespace data_import::client

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <ostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/net/transport.h"
#include "base/net/watchdog.h"
#include "data/json/reader.h"
#include "data/payload/imports.h"
#include "data/payload/paths.h"
#include "tools/client/access.h"
#include "tools/client/answer.h"
#include "tools/client/delivery.h"
#include "tools/client/import_request.h"
#include "tools/client/input.h"
#include "tools/client/journal.h"
#include "tools/client/ledger.h"
#include "tools/client/pace.h"
#include "tools/client/run_line.h"
#include "tools/client/runs.h"
#include "tools/client/schedule.h"
#include "tools/client/session.h"
#include "tools/client/stop.h"
#include "tools/client/summary.h"

namespace data_import::client {

namespace {

constexpr std::size_t max_bytes_in_memory = std::size_t{12} << 20;
constexpr std::size_t max_jobs = 20'000;
// Most bytes of a bulk request of several lines, before compression.
constexpr std::size_t max_bulk_bytes = std::size_t{2} << 20;
constexpr std::size_t least_silence = 3;
constexpr int payload_too_large = 413;

std::unique_ptr<Journal> open_journal(const Options& options) {
    const std::string name = journal_of(options);
    if (name.empty()) return nullptr;
    return std::make_unique<Journal>(name, subject_of(options));
}

/// Returns the organisation that is named in the answer to a request for payload::paths::token. Empty if the
/// request failed, or if the answer names none.
std::string organisation_in(const Attempt& attempt) {
    if (attempt.failure != AttemptFailure::none || attempt.status != 200) return {};
    try {
        const json::Document document = json::read(attempt.body);
        return std::string(document.root().at("organisation").text());
    } catch (const std::exception&) {
        // Another program than the service has answered. The imports that follow will get answers of that
        // program, too, and report them.
        return {};
    }
}

/// Returns whether the line of `job` imports transactions, and its body is longer than `longest_read`.
///
/// Such a line is sent to the endpoint of its import. The answer to a bulk request of one long line
/// (bulk_path()) would leave out the transactions that are stored with other content.
bool is_long_of_transactions(const Job& job) {
    return job.line.import == payload::import_of("transactions").path &&
           job.request.body.size() > longest_read;
}

/// One run, with the state that its threads share.
class Run {
public:
    explicit Run(const Options& options)
        : options_(options),
          access_(options.api_key_file),
          context_(options.target.secure ? net::make_context(options.ca_file) : nullptr),
          summary_(options.files, !journal_of(options).empty()),
          ledger_(options, summary_),
          journal_(open_journal(options)),  // opened after everything else that may fail
          run_id_(journal_ ? journal_->id() : random_id()),
          schedule_(max_jobs, max_bytes_in_memory),
          pace_(options.connections, options.rate) {
        ledger_.begin(journal_.get());
        if (journal_) summary_.set_before(journal_->settled_before(), journal_->refused_before());
    }

    void load(std::ostream& errors) {
        tell_of_journal(errors);
        if (journal_ && journal_->is_taken_up()) note_organisation();
        const RunLine progress(summary_, options_, &pace_);
        send_files();
        guarded([this] { ledger_.sync(); });
        if (stop_.requested()) tell_of_unread();
        if (stop_.requested()) summary_.set_stopped(stop_.reason(), !failed_ && stop_.goes_on());
        if (journal_ && !summary_.is_unfinished()) journal_->remove();
    }

    [[nodiscard]] const Summary& summary() const { return summary_; }

private:
    /// Runs `work`. If it throws, stops the run, which still prints its summary.
    template <typename Work>
    void guarded(Work work) {
        try {
            work();
        } catch (const std::exception& error) {
            failed_ = true;
            stop_.request(error.what());
        }
    }

    void tell_of_journal(std::ostream& errors) const {
        if (!journal_ || journal_->settled_before() == 0) return;
        errors << program << ": resumes from " << journal_->name() << ", which has "
               << grouped(journal_->settled_before()) << " settled requests\n";
        for (const std::string& file : journal_->changed_files()) {
            errors
                << program << ": " << file
                << " has changed since; the run goes on if the requests that were sent are still the same\n";
        }
        errors << std::flush;
    }

    void send_files() {
        const std::jthread syncing([this](const std::stop_token& end) { guarded([&] { sync_until(end); }); });
        std::vector<std::jthread> senders;
        if (journal_ && !journal_->is_taken_up())
            senders.emplace_back([this] { guarded([this] { note_organisation(); }); });
        for (std::size_t count = 0; count < options_.connections; ++count) {
            senders.emplace_back([this] { guarded([this] { send_lines(); }); });
        }
        guarded([this] { read_files(); });
        schedule_.close();
    }

    /// Notes the organisation of the API key in the journal. A journal cannot be resumed for another
    /// organisation, because its settled lines are not stored for that organisation.
    void note_organisation() {
        Session session(options_.target, context_, options_.timeout, watchdog_);
        const std::string path(payload::paths::token);
        const std::string organisation =
            organisation_in(access_.send(session, {.path = path, .method = "GET"}));
        if (!organisation.empty()) ledger_.note_organisation(organisation);
    }

    void read_files() {
        Input input(options_.files, stop_.descriptor(), options_.csv);
        std::uint64_t lines = 0;
        std::optional<std::size_t> file;
        while (auto line = input.next()) {
            ++lines;
            if (line->file != file) ledger_.begin_file(line->file, input.head());
            file = line->file;
            if (journal_ && journal_->skips(line->sequence, line->chain)) {
                line->import = import_of(*line);
                summary_.skip(*line);
            } else if (!take_up(std::move(*line))) {
                break;
            }
        }
        if (stop_.requested()) return;
        summary_.set_empty_files(input.empty_files());
        if (journal_) journal_->check_end(lines);
    }

    /// Tells the summary how many lines of all files no earlier run has settled (Summary::set_whole()). If
    /// the lines cannot be counted, and the run has not failed, says that an unknown number of lines is left
    /// (Summary::set_unread()). Called only after a stop, because this run has then not read all lines
    /// itself.
    void tell_of_unread() {
        const auto is_settled = [this](const InputLine& line) {
            return journal_ && journal_->skips(line.sequence, line.chain);
        };
        if (const auto open = count_lines(options_, is_settled))
            summary_.set_whole(*open);
        else if (!failed_)
            summary_.set_unread();
    }

    /// Makes a request from a line, and puts it into the queue of the sending threads. A line that is no
    /// request is settled at once. Returns false if the run was stopped.
    bool take_up(InputLine line) {
        auto job = std::make_unique<Job>();
        job->line = std::move(line);
        try {
            job->request = parse_line(job->line);
        } catch (const MalformedLine& error) {
            ledger_.settle(job->line, malformed(job->line, error.what()));
            return !stop_.requested();
        }
        const payload::DeclaredImport* const import = payload::find_import(job->request.address());
        if (import != nullptr) {
            job->line.import = import->path;
            job->is_document = import->is_document;
        }
        job->account = account_of(job->request.body);
        job->fits_bulk = !options_.single && job->request.fits_bulk() && !is_long_of_transactions(*job);
        if (!options_.dry_run && !job->request.is_idempotent())
            job->key = run_id_ + '-' + std::to_string(job->line.sequence + 1);
        return schedule_.push(std::move(job), stop_.token());
    }

    /// Syncs the files of the run every second until `end`, even if no answer comes for long.
    void sync_until(const std::stop_token& end) {
        while (wait(std::chrono::seconds(1), end)) ledger_.sync();
    }

    void send_lines() {
        Session session(options_.target, context_, options_.timeout, watchdog_);
        Delivery delivery(session, access_, pace_, stop_, left_,
                          {.retries = options_.retries,
                           .dry_run = options_.dry_run,
                           .keeps_journal = journal_ != nullptr,
                           .begin = [this](const InputLine& line) { return ledger_.begin_line(line); },
                           .on_retry = [this] { summary_.add_retry(); }});
        for (;;) {
            const Bundle bundle = schedule_.take(pace_.lines(), max_bulk_bytes, stop_.token());
            if (bundle.empty()) return;
            delivery.deliver(bundle, [this](const Delivery::Settled& settled) {
                ledger_.settle(settled);
                note_silence(settled.front().second);
            });
            schedule_.release(bundle);
        }
    }

    /// Counts how often in a row the service has not answered. Stops the run if the count is too high,
    /// because otherwise each further line would use up all its retries. Has to be called once for lines that
    /// were settled together; `outcome` is the outcome of the first of these lines.
    void note_silence(const Outcome& outcome) {
        if (!outcome.asked) return;
        const bool silent = (outcome.fate == Fate::undelivered || outcome.fate == Fate::unknown) &&
                            outcome.status != 429 && outcome.status != 500 &&
                            outcome.status != payload_too_large;
        const std::size_t in_a_row = silent ? ++silent_in_a_row_ : (silent_in_a_row_ = 0);
        if (in_a_row >= std::max(std::min(options_.connections, pace_.requests()), least_silence))
            stop_.request("the service does not answer: " + outcome.detail);
    }

    const Options& options_;
    Access access_;
    const Poco::Net::Context::Ptr context_;
    Summary summary_;
    Ledger ledger_;
    const std::unique_ptr<Journal> journal_;
    /// Id of the journal, which all its runs share; without a journal, a random id.
    const std::string run_id_;
    Schedule schedule_;
    Pace pace_;
    Stop stop_;
    LeftAccounts left_;
    const Interruption interruption_{stop_};  // made before anything that starts a thread
    net::Watchdog watchdog_;
    std::atomic<std::size_t> silent_in_a_row_ = 0;
    std::atomic<bool> failed_ = false;
};

}  // namespace

int run(const Options& options, std::ostream& output, std::ostream& errors) {
    const auto begin = std::chrono::steady_clock::now();
    Run run(options);
    run.load(errors);
    const auto elapsed = std::chrono::steady_clock::now() - begin;
    const Summary& summary = run.summary();
    output << (options.json ? summary.to_json(elapsed) : summary.to_text(elapsed)) << std::flush;
    errors << summary.stop_text() << std::flush;
    if (summary.is_unfinished() && summary.can_resume()) return ended_early;
    return summary.all_accepted() && output ? 0 : 1;
}

}  // namespace data_import::client

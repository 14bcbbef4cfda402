#include "client/bulk_run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <ostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "client/api_key_file.h"
#include "client/delivery.h"
#include "client/import_request.h"
#include "client/input.h"
#include "client/interruption.h"
#include "client/queue.h"
#include "client/rejects.h"
#include "client/run_line.h"
#include "client/session.h"
#include "client/stop.h"
#include "client/summary.h"
#include "client/token_access.h"
#include "net/transport.h"
#include "net/watchdog.h"

namespace data_import::client {

namespace {

constexpr std::size_t max_bytes_in_memory = std::size_t{64} << 20;
constexpr std::size_t lines_per_connection = 4;
constexpr std::size_t least_silence = 3;

/// What the threads of one run share.
class Run {
public:
    explicit Run(const Options& options)
        : options_(options),
          access_(read_api_key(options.api_key_file)),
          context_(options.target.secure ? net::make_context(options.ca_file) : nullptr),
          total_bytes_(
              total_bytes(options.files)),  // also sees that they exist, before the rejects are emptied
          rejects_(options.rejects_file, options.files),
          summary_(options.files),
          queue_(options.connections * lines_per_connection, max_bytes_in_memory) {}

    void load() {
        const Progress progress(summary_, total_bytes_);
        std::vector<std::jthread> senders;
        for (std::size_t count = 0; count < options_.connections; ++count) {
            senders.emplace_back([this] { guarded([this] { send_lines(); }); });
        }
        guarded([this] { read_files(); });
        queue_.close();
        for (std::jthread& sender : senders) sender.join();
        if (stop_.requested()) summary_.set_stopped(stop_.reason());
    }

    [[nodiscard]] const Summary& summary() const { return summary_; }

private:
    /// What goes wrong in one thread ends the run, with its summary.
    template <typename Work>
    void guarded(Work work) {
        try {
            work();
        } catch (const std::exception& error) {
            stop_.request(error.what());
        }
    }

    void read_files() {
        for (std::size_t file = 0; file < options_.files.size(); ++file) {
            const std::string& name = options_.files[file];
            LineReader reader(open_input(name), file, name == "-" ? "standard input" : name,
                              stop_.descriptor());
            while (auto line = reader.next()) {
                if (!queue_.push(std::move(*line), stop_.token())) return;
            }
            if (stop_.requested()) return;
        }
    }

    void send_lines() {
        Session session(options_.target, context_, options_.timeout, watchdog_);
        Delivery delivery(session, access_, options_.retries, stop_);
        while (const auto line = queue_.pop(stop_.token())) {
            const Outcome outcome = settle(*line, delivery);
            summary_.add(*line, outcome);
            if (outcome.fate != Fate::accepted && outcome.fate != Fate::stopped) rejects_.add(*line);
            note_silence(outcome);
            queue_.release(*line);
        }
    }

    static Outcome settle(const Line& line, Delivery& delivery) {
        if (line.too_long) {
            return malformed("longer than " + std::to_string(max_line_bytes >> 20) +
                             " MiB; such a line is not copied to the rejects file");
        }
        try {
            return delivery.deliver(parse_line(line.text));
        } catch (const MalformedLine& error) {
            return malformed(error.what());
        }
    }

    /// A service that is gone for good would otherwise cost every line all its repeats.
    void note_silence(const Outcome& outcome) {
        if (outcome.fate == Fate::malformed) return;
        const bool silent =
            outcome.fate == Fate::undelivered && outcome.status != 429 && outcome.status != 500;
        const std::size_t in_a_row = silent ? ++silent_in_a_row_ : (silent_in_a_row_ = 0);
        if (in_a_row >= std::max(options_.connections, least_silence)) {
            stop_.request("the service does not answer: " + outcome.error.detail);
        }
    }

    const Options& options_;
    Access access_;
    const Poco::Net::Context::Ptr context_;
    const std::optional<std::uint64_t> total_bytes_;
    Rejects rejects_;
    Summary summary_;
    LineQueue queue_;
    Stop stop_;
    const Interruption interruption_{stop_};  // before anything that starts a thread
    net::Watchdog watchdog_;
    std::atomic<std::size_t> silent_in_a_row_ = 0;
};

}  // namespace

int run(const Options& options, std::ostream& output, std::ostream& errors) {
    const auto begin = std::chrono::steady_clock::now();
    Run run(options);
    run.load();
    const auto elapsed = std::chrono::steady_clock::now() - begin;
    const Summary& summary = run.summary();
    output << (options.json ? summary.to_json(elapsed) : summary.to_text(elapsed)) << std::flush;
    errors << summary.stop_text() << std::flush;
    return summary.all_accepted() && output ? 0 : 1;
}

}  // namespace data_import::client

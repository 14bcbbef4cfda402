// Where each line's outcome is written down: counts, rejects, report, journal.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "client/delivery.h"
#include "client/journal.h"
#include "client/kept_file.h"
#include "client/options.h"
#include "client/summary.h"

namespace data_import::client {

/// Safe to use from any thread.
class Ledger {
public:
    /// Empties or continues the files of rejects and the report. `journal` may be null; both have to live
    /// longer. Throws std::runtime_error where a file cannot be written or is one that is loaded.
    Ledger(const Options& options, Summary& summary, Journal* journal);

    /// A line that was not accepted is kept exactly as it was read, and reported. One that the stop of a run
    /// leaves open is left for the next run, as is one that was not delivered where there is a journal.
    /// Throws std::runtime_error where a file cannot be written.
    void settle(const Line& line, const Outcome& outcome);
    void settle(const Delivery::Settled& settled);

    /// As DeliveryOptions says. Without a journal it was sent by this run, just now.
    [[nodiscard]] std::chrono::sys_seconds begin(const Line& line);

    /// What stands above the lines of a CSV file stands once in the rejects, too.
    void set_head(const std::string& head) { head_ = head; }

private:
    [[nodiscard]] bool write(const Line& line, const Outcome& outcome);
    void report(const Line& line, const Outcome& outcome);

    const std::vector<std::string> files_;
    Summary& summary_;
    Journal* const journal_;
    std::mutex mutex_;
    KeptFile rejects_;
    KeptFile report_;
    std::string head_;
};

}  // namespace data_import::client

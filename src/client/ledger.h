// The ledger of a run: writes down the outcome of each line in counts, rejects, report and journal.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
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
    /// Opens the files of rejects and the report. `summary` has to live longer. Throws std::runtime_error
    /// where a file cannot be written or is one that is loaded, or where lines of all files cannot stand in
    /// one.
    Ledger(const Options& options, Summary& summary);

    /// Before anything else: empties the files, or cuts them to the state that the journal has. `journal` may
    /// be null and has to live longer. Throws std::runtime_error if a file has become shorter.
    void begin(Journal* journal);

    /// Called with each file before its lines, with the text above them. Throws std::runtime_error if they
    /// cannot stand among the rejects of the files before.
    void begin_file(std::size_t file, const std::string& head);

    /// A line that was not accepted is kept exactly as it was read, and reported. One that the stop of a run
    /// leaves open is left for the next run, as is one that was not delivered where there is a journal.
    /// Throws std::runtime_error where a file cannot be written.
    void settle(const Line& line, const Outcome& outcome);
    void settle(const Delivery::Settled& settled);

    /// As DeliveryOptions says, and safe from the end of the host. Without a journal it was sent by this run,
    /// just now.
    [[nodiscard]] std::chrono::sys_seconds begin_line(const Line& line);

    /// From now on the settled lines survive a crash of the host; the journal never does without the files
    /// that it tells of.
    void sync();

private:
    [[nodiscard]] bool write(const Line& line, const Outcome& outcome);
    void sync_all();
    void shorten_journal();
    void report(const Line& line, const Outcome& outcome);

    const std::vector<std::string> files_;
    Summary& summary_;
    Journal* journal_ = nullptr;
    std::mutex mutex_;
    KeptFile rejects_;
    KeptFile report_;
    std::optional<std::string> head_;  ///< the head of a CSV file, which stands once in the rejects, too
};

}  // namespace data_import::client

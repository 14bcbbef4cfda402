// The ledger of a run: writes down the outcome of each line in counts, rejects, report and journal.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tools/client/delivery.h"
#include "tools/client/journal.h"
#include "tools/client/kept_file.h"
#include "tools/client/options.h"
#include "tools/client/rejects.h"
#include "tools/client/summary.h"

namespace data_import::client {

/// Safe to use from any thread.
class Ledger {
public:
    /// Opens the files of rejects and the report, as Rejects does. `summary` has to live longer.
    Ledger(const Options& options, Summary& summary);

    /// Before anything else: empties the files, or cuts them to the state that the journal has. `journal` may
    /// be null and has to live longer. Throws std::runtime_error if a file has become shorter.
    void begin(Journal* journal);

    /// As Rejects says.
    void begin_file(std::size_t file, const Head& head);

    /// A line that was not accepted is kept among the rejects, and reported; one with a record that is stored
    /// with other content is reported. One that the stop of a run leaves open is left for the next run, as is
    /// one that was not delivered where there is a journal.
    /// Throws std::runtime_error where a file cannot be written.
    void settle(const InputLine& line, const Outcome& outcome);
    void settle(const Delivery::Settled& settled);

    /// As DeliveryOptions says, and safe from the end of the host. Without a journal it was sent by this run,
    /// just now.
    [[nodiscard]] std::chrono::sys_seconds begin_line(const InputLine& line);

    /// As Journal says.
    void note_organisation(const std::string& organisation);

    /// From now on the settled lines survive a crash of the host; the journal never does without the files
    /// that it tells of.
    void sync();

private:
    [[nodiscard]] bool write(const InputLine& line, const Outcome& outcome);
    void sync_all();
    void shorten_journal();
    void report(const InputLine& line, const Outcome& outcome);
    [[nodiscard]] KeptSizes sizes() const;

    const std::vector<std::string> files_;
    Summary& summary_;
    Journal* journal_ = nullptr;
    std::mutex mutex_;
    Rejects rejects_;
    KeptFile report_;
};

}  // namespace data_import::client

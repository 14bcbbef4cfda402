// Writes the outcome of each line of a run into counts, rejects, report and journal.
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

/// The ledger of a run. Safe to use from any thread.
class Ledger {
public:
    /// Opens the files of rejects and the report, as Rejects does. `summary` has to live longer.
    Ledger(const Options& options, Summary& summary);

    /// Empties the files, or cuts them to the state that the journal has. Called before anything else.
    /// `journal` may be null and has to live longer. Throws std::runtime_error if a file has become shorter.
    void begin(Journal* journal);

    /// Begins a file, as Rejects::begin_file() does.
    void begin_file(std::size_t file, const Head& head);

    /// Settles a line. One that was not accepted goes into the rejects and the report; one with a record that
    /// is stored with other content goes into the report. A line is left for the next run if the stop of a
    /// run leaves it open, or if it was not delivered and there is a journal. Throws std::runtime_error if a
    /// file cannot be written.
    void settle(const InputLine& line, const Outcome& outcome);
    void settle(const Delivery::Settled& settled);

    /// Begins a line as DeliveryOptions::begin describes, so that even a crash of the host does not lose it.
    /// Without a journal, the time is the present.
    [[nodiscard]] std::chrono::sys_seconds begin_line(const InputLine& line);

    /// Notes the organisation, as Journal does.
    void note_organisation(const std::string& organisation);

    /// Makes the settled lines survive a crash of the host. The journal never survives without the files that
    /// it tells of.
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

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

/// Safe to use from any thread.
class Ledger {
public:
    /// Opens the rejects and the report. `summary` must outlive this object. Throws as Rejects and KeptFile
    /// do.
    Ledger(const Options& options, Summary& summary);

    /// Cuts the rejects and the report to the sizes in the journal; empties them if there is no journal. Has
    /// to be called before anything else. `journal` may be null, and must outlive this object. Throws
    /// std::runtime_error if the rejects or the report are shorter than the journal says.
    void begin(Journal* journal);

    /// Has to be called before the first line of each file to load (Rejects::begin_file()).
    void begin_file(std::size_t file, const Head& head);

    /// Settles a line, or leaves the line for the next run. A line is left if `outcome.fate` is
    /// Fate::stopped, or if it is Fate::undelivered and there is a journal.
    ///
    /// Writes a settled line into the rejects and the report if the line was not accepted. Writes an accepted
    /// line into the report only, and only if `outcome.answer.differing` is not empty. Throws
    /// std::runtime_error if a file cannot be written.
    void settle(const InputLine& line, const Outcome& outcome);
    void settle(const Delivery::Settled& settled);

    /// Writes into the journal that a line with an Idempotency-Key is about to be sent, and syncs the
    /// journal. Returns the time when this or an earlier run first sent the line (DeliveryOptions::begin).
    /// Without a journal, returns the current time.
    [[nodiscard]] std::chrono::sys_seconds begin_line(const InputLine& line);

    /// Writes into the journal the organisation that the lines are loaded for (Journal::note_organisation()).
    void note_organisation(const std::string& organisation);

    /// Makes the settled lines survive a crash of the host. Syncs the rejects and the report before the
    /// journal, so that the journal never has a line that they lack.
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

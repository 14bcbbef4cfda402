// Counts the results of a run, and writes them for people and programs.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/util/printable.h"
#include "base/util/readable.h"
#include "data/json/writer.h"
#include "tools/client/delivery.h"
#include "tools/client/faults.h"
#include "tools/client/input.h"
#include "tools/client/options.h"

namespace data_import::client {

struct Totals {
    std::uint64_t lines = 0;  ///< requests that this run has taken up: the sum of `accepted` to `stopped`
    std::uint64_t accepted = 0;
    std::uint64_t refused = 0;
    std::uint64_t malformed = 0;
    std::uint64_t undelivered = 0;
    std::uint64_t unknown = 0;
    std::uint64_t stopped = 0;
    /// Files that cannot be read (any further); also counted in `malformed` and `lines`.
    std::uint64_t unreadable_files = 0;
    std::uint64_t csv_records = 0;  ///< records of CSV files in the requests that `lines` counts
    std::uint64_t retries = 0;      ///< HTTP requests that were sent again
    std::uint64_t bytes = 0;
    /// Number of transactions in accepted lines that were already stored with content that differs from the
    /// line's.
    std::uint64_t differing = 0;
    std::uint64_t moved = 0;  ///< transactions whose date was moved into the statement period
    /// Number of lines that earlier runs have settled; `lines` does not count them.
    std::uint64_t before = 0;
    /// Number of lines among those in `before` that were not accepted, or have a record that is stored with
    /// other content.
    std::uint64_t refused_before = 0;
    /// The run was stopped, and there may be more lines, which `lines` does not count because their number is
    /// not known.
    bool has_unread = false;

    [[nodiscard]] std::uint64_t settled() const { return lines - undelivered - stopped; }
    [[nodiscard]] std::uint64_t failed() const { return refused + malformed + undelivered + unknown; }
};

/// The results of all lines for the same endpoint (InputLine::import).
struct EndpointTotals {
    std::uint64_t lines = 0;
    std::uint64_t failed = 0;
    std::uint64_t bytes = 0;
    std::uint64_t records = 0;  ///< records in lines that the service has accepted
    /// How many of the `records` were stored already when this run sent them, as far as the service's answers
    /// say so.
    std::uint64_t already_there = 0;
};

/// Counts outcomes. Safe to use from any thread.
class Summary {
public:
    /// `keeps_journal` is true if there is a journal, by which the next run knows what this one has settled.
    explicit Summary(std::vector<std::string> files, bool keeps_journal = false)
        : files_(std::move(files)), keeps_journal_(keeps_journal) {}

    void add(const InputLine& line, const Outcome& outcome);
    /// Sets Totals::before and Totals::refused_before.
    void set_before(std::uint64_t settled, std::uint64_t refused);
    /// Notes a line that this run leaves out, because an earlier run has settled it, or because a line
    /// in a file of rejects replaces it.
    void skip(const InputLine& line);
    /// Sets Totals::has_unread: the run was stopped, and it is not known how many lines are left.
    void set_unread();
    /// Sets the number of all lines that no earlier run has settled. The lines that this run has not taken up
    /// are counted in Totals::stopped.
    void set_whole(const LineCount& whole);
    /// Sets the files that have no line, as indexes into the constructor's `files`.
    void set_empty_files(const std::vector<std::size_t>& files);
    /// Notes that a request to the service is sent once more.
    void add_retry();
    /// Sets why the run ended early, and whether the same command goes on from there, without any repair.
    void set_stopped(const std::string& reason, bool can_resume = true);

    [[nodiscard]] Totals totals() const;
    /// Returns the totals by the path of the import. Lines for no known import are under the empty path.
    [[nodiscard]] std::map<std::string_view, EndpointTotals> endpoints() const;
    /// Returns true if nothing failed, nothing is stored with other content and nothing was left out, in this
    /// run and in earlier ones.
    [[nodiscard]] bool all_accepted() const;
    /// Returns whether something is left: the run was stopped, or something was not delivered.
    [[nodiscard]] bool is_unfinished() const;
    /// Returns whether the same command would send the rest.
    [[nodiscard]] bool can_resume() const;

    /// Returns the whole summary for people, in several lines. Control characters in the service's texts are
    /// replaced.
    [[nodiscard]] std::string to_text(std::chrono::duration<double> elapsed) const;
    /// Returns a sentence that names the files without lines; empty if there are none.
    [[nodiscard]] std::string empty_files_text() const;
    /// Returns the warnings for people, in several lines; empty if there are none.
    [[nodiscard]] std::string warnings_text() const;
    /// Returns for people why the run stopped early, and how to resume it; empty if it did not stop early.
    [[nodiscard]] std::string stop_text() const;
    /// Returns the whole summary for programs: one JSON object and a newline.
    [[nodiscard]] std::string to_json(std::chrono::duration<double> elapsed) const;

private:
    [[nodiscard]] std::string nothing_text() const;
    [[nodiscard]] std::string records_text() const;
    [[nodiscard]] std::string problems_text(bool is_accepted) const;
    void write_kinds(json::Writer& writer) const;
    [[nodiscard]] std::string group_text(const FaultGroups::Key& key, const FaultGroup& group) const;
    [[nodiscard]] std::string listed_warnings() const;
    void write_groups(json::Writer& writer, const FaultGroups& groups) const;

    const std::vector<std::string> files_;
    const bool keeps_journal_;
    mutable std::mutex mutex_;
    Totals totals_;
    std::map<int, std::uint64_t> statuses_;
    std::map<std::string, std::uint64_t> records_;
    FaultGroups problems_;
    FaultGroups warnings_;
    std::map<std::string_view, EndpointTotals> endpoints_;
    std::vector<std::size_t> empty_files_;
    bool has_unretryable_ = false;
    std::string stop_reason_;
    bool can_resume_ = true;
};

/// Writes the totals as members of the object that is open.
void write_totals(json::Writer& writer, const Totals& totals, std::chrono::duration<double> elapsed);

using util::grouped;
using util::printable;

}  // namespace data_import::client

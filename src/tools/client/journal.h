// The settled lines of a run. The next run goes on after them.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/util/file_descriptor.h"
#include "tools/client/journal_entries.h"
#include "tools/client/options.h"

namespace data_import::client {

/// Returns 32 hexadecimal digits.
[[nodiscard]] std::string random_id();

/// Looks the files to load up. Throws std::runtime_error if one cannot be looked up.
[[nodiscard]] JournalSubject subject_of(const Options& options);

/// A line that need not be sent again.
struct SettledLine {
    std::uint64_t sequence;
    std::uint64_t chain;
    bool accepted;
};

/// The sizes of the files of a run, as its Ledger tells them.
using KeptSizes = std::vector<std::uint64_t>;

/// A file of text lines, each with a check sum. Lines are only added, until a long journal is replaced by a
/// short one with the same content, so that its size is bounded. A line that was cut off when a process or
/// host died is left out. For one run at a time. Only skips() may be called from several threads.
class Journal {
public:
    /// Begins a journal, or takes up an existing one; if that tells of no line, it is begun anew. Throws
    /// std::runtime_error if it cannot be written, belongs to another subject, is no journal, or is in use.
    Journal(const std::string& name, const JournalSubject& subject);

    /// Returns whether it has lines of earlier runs.
    [[nodiscard]] bool is_taken_up() const { return is_taken_up_; }
    /// Returns the number of lines that earlier runs have settled.
    [[nodiscard]] std::uint64_t settled_before() const { return settled_before_; }
    [[nodiscard]] std::uint64_t refused_before() const { return refused_before_; }
    /// Returns the sizes of their files.
    [[nodiscard]] const KeptSizes& sizes() const { return sizes_; }
    /// Lists files whose size or time has changed. skips() finds out whether their settled lines are still
    /// the same.
    [[nodiscard]] const std::vector<std::string>& changed_files() const { return changed_files_; }
    [[nodiscard]] const std::string& name() const { return name_; }
    /// Returns the id of all runs of this journal, and of no other: 32 hexadecimal digits.
    [[nodiscard]] const std::string& id() const { return id_; }

    /// Returns true for a line that an earlier run has settled. Called for each line, in order. Throws
    /// std::runtime_error if the lines up to this one differ from those that were settled, or begun.
    [[nodiscard]] bool skips(std::uint64_t sequence, std::uint64_t chain);
    /// Called once at the end of the files. Throws std::runtime_error if settled or begun lines are missing.
    void check_end(std::uint64_t lines) const;

    /// Called before a line is sent that must not be carried out twice. Returns the time of the first call
    /// for it, which may have been in an earlier run.
    std::chrono::sys_seconds begin(std::uint64_t sequence, std::uint64_t chain);
    /// Notes that a begun line was not sent after all. Those of earlier runs stay begun.
    void take_back(std::uint64_t sequence);
    /// Writes settled lines at once. They survive a crash of the host after sync(). If lines are settled
    /// together, the next run knows all of them or none.
    void settle(const std::vector<SettledLine>& lines, const KeptSizes& sizes);
    /// Syncs the journal. The files of the run have to be synced before.
    void sync();

    /// Returns whether it has grown long enough to be replaced.
    [[nodiscard]] bool is_long() const;
    /// Replaces it. The files of the run have to be synced before.
    void shorten();

    /// Notes the organisation that the records are loaded for. The files of the run have to be synced before.
    /// Throws std::runtime_error if an earlier run was for another one.
    void note_organisation(const std::string& organisation);

    /// Removes the file, because nothing is left to do.
    void remove();

private:
    /// Lines without a gap. `chain` is that of the last one.
    struct Range {
        std::uint64_t last = 0;
        std::uint64_t chain = 0;
        std::uint64_t refused = 0;
    };
    using Ranges = std::map<std::uint64_t, Range>;  ///< by their first lines
    struct Begun {
        std::uint64_t chain = 0;
        std::chrono::sys_seconds at;
    };
    using BegunLines = std::map<std::uint64_t, Begun>;  ///< that are not settled

    void open();
    void open_file();
    void load(const JournalSubject& subject);
    [[nodiscard]] bool load_entry(std::string_view entry);
    [[nodiscard]] bool load_settled(std::string_view entry);
    void take_up(const JournalSubject& subject, std::string_view head);
    void insert(std::uint64_t first, const Range& range);
    static void insert(Ranges& ranges, std::uint64_t first, const Range& range);
    [[noreturn]] void refuse_changed() const;
    [[noreturn]] void refuse_other(const std::string& difference) const;
    [[nodiscard]] std::string settled_entry(const Ranges& ranges) const;
    void add(std::string_view text);

    std::string name_;
    std::string id_;
    JournalSubject subject_;
    bool is_taken_up_ = false;
    util::FileDescriptor file_;
    std::uint64_t size_ = 0;
    std::uint64_t least_size_ = 0;  ///< smallest size of a journal with its content
    bool is_synced_ = true;
    Ranges ranges_;
    Ranges before_;
    BegunLines begun_;
    BegunLines begun_before_;
    KeptSizes sizes_;
    std::uint64_t settled_before_ = 0;
    std::uint64_t refused_before_ = 0;
    std::vector<std::string> changed_files_;
};

}  // namespace data_import::client

// The journal of a run: the lines that are settled. The next run goes on after them.
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

/// Returns a random id: 32 hexadecimal digits.
[[nodiscard]] std::string random_id();

/// Returns the files and options that a run's journal is for, with the size and time of each file. Throws
/// std::runtime_error if a file cannot be read.
[[nodiscard]] JournalSubject subject_of(const Options& options);

/// A line that need not be sent again. `sequence` and `chain` are those of its InputLine. `accepted` is false
/// if the line was not accepted, or if one of its records is stored with other content.
struct SettledLine {
    std::uint64_t sequence;
    std::uint64_t chain;
    bool accepted;
};

/// The sizes of the files that a run writes, in bytes. First stands the size of the report. For each file of
/// rejects, its size and its number of lines follow. If the rejects go into a directory, the size of each
/// list of refused lines comes last (Rejects::append_sizes()).
using KeptSizes = std::vector<std::uint64_t>;

/// The file that says which lines earlier runs have settled or begun to send. Only one run at a time can use
/// a journal. skips() and check_end() may be called at any time; calls of the other functions must not
/// overlap.
///
/// Each entry is a line of text with a check sum. An entry that was cut off when a process or host died is
/// left out. Entries are only added; a long journal is replaced by a short one with the same content.
class Journal {
public:
    /// Resumes the journal in the file `name` if that journal has a line from settle() or from begin().
    /// Otherwise makes a new journal in the file. Throws std::runtime_error if the journal cannot be written,
    /// is no journal, belongs to another subject, or is in use by another run.
    Journal(const std::string& name, const JournalSubject& subject);

    /// Returns whether the journal has lines of earlier runs.
    [[nodiscard]] bool is_taken_up() const { return is_taken_up_; }
    /// Returns the number of lines that this run need not send again (SettledLine).
    [[nodiscard]] std::uint64_t settled_before() const { return settled_before_; }
    [[nodiscard]] std::uint64_t refused_before() const { return refused_before_; }
    /// Returns the sizes that the report and the rejects had when the last line was settled; empty if no line
    /// is settled.
    [[nodiscard]] const KeptSizes& sizes() const { return sizes_; }
    /// Returns the names of files to load whose size or modification time has changed since the last run.
    /// skips() checks whether the lines that need not be sent again are unchanged.
    [[nodiscard]] const std::vector<std::string>& changed_files() const { return changed_files_; }
    [[nodiscard]] const std::string& name() const { return name_; }
    /// Returns the id that all runs of this journal share, and that no other run has: 32 hexadecimal digits.
    [[nodiscard]] const std::string& id() const { return id_; }

    /// Returns whether an earlier run has settled a line. `sequence` and `chain` are those of the line's
    /// InputLine. Has to be called for each line, in order. Throws std::runtime_error if the lines up to this
    /// line differ from the lines that earlier runs have settled, or have begun to send.
    [[nodiscard]] bool skips(std::uint64_t sequence, std::uint64_t chain);
    /// Checks that the files to load still have all lines that earlier runs have settled or begun to send.
    /// Has to be called at the end of the files; `lines` is the number of lines in all of them. Throws
    /// std::runtime_error if the files end before the last of these lines.
    void check_end(std::uint64_t lines) const;

    /// Notes in the journal that a line which must not be carried out twice is about to be sent. Returns the
    /// time when this or an earlier run first noted that about the line. `sequence` and `chain` are those of
    /// the line's InputLine.
    std::chrono::sys_seconds begin(std::uint64_t sequence, std::uint64_t chain);
    /// Notes that a begun line was not sent after all. A line that an earlier run has begun stays begun.
    void take_back(std::uint64_t sequence);
    /// Writes settled lines into the journal, with the sizes that the files of the run have after these
    /// lines. Only after sync() do the lines survive a crash of the host. If lines are settled together, the
    /// next run knows all of them or none.
    void settle(const std::vector<SettledLine>& lines, const KeptSizes& sizes);
    /// Syncs the journal to the disk. The rejects and the report have to be synced first.
    void sync();

    /// Returns whether the journal has grown long enough for shorten().
    [[nodiscard]] bool is_long() const;
    /// Replaces the journal by a short one with the same content, and syncs it to the disk. The rejects and
    /// the report have to be synced first, because the journal has their sizes.
    void shorten();

    /// Writes into the journal the organisation that the records are loaded for. Calls shorten(), so the
    /// rejects and the report have to be synced to the disk first. Throws std::runtime_error if an earlier
    /// run was for another organisation.
    void note_organisation(const std::string& organisation);

    /// Removes the journal. Has to be called if the run has left nothing for a next run.
    void remove();

private:
    /// Consecutive settled lines. `last` is the sequence number of the last line, and `chain` its
    /// InputLine::chain. `refused` is the number of lines for which SettledLine::accepted is false.
    struct Range {
        std::uint64_t last = 0;
        std::uint64_t chain = 0;
        std::uint64_t refused = 0;
    };
    using Ranges = std::map<std::uint64_t, Range>;  ///< ranges by the sequence number of their first line
    struct Begun {
        std::uint64_t chain = 0;
        std::chrono::sys_seconds at;
    };
    /// Begun lines that are not settled, by sequence number.
    using BegunLines = std::map<std::uint64_t, Begun>;

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
    std::uint64_t least_size_ = 0;  ///< size of the journal when it was last shortened
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

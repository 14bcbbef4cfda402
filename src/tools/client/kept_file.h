// Files that a run writes line by line: rejects, report.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/util/file_descriptor.h"

namespace data_import::client {

/// A file for its owner only, since it holds customers' data. Not safe to use from several threads.
class KeptFile {
public:
    /// Stands for no file at all.
    KeptFile() = default;

    /// Opens or creates the file; leaves its content as it is. `what` names it in errors. Throws
    /// std::runtime_error if it cannot be written, is one of the `inputs`, or another run writes it.
    KeptFile(const std::string& what, const std::string& name, const std::vector<std::string>& inputs);

    /// Copies the file's content, if any, to the same name with `.old` after it, or `.old2` and so on, before
    /// begin(). Replaces none of these. Throws std::runtime_error if the copy cannot be written.
    void keep_old() const;

    /// Empties the file after its first `kept` bytes, before anything is added. Throws std::runtime_error if
    /// it has less.
    void begin(std::uint64_t kept);

    [[nodiscard]] explicit operator bool() const { return static_cast<bool>(file_); }
    /// Returns, until begin(), the size of a regular file that existed already.
    [[nodiscard]] std::uint64_t size() const { return size_; }

    /// Throws std::runtime_error if the file cannot be written.
    void add(std::string_view text);
    /// Makes the added lines survive a crash of the host. Throws std::runtime_error if that fails.
    void sync();

private:
    [[nodiscard]] std::uint64_t size_on_disk() const;

    std::string name_;
    std::string title_;
    util::FileDescriptor file_;
    bool is_regular_ = false;
    bool is_synced_ = true;
    std::uint64_t size_ = 0;
};

/// The identity of a file: equal for two names of one regular file. `-` is standard input. Nothing for any
/// other file, and for none.
using FileIdentity = std::optional<std::pair<dev_t, ino_t>>;
[[nodiscard]] FileIdentity identity_of(const std::string& name);
[[nodiscard]] FileIdentity identity_of(int file);

/// Locks a file for this process. A run that was just killed keeps its files until its memory is given back,
/// so this waits a while. Returns false if another process still has the file.
[[nodiscard]] bool take_for_this_run(int file);

}  // namespace data_import::client

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
    /// Makes an object without a file: add() and sync() do nothing.
    KeptFile() = default;

    /// Opens or creates the file; leaves its content as it is. `what` names it in errors. Throws
    /// std::runtime_error if it cannot be written, is one of the `inputs`, or another run writes it.
    KeptFile(const std::string& what, const std::string& name, const std::vector<std::string>& inputs);

    /// Copies the file's content, if any, to the file's name with `.old` after it. If that name is taken, the
    /// copy gets `.old2` and so on. Makes no copy if one of these has the same content. Has to be called
    /// before begin(). Throws std::runtime_error if the copy cannot be written.
    void keep_old() const;

    /// Cuts the file to its first `kept` bytes, before anything is added. Throws std::runtime_error if it is
    /// shorter.
    void begin(std::uint64_t kept);

    [[nodiscard]] explicit operator bool() const { return static_cast<bool>(file_); }
    /// Returns the size of the file in bytes. Before begin(), this is the size that the file had when it was
    /// opened. After begin(), this is the size to which begin() has cut the file, and the bytes that add()
    /// has added. For a file that is not regular, only the bytes that add() has added count.
    [[nodiscard]] std::uint64_t size() const { return size_; }

    /// Adds the text at the end of the file. Throws std::runtime_error if the file cannot be written.
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

/// The identity of a file: equal for two names of one regular file. Nothing for a file that is not regular,
/// or does not exist. The name `-` is standard input.
using FileIdentity = std::optional<std::pair<dev_t, ino_t>>;
[[nodiscard]] FileIdentity identity_of(const std::string& name);
[[nodiscard]] FileIdentity identity_of(int file);

/// Locks a file for this process. Waits for up to two seconds, because a run that was just killed keeps its
/// locks until the system has freed its memory. Returns false if another process still has the lock.
[[nodiscard]] bool take_for_this_run(int file);

}  // namespace data_import::client

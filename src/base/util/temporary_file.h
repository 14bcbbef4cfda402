// Files without a name, in the directory for temporary files. They vanish when they are closed.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "base/util/file_descriptor.h"

namespace data_import::util {

/// Makes a file that only its owner can read and write. Throws std::system_error if it cannot be made.
[[nodiscard]] FileDescriptor make_temporary_file();

/// Throws std::system_error with the current errno. Its text says that a temporary file cannot be written.
[[noreturn]] void fail_to_write_temporary_file();
/// Throws std::system_error with the current errno. Its text says that a temporary file cannot be read.
[[noreturn]] void fail_to_read_temporary_file();

/// A text that may grow longer than memory allows: its end is kept in memory, the rest in a temporary file.
class Spool {
public:
    /// Keeps at most `most_in_memory` bytes in memory. When there are more, all of them go to the file.
    explicit Spool(std::size_t most_in_memory) : most_in_memory_(most_in_memory) {}

    /// Throws std::system_error if the file cannot be made or takes no more.
    void append(std::string_view text);
    /// Passes the whole text on, in pieces. Throws std::system_error, and passes on exceptions of `sink`.
    void read(const std::function<void(std::string_view)>& sink);

private:
    void write_out();

    std::size_t most_in_memory_;
    std::string tail_;  ///< end of the text, which is not in the file yet
    FileDescriptor file_;
};

}  // namespace data_import::util

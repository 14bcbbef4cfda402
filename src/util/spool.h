// A text that may grow longer than memory should: its beginning is kept in memory, the rest in a file without
// a name.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "util/file_descriptor.h"

namespace data_import::util {

class Spool {
public:
    /// So many bytes wait in memory before they go to the file, which is in the directory for temporary
    /// files.
    explicit Spool(std::size_t most_in_memory) : most_in_memory_(most_in_memory) {}

    /// Throws std::system_error where the file cannot be made or takes no more.
    void append(std::string_view text);
    /// The whole text, in pieces. Throws std::system_error, and passes on exceptions of `sink`.
    void read(const std::function<void(std::string_view)>& sink);

private:
    void write_out();

    std::size_t most_in_memory_;
    std::string tail_;  ///< end of the text, not in the file yet
    FileDescriptor file_;
};

}  // namespace data_import::util

// The file of lines that were not accepted.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "client/input.h"
#include "util/file_descriptor.h"

namespace data_import::client {

/// Keeps refused lines so that they can be corrected and loaded again. Safe to use from any thread.
class Rejects {
public:
    /// Empties or creates the file, for its owner only, since it holds customers' data. An empty name is for
    /// no file at all. Throws std::runtime_error if the file cannot be written or is one of the `inputs`.
    Rejects(const std::string& name, const std::vector<std::string>& inputs);

    /// Adds a line exactly as it was read, with a newline; one that is too long is not there to be added.
    /// Throws std::runtime_error if the file cannot be written.
    void add(const Line& line);

private:
    std::string name_;
    std::mutex mutex_;
    util::FileDescriptor file_;
};

}  // namespace data_import::client

// Takes all free space of a file system, and gives it back at the end.
#pragma once

#include <filesystem>

#include "base/util/file_descriptor.h"

namespace data_import::tests {

class DiskFiller {
public:
    /// Throws std::system_error if no file can be made in the folder.
    explicit DiskFiller(const std::filesystem::path& folder);
    /// Deletes the file, which frees the space.
    ~DiskFiller();
    DiskFiller(const DiskFiller&) = delete;
    DiskFiller& operator=(const DiskFiller&) = delete;

    /// Takes all free space.
    void fill();

private:
    std::filesystem::path path_;
    util::FileDescriptor file_;
    off_t end_ = 0;
};

}  // namespace data_import::tests

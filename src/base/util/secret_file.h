// Files that hold one secret.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <string>

#include "base/util/file_descriptor.h"

namespace data_import::util {

/// An open file and its mode. Members throw std::system_error, whose text has nothing of the content.
class SecretFile {
public:
    /// Opens the file for reading. open(2) gets `flags`, too; with O_NONBLOCK, a FIFO does not block the
    /// reader.
    explicit SecretFile(const std::filesystem::path& file, int flags = 0);

    [[nodiscard]] bool is_regular() const { return S_ISREG(mode_); }
    /// Returns true for a character device, such as a terminal.
    [[nodiscard]] bool is_device() const { return S_ISCHR(mode_); }
    /// Returns true if one of these bits is set in the file's mode.
    [[nodiscard]] bool allows(mode_t bits) const { return (mode_ & bits) != 0; }
    /// Returns the next bytes; fewer than `most` only at the end of the file.
    [[nodiscard]] std::string read_up_to(std::size_t most) const;

private:
    FileDescriptor descriptor_;
    mode_t mode_ = 0;
};

}  // namespace data_import::util

// The directory of an export. Its files are whole, or missing.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "base/util/file_descriptor.h"
#include "tools/export/line_stream.h"

namespace data_import::exports {

/// A file of an export, as the manifest lists it.
struct WrittenFile {
    std::string name;
    std::uint64_t lines = 0;
    std::uint64_t bytes = 0;
    std::string sha256;  ///< digest of the file, in hexadecimal digits
};

/// The directory that an export is written into. Works through a descriptor, which stays valid when the
/// process becomes a user who may not open the path. Safe to use from several threads.
class Directory {
public:
    /// Makes the directory, for its owner only, or takes one that is empty. Throws console::Failure.
    explicit Directory(std::string path);

    /// Gives the directory to another user. Throws console::Failure.
    void give_to(uid_t user, gid_t group) const;
    /// Removes all files that are being written or were published.
    void remove_files();
    /// Removes the directory if the constructor has made it. The directory has to be empty (remove_files()).
    void remove() const;
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    friend class NewFile;

    [[nodiscard]] util::FileDescriptor create(const std::string& name);
    /// Gives a complete file its final name, and syncs the directory to the disk.
    void publish(const std::string& name);
    [[nodiscard]] bool is_empty() const;

    std::string path_;
    bool is_new_ = false;
    util::FileDescriptor directory_;
    std::mutex mutex_;
    std::vector<std::string> names_;
};

/// A file that gets its name when it is complete and on the disk.
class NewFile {
public:
    /// Creates the file under a temporary name. Throws console::Failure, as publish() does.
    NewFile(Directory& directory, std::string name, Compression compression = Compression::none);

    [[nodiscard]] LineStream& stream() { return stream_; }
    [[nodiscard]] WrittenFile publish();

private:
    Directory& directory_;
    std::string name_;
    util::FileDescriptor file_;
    LineStream stream_;
};

}  // namespace data_import::exports

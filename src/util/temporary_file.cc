#include "util/temporary_file.h"

#include <fcntl.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include "util/failure.h"

namespace data_import::util {

namespace {

std::string directory() {
    return std::filesystem::temp_directory_path().string();
}

}  // namespace

FileDescriptor make_temporary_file() {
    FileDescriptor file(open(directory().c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
    if (!file) fail("a temporary file cannot be made in " + directory());
    return file;
}

void fail_to_write_temporary_file() {
    const int error = errno;
    fail("a temporary file in " + directory() + " (TMPDIR) cannot be written", error);
}

void fail_to_read_temporary_file() {
    const int error = errno;
    fail("a temporary file in " + directory() + " cannot be read", error);
}

}  // namespace data_import::util

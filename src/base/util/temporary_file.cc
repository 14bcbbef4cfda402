#include "base/util/temporary_file.h"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <filesystem>
#include <string>

#include "base/util/failure.h"

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

void Spool::append(std::string_view text) {
    tail_ += text;
    if (tail_.size() > most_in_memory_) write_out();
}

void Spool::write_out() {
    if (!file_) file_ = make_temporary_file();
    for (std::string_view rest = tail_; !rest.empty();) {
        const ssize_t written = ::write(file_.get(), rest.data(), rest.size());
        if (written < 0 && errno != EINTR) fail_to_write_temporary_file();
        if (written > 0) rest.remove_prefix(static_cast<std::size_t>(written));
    }
    tail_.clear();
}

void Spool::read(const std::function<void(std::string_view)>& sink) {
    std::string piece(64 * 1024, '\0');
    for (off_t place = 0; file_.get() >= 0;) {
        const ssize_t length = pread(file_.get(), piece.data(), piece.size(), place);
        if (length < 0 && errno == EINTR) continue;
        if (length < 0) fail_to_read_temporary_file();
        if (length == 0) break;
        sink({piece.data(), static_cast<std::size_t>(length)});
        place += length;
    }
    if (!tail_.empty()) sink(tail_);
}

}  // namespace data_import::util

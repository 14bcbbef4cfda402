#include "ctl/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "ctl/command.h"
#include "util/failure.h"

namespace data_import::ctl {

namespace {

[[noreturn]] void fail(const std::string& name, int error = errno) {
    util::fail<Failure>(name + " cannot be read", error);
}

int open_for_reading(const std::string& name) {
    const int descriptor =
        name == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(name.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) fail(name);
    return descriptor;
}

}  // namespace

InputFile::InputFile(const std::string& name) : name_(name), descriptor_(open_for_reading(name)) {
    struct stat status {};
    const bool is_known = fstat(descriptor_, &status) == 0;
    if (!is_known || S_ISDIR(status.st_mode)) {
        const int error = is_known ? EISDIR : errno;
        close(descriptor_);
        fail(name_, error);
    }
    if (S_ISREG(status.st_mode)) size_ = static_cast<std::uint64_t>(status.st_size);
}

InputFile::~InputFile() {
    close(descriptor_);
}

std::size_t InputFile::read(char* buffer, std::size_t size) {
    for (;;) {
        const ssize_t count = ::read(descriptor_, buffer, size);
        if (count >= 0) return static_cast<std::size_t>(count);
        if (errno != EINTR) fail(name_);
    }
}

}  // namespace data_import::ctl

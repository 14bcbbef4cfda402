#include "client/rejects.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <string_view>

#include "util/failure.h"

namespace data_import::client {

namespace {

[[noreturn]] void fail(const std::string& name) {
    util::fail("cannot write the rejects file " + name);
}

bool is_same_file(const struct stat& left, const std::string& name) {
    struct stat right {};
    const int result = name == "-" ? ::fstat(STDIN_FILENO, &right) : ::stat(name.c_str(), &right);
    return result == 0 && S_ISREG(right.st_mode) && left.st_dev == right.st_dev &&
           left.st_ino == right.st_ino;
}

void write_all(int file, std::string_view text, const std::string& name) {
    while (!text.empty()) {
        const ssize_t count = ::write(file, text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail(name);
        text.remove_prefix(static_cast<std::size_t>(count));
    }
}

}  // namespace

Rejects::Rejects(const std::string& name, const std::vector<std::string>& inputs) : name_(name) {
    if (name.empty()) return;
    // Not emptied by open(): it could be an input.
    file_ = util::FileDescriptor(::open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
    struct stat status {};
    if (file_.get() < 0 || ::fstat(file_.get(), &status) != 0) fail(name);
    for (const std::string& input : inputs) {
        if (is_same_file(status, input)) {
            throw std::runtime_error("the rejects file " + name + " is one of the files to load");
        }
    }
    if (S_ISREG(status.st_mode) && ::ftruncate(file_.get(), 0) != 0) fail(name);
}

void Rejects::add(const Line& line) {
    if (file_.get() < 0 || line.too_long) return;
    const std::lock_guard lock(mutex_);
    write_all(file_.get(), line.text, name_);
    write_all(file_.get(), "\n", name_);
}

}  // namespace data_import::client

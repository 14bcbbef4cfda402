#include "tools/client/kept_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "base/util/failure.h"
#include "base/util/write_all.h"

namespace data_import::client {

namespace {

bool have_same_content(const std::string& one, const std::string& other) {
    std::error_code error;
    if (std::filesystem::file_size(one) != std::filesystem::file_size(other, error) || error) return false;
    using Bytes = std::istreambuf_iterator<char>;
    std::ifstream first(one, std::ios::binary);
    std::ifstream second(other, std::ios::binary);
    return first && second && std::equal(Bytes(first), Bytes(), Bytes(second), Bytes());
}

}  // namespace

FileIdentity identity_of(int file) {
    struct stat status {};
    if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    return std::pair(status.st_dev, status.st_ino);
}

FileIdentity identity_of(const std::string& name) {
    if (name == "-") return identity_of(STDIN_FILENO);
    struct stat status {};
    if (::stat(name.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    return std::pair(status.st_dev, status.st_ino);
}

bool take_for_this_run(int file) {
    constexpr int most_tries = 20;
    constexpr std::chrono::milliseconds pause(100);
    for (int tries = 0; ::flock(file, LOCK_EX | LOCK_NB) != 0; ++tries) {
        if (tries == most_tries) return false;
        std::this_thread::sleep_for(pause);
    }
    return true;
}

KeptFile::KeptFile(const std::string& what, const std::string& name, const std::vector<std::string>& inputs)
    : name_(name), title_("the " + what + " file " + name) {
    // The file is not emptied here, because it could be an input.
    file_ = util::FileDescriptor(
        ::open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND, S_IRUSR | S_IWUSR));
    if (!file_) util::fail("cannot write " + title_);
    const FileIdentity identity = identity_of(file_.get());
    is_regular_ = identity.has_value();
    for (const std::string& input : inputs) {
        if (identity && identity_of(input) == identity)
            throw std::runtime_error(title_ + " is one of the files to load");
    }
    // Without the lock, two runs would cut off each other's lines.
    if (is_regular_ && !take_for_this_run(file_.get()))
        throw std::runtime_error(title_ + " is in use by another run");
    if (is_regular_) size_ = size_on_disk();
}

std::uint64_t KeptFile::size_on_disk() const {
    struct stat status {};
    if (::fstat(file_.get(), &status) != 0) util::fail("cannot write " + title_);
    return static_cast<std::uint64_t>(status.st_size);
}

void KeptFile::keep_old() const {
    if (!is_regular_ || size_on_disk() == 0) return;
    std::string old = name_ + ".old";
    for (int number = 2; std::filesystem::exists(old); ++number) {
        if (have_same_content(name_, old)) return;
        old = name_ + ".old" + std::to_string(number);
    }
    std::error_code error;
    // The file is copied and not renamed, because this run has locked it and goes on to write it.
    std::filesystem::copy_file(name_, old, error);
    if (error) throw std::runtime_error("cannot keep " + title_ + " as " + old + ": " + error.message());
}

void KeptFile::begin(std::uint64_t kept) {
    if (!is_regular_) return;
    const std::uint64_t present = size_on_disk();
    if (present < kept) {
        throw std::runtime_error(title_ + " has " + std::to_string(present) + " bytes, of " +
                                 std::to_string(kept) +
                                 " that earlier runs have written: put it back as it was, or remove the "
                                 "journal to load everything from the beginning");
    }
    if (::ftruncate(file_.get(), static_cast<off_t>(kept)) != 0) util::fail("cannot write " + title_);
    size_ = kept;
}

void KeptFile::sync() {
    if (!is_regular_ || is_synced_) return;
    if (::fdatasync(file_.get()) != 0) util::fail("cannot write " + title_);
    is_synced_ = true;
}

void KeptFile::add(std::string_view text) {
    if (!file_) return;
    util::write_all(file_.get(), text, "cannot write " + title_);
    size_ += text.size();
    is_synced_ = false;
}

}  // namespace data_import::client

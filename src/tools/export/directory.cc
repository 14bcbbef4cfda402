#include "tools/export/directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string_view>
#include <utility>

#include "base/util/failure.h"
#include "tools/console/failure.h"

namespace data_import::exports {

namespace {

using console::Failure;

constexpr mode_t mode_of_directory = 0700;
constexpr mode_t mode_of_files = 0600;

/// Returns the name of a file that is still being written: `.accounts.csv.part`.
std::string name_until_whole(const std::string& name) {
    return "." + name + ".part";
}

}  // namespace

Directory::Directory(std::string path) : path_(std::move(path)) {
    is_new_ = ::mkdir(path_.c_str(), mode_of_directory) == 0;
    if (!is_new_ && errno != EEXIST) util::fail<Failure>("the directory " + path_ + " cannot be made");
    directory_ = util::FileDescriptor(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!directory_) util::fail<Failure>(path_ + " cannot be used as a directory");
    if (!is_empty())
        throw Failure("the directory " + path_ +
                      " is not empty; name one that is not there yet, or an empty one");
}

bool Directory::is_empty() const {
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(
        ::fdopendir(::openat(directory_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)), ::closedir);
    if (!entries) util::fail<Failure>("the directory " + path_ + " cannot be read");
    while (const dirent* entry = ::readdir(entries.get())) {
        const std::string_view name(static_cast<const char*>(entry->d_name));
        if (name != "." && name != "..") return false;
    }
    return true;
}

void Directory::give_to(uid_t user, gid_t group) const {
    if (::fchown(directory_.get(), user, group) != 0)
        util::fail<Failure>("the directory " + path_ +
                            " cannot be given to the user of the setting admin_user");
}

util::FileDescriptor Directory::create(const std::string& name) {
    const std::lock_guard lock(mutex_);
    util::FileDescriptor file(::openat(directory_.get(), name_until_whole(name).c_str(),
                                       O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_of_files));
    if (!file) util::fail<Failure>(path_ + "/" + name + " cannot be written");
    names_.push_back(name);
    return file;
}

void Directory::publish(const std::string& name) {
    const bool is_done =
        ::renameat(directory_.get(), name_until_whole(name).c_str(), directory_.get(), name.c_str()) == 0 &&
        ::fsync(directory_.get()) == 0;
    if (!is_done) util::fail<Failure>(path_ + "/" + name + " cannot be written");
}

void Directory::remove_files() {
    const std::lock_guard lock(mutex_);
    for (const std::string& name : names_) {
        ::unlinkat(directory_.get(), name_until_whole(name).c_str(), 0);
        ::unlinkat(directory_.get(), name.c_str(), 0);
    }
}

void Directory::remove() const {
    if (is_new_) ::rmdir(path_.c_str());
}

NewFile::NewFile(Directory& directory, std::string name, Compression compression)
    : directory_(directory),
      name_(std::move(name)),
      file_(directory.create(name_)),
      stream_(file_.get(), compression, directory.path() + "/" + name_) {}

WrittenFile NewFile::publish() {
    stream_.flush();
    if (::fsync(file_.get()) != 0)
        util::fail<Failure>(directory_.path() + "/" + name_ + " cannot be written");
    file_.close();
    directory_.publish(name_);
    return {name_, stream_.lines(), stream_.bytes(), stream_.take_sha256()};
}

}  // namespace data_import::exports

#include "disk_filler.h"

#include <fcntl.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace data_import::tests {

DiskFiller::DiskFiller(const std::filesystem::path& folder)
    : path_(folder / "filler"), file_(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    if (!file_) throw std::system_error(errno, std::generic_category(), path_.string());
}

DiskFiller::~DiskFiller() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
}

// Takes half of the free space at a time, until not even one block is free.
void DiskFiller::fill() {
    for (struct statvfs figures{}; fstatvfs(file_.get(), &figures) == 0 && figures.f_bavail > 0;) {
        const off_t free = static_cast<off_t>(figures.f_bavail * figures.f_frsize);
        const off_t piece = std::max(free / 2, static_cast<off_t>(figures.f_frsize));
        if (posix_fallocate(file_.get(), end_, piece) != 0) return;
        end_ += piece;
    }
}

}  // namespace data_import::tests

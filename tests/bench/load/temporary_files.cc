#include "temporary_files.h"

#include <sys/stat.h>

#include <fstream>
#include <string>
#include <system_error>
#include <vector>

namespace data_import::bench {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view deleted = " (deleted)";
constexpr std::uint64_t block_bytes = 512;

std::uint64_t bytes_of(const fs::path& file) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return 0;
    return static_cast<std::uint64_t>(status.st_blocks) * block_bytes;
}

std::vector<int> children_of(int process) {
    const std::string number = std::to_string(process);
    std::ifstream file("/proc/" + number + "/task/" + number + "/children");
    std::vector<int> children;
    for (int child = 0; file >> child;) children.push_back(child);
    return children;
}

/// Returns the bytes on the disk of all files that have a name in `folder` or below it. Files may come and go
/// during the call. A file that is removed before its size is read counts 0.
std::uint64_t named_bytes(const fs::path& folder) {
    std::uint64_t sum = 0;
    std::error_code ignored;
    for (auto entry = fs::recursive_directory_iterator(folder, ignored);
         entry != fs::recursive_directory_iterator(); entry.increment(ignored))
        sum += bytes_of(entry->path());
    return sum;
}

std::uint64_t nameless_bytes(const fs::path& folder, int process) {
    std::uint64_t sum = 0;
    std::error_code ignored;
    for (auto entry = fs::directory_iterator("/proc/" + std::to_string(process) + "/fd", ignored);
         entry != fs::directory_iterator(); entry.increment(ignored)) {
        const std::string target = fs::read_symlink(entry->path(), ignored).string();
        if (target.starts_with(folder.string()) && target.ends_with(deleted)) sum += bytes_of(entry->path());
    }
    return sum;
}

}  // namespace

std::uint64_t temporary_bytes(const fs::path& folder, int nginx) {
    std::uint64_t sum = named_bytes(folder);
    for (const int worker : children_of(nginx)) sum += nameless_bytes(folder, worker);
    return sum;
}

}  // namespace data_import::bench

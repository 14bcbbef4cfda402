#include "tools/client/left_files.h"

#include <algorithm>
#include <string>

#include "base/util/text.h"

namespace data_import::client {

namespace {

/// A pattern for the names of files that other programs leave behind. A file fits if its name, in lower case,
/// begins with `beginning` and ends with `end`. An empty `beginning` or `end` fits every name. `origin` says
/// for people what these files are. `is_never_meant`: such a file is skipped even if it is named.
struct LeftFile {
    std::string_view beginning;
    std::string_view end;
    std::string_view origin;
    bool is_never_meant = false;
};

constexpr std::string_view office = "lock files of Office: somebody has the file open";
constexpr std::string_view libreoffice = "lock files of LibreOffice: somebody has the file open";
constexpr std::string_view macos = "files of macOS about other files";
constexpr std::string_view windows = "files of Windows about the directory";
constexpr std::string_view downloads = "downloads that are not complete";
constexpr std::string_view temporary = "temporary files";
constexpr std::string_view copies = "copies that editors keep";

// clang-format off
constexpr LeftFile left_files[] = {
    {"~$", "", office, true},
    {".~lock.", "", libreoffice, true},
    {"._", "", macos, true},
    {"", ".crdownload", downloads, true},
    {"__macosx", "", macos, true},
    {".ds_store", "", macos},
    {".appledouble", "", macos},
    {".spotlight-", "", macos},
    {".trashes", "", macos},
    {"thumbs.db", "", windows},
    {"ehthumbs.db", "", windows},
    {"desktop.ini", "", windows},
    {"", ".part", downloads},
    {"", ".partial", downloads},
    {"", ".download", downloads},
    {"", ".opdownload", downloads},
    {"", ".filepart", downloads},
    {"", ".tmp", temporary},
    {"", ".temp", temporary},
    {"", ".swp", copies},
    {"", ".bak", copies},
    {"", "~", copies},
    {".", "", "hidden files"},
};
// clang-format on

const LeftFile* find_left_file(std::string_view name) {
    const std::string low = util::lowered(name);
    const auto* const found = std::ranges::find_if(left_files, [&](const LeftFile& file) {
        return low.starts_with(file.beginning) && low.ends_with(file.end);
    });
    return found == std::end(left_files) ? nullptr : found;
}

}  // namespace

std::optional<std::string_view> origin_of_left_file(std::string_view name) {
    const LeftFile* const file = find_left_file(name);
    return file == nullptr ? std::nullopt : std::optional(file->origin);
}

bool is_never_meant(std::string_view name) {
    const LeftFile* const file = find_left_file(name);
    return file != nullptr && file->is_never_meant;
}

}  // namespace data_import::client

#include "base/util/systemd_journal.h"

#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

#define SD_JOURNAL_SUPPRESS_LOCATION  // keeps the name of this file out of entries
#include <systemd/sd-journal.h>

namespace data_import::util {

namespace {

char in_field_name(char character) {
    if (character >= 'a' && character <= 'z') return static_cast<char>(character - 'a' + 'A');
    const bool is_allowed = (character >= 'A' && character <= 'Z') || (character >= '0' && character <= '9');
    return is_allowed ? character : '_';
}

}  // namespace

// Compares standard error with the device and the inode of the stream to the journal, which systemd names in
// JOURNAL_STREAM (systemd.exec(5)). A shell, for example, may have redirected standard error since then.
bool is_standard_error_the_journal() {
    const char* stream = std::getenv("JOURNAL_STREAM");
    struct stat status {};
    return stream != nullptr && fstat(STDERR_FILENO, &status) == 0 &&
           stream == std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino);
}

std::string journal_field(std::string_view name, std::string_view value) {
    std::string field;
    for (const char character : name) field += in_field_name(character);
    field += '=';
    field += value;
    return field;
}

bool send_to_journal(std::span<const std::string> fields) {
    std::vector<iovec> parts;
    for (const std::string& field : fields)
        parts.push_back({const_cast<char*>(field.data()), field.size()});  // sd_journal_sendv only reads them
    return sd_journal_sendv(parts.data(), static_cast<int>(parts.size())) == 0;
}

}  // namespace data_import::util

#include "base/util/write_all.h"

#include <unistd.h>

#include "base/util/failure.h"

namespace data_import::util {

void write_all(int file, std::string_view text, const std::string& problem) {
    while (!text.empty()) {
        const ssize_t count = ::write(file, text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail(problem);
        text.remove_prefix(static_cast<std::size_t>(count));
    }
}

}  // namespace data_import::util

#include "base/util/secret_file.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/util/failure.h"

namespace data_import::util {

SecretFile::SecretFile(const std::filesystem::path& file, int flags)
    : descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC | flags)) {
    struct stat status {};
    if (!descriptor_ || ::fstat(descriptor_.get(), &status) != 0) fail(file.string());
    mode_ = status.st_mode;
}

std::string SecretFile::read_up_to(std::size_t most) const {
    std::string text(most, '\0');
    std::size_t length = 0;
    while (length < most) {
        const ssize_t count = ::read(descriptor_.get(), text.data() + length, most - length);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail("reading");
        if (count == 0) break;
        length += static_cast<std::size_t>(count);
    }
    text.resize(length);
    return text;
}

}  // namespace data_import::util

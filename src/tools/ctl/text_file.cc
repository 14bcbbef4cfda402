#include "tools/ctl/text_file.h"

#include <sys/stat.h>

#include "base/util/failure.h"
#include "tools/ctl/command.h"

namespace data_import::ctl {

namespace {

util::FileDescriptor open(const std::string& name) {
    try {
        return util::open_input(name);
    } catch (const std::system_error& error) {
        util::fail<Failure>(name + " cannot be read", error.code().value());
    }
}

/// Returns the size of a regular file; nothing for another file, such as a pipe. Throws Failure for a
/// directory.
std::optional<std::uint64_t> size_of(const std::string& name, int descriptor) {
    struct stat status {};
    const bool is_known = ::fstat(descriptor, &status) == 0;
    if (!is_known || S_ISDIR(status.st_mode))
        util::fail<Failure>(name + " cannot be read", is_known ? EISDIR : errno);
    return S_ISREG(status.st_mode) ? std::optional(static_cast<std::uint64_t>(status.st_size)) : std::nullopt;
}

util::TextSource open_source(const std::string& name, int stop, std::optional<std::uint64_t>& size) {
    util::FileDescriptor file = open(name);
    size = size_of(name, file.get());
    return {std::move(file), shown_name(name), stop};
}

}  // namespace

std::string shown_name(const std::string& name) {
    return name == "-" ? "standard input" : name;
}

TextFile::TextFile(const std::string& name, int stop) : source_(open_source(name, stop, size_)) {}

std::size_t TextFile::read(char* buffer, std::size_t size) {
    try {
        return source_.read({buffer, size});
    } catch (const std::runtime_error& error) {
        throw Failure(error.what());
    }
}

}  // namespace data_import::ctl

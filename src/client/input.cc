#include "client/input.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "util/failure.h"

namespace data_import::client {

namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 18;

[[noreturn]] void fail(const std::string& name, int error = errno) {
    util::fail("cannot read " + name, error);
}

bool is_blank(std::string_view text) {
    return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

/// Does not open the file: a pipe would lose its writer when it is closed again.
std::optional<std::uint64_t> file_bytes(const std::string& name) {
    const bool standard_input = name == "-";
    struct stat status {};
    const int result = standard_input ? ::fstat(STDIN_FILENO, &status) : ::stat(name.c_str(), &status);
    if (result != 0 || (!standard_input && ::access(name.c_str(), R_OK) != 0)) fail(name);
    if (S_ISDIR(status.st_mode)) fail(name, EISDIR);
    if (!S_ISREG(status.st_mode)) return std::nullopt;
    const off_t offset = standard_input ? std::max<off_t>(::lseek(STDIN_FILENO, 0, SEEK_CUR), 0) : 0;
    return static_cast<std::uint64_t>(std::max<off_t>(status.st_size - offset, 0));
}

}  // namespace

util::FileDescriptor open_input(const std::string& name) {
    const bool standard_input = name == "-";
    // A duplicate, so that every descriptor is owned and closed alike.
    util::FileDescriptor input(standard_input ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                              : ::open(name.c_str(), O_RDONLY | O_CLOEXEC));
    if (input.get() < 0) fail(standard_input ? "standard input" : name);
    return input;
}

std::optional<std::uint64_t> total_bytes(const std::vector<std::string>& names) {
    std::uint64_t total = 0;
    bool known = true;
    for (const std::string& name : names) {
        const auto bytes = file_bytes(name);
        known = known && bytes.has_value();
        total += bytes.value_or(0);
    }
    return known ? std::optional(total) : std::nullopt;
}

LineReader::LineReader(util::FileDescriptor input, std::size_t file, std::string name, int stop)
    : input_(std::move(input)), file_(file), name_(std::move(name)), stop_(stop), buffer_(buffer_bytes) {}

std::optional<Line> LineReader::next() {
    Line line;
    line.file = file_;
    while (read_line(line)) {
        line.number = ++number_;
        if (line.too_long || !is_blank(line.text)) return line;
        line.text.clear();
        line.bytes = 0;
    }
    return std::nullopt;
}

/// Reads up to the next newline, or to the end of the file. False when there is nothing more.
bool LineReader::read_line(Line& line) {
    while (begin_ < end_ || fill()) {
        const char* const from = buffer_.data() + begin_;
        const auto* newline = static_cast<const char*>(std::memchr(from, '\n', end_ - begin_));
        const std::size_t length =
            newline != nullptr ? static_cast<std::size_t>(newline - from) : end_ - begin_;
        append(line, {from, length});
        begin_ += length;
        if (newline == nullptr) continue;
        ++begin_;
        ++line.bytes;
        return true;
    }
    // A line cut by a stop is not a line: it would be sent in half.
    return line.bytes > 0 && ended_;
}

void LineReader::append(Line& line, std::string_view piece) const {
    line.bytes += piece.size();
    if (line.too_long || line.text.size() + piece.size() > max_line_bytes) {
        line.too_long = true;
        line.text = {};
    } else {
        line.text.append(piece);
    }
}

/// False at the end of the file and when stopped.
bool LineReader::fill() {
    if (!wait_for_input()) return false;
    ssize_t count = 0;
    do {
        count = ::read(input_.get(), buffer_.data(), buffer_.size());
    } while (count < 0 && errno == EINTR);
    if (count < 0) fail(name_);
    begin_ = 0;
    end_ = static_cast<std::size_t>(count);
    ended_ = count == 0;
    return !ended_;
}

bool LineReader::wait_for_input() const {
    pollfd descriptors[] = {{input_.get(), POLLIN, 0}, {stop_, POLLIN, 0}};
    while (::poll(descriptors, 2, -1) < 0) {
        if (errno != EINTR) fail(name_);
    }
    return descriptors[1].revents == 0;
}

}  // namespace data_import::client

#include "base/util/systemd_journal.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>

namespace data_import::util {

namespace {

constexpr const char* journal_socket = "/run/systemd/journal/socket";

/// systemd tells the device and the inode of the stream that leads to the journal; a shell, say, may have
/// redirected standard error since (systemd.exec(5), JOURNAL_STREAM).
bool is_standard_error(std::string_view stream) {
    struct stat status {};
    return fstat(STDERR_FILENO, &status) == 0 &&
           stream == std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino);
}

char in_field_name(char character) {
    if (character >= 'a' && character <= 'z') return static_cast<char>(character - 'a' + 'A');
    const bool is_allowed = (character >= 'A' && character <= 'Z') || (character >= '0' && character <= '9');
    return is_allowed ? character : '_';
}

}  // namespace

SystemdJournal SystemdJournal::behind_standard_error() {
    const char* stream = std::getenv("JOURNAL_STREAM");
    return stream != nullptr && is_standard_error(stream) ? SystemdJournal(journal_socket) : SystemdJournal();
}

SystemdJournal::SystemdJournal(std::string socket_path) : path_(std::move(socket_path)) {
    if (path_.size() < sizeof(sockaddr_un::sun_path))
        socket_ = FileDescriptor(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
}

// The path is looked up each time: the journal may have been restarted.
bool SystemdJournal::send(std::string_view entry) const noexcept {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path_.copy(address.sun_path, sizeof address.sun_path - 1);
    ssize_t sent = -1;
    do {
        sent = ::sendto(socket_.get(), entry.data(), entry.size(), MSG_NOSIGNAL,
                        reinterpret_cast<const sockaddr*>(&address), sizeof address);
    } while (sent < 0 && errno == EINTR);
    return sent >= 0;
}

// A value with line breaks is preceded by its length, 64 bits with the least byte first.
void append_journal_field(std::string& entry, std::string_view name, std::string_view value) {
    for (const char character : name) entry += in_field_name(character);
    if (value.find('\n') == std::string_view::npos) {
        entry += '=';
    } else {
        entry += '\n';
        for (unsigned shift = 0; shift < 64; shift += 8)
            entry += static_cast<char>(static_cast<std::uint64_t>(value.size()) >> shift & 0xFF);
    }
    entry += value;
    entry += '\n';
}

}  // namespace data_import::util

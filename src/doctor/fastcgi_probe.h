// A GET by FastCGI, as nginx would send it; for looking at one pool of workers.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace data_import::doctor {

/// The socket cannot be connected to; `error()` is of errno.
class NotConnected : public std::runtime_error {
public:
    explicit NotConnected(int error);
    [[nodiscard]] int error() const { return error_; }

private:
    int error_;
};

struct SocketAnswer {
    std::string text;    ///< header fields, blank line, body; empty: the time was over, or the peer closed
    pid_t listener = 0;  ///< the process that listens
};

/// Throws NotConnected.
[[nodiscard]] SocketAnswer ask_socket(const std::filesystem::path& socket, const std::string& uri,
                                      std::chrono::seconds limit);

}  // namespace data_import::doctor

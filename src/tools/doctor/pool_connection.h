// A request to a pool of the service over its socket, as nginx would send it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace data_import::doctor {

/// Thrown if no connection to the socket can be made. `error()` is errno.
class NotConnected : public std::runtime_error {
public:
    explicit NotConnected(int error) : std::runtime_error(std::strerror(error)), error_(error) {}
    [[nodiscard]] int error() const { return error_; }

private:
    int error_;
};

class PoolConnection {
public:
    /// Connects to the socket. The connection and all later calls have to end by `end`. Throws NotConnected.
    PoolConnection(const std::filesystem::path& path, std::chrono::steady_clock::time_point end);
    ~PoolConnection();
    PoolConnection(const PoolConnection&) = delete;
    PoolConnection& operator=(const PoolConnection&) = delete;

    /// Returns the process that listens; 0 if the kernel does not say.
    [[nodiscard]] pid_t listener() const;

    /// Sends a GET request for `uri` by FastCGI.
    void ask(const std::string& uri) const;

    /// Returns the whole answer: header fields, blank line, body. Returns an empty text if the answer is not
    /// complete at the constructor's `end`, or when the peer closes the connection.
    [[nodiscard]] std::string answer() const;

private:
    [[nodiscard]] std::string receive_all() const;
    void limit(int option) const;
    ssize_t receive(char* bytes, std::size_t size) const;

    int socket_;
    std::chrono::steady_clock::time_point end_;
};

}  // namespace data_import::doctor

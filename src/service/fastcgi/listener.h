// The listening sockets, which are made here or taken over from systemd.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/util/file_descriptor.h"
#include "service/fastcgi/pool.h"

namespace data_import::fastcgi {

/// One listening unix socket, non-blocking and closed on exec.
class Listener {
public:
    /// Takes over a socket that systemd has made. systemd keeps it open over a restart of the service.
    static Listener inherited(util::FileDescriptor socket);

    /// Makes a socket at `path`, mode 0660, owned by `group` (empty: unchanged). The socket appears there
    /// only when it is complete, and replaces any other socket at the path. Throws std::runtime_error.
    static Listener made(const std::filesystem::path& path, const std::string& group);

    /// Returns a listener without a socket, for a pool that has no workers.
    static Listener none();

    Listener(Listener&&) = default;
    Listener& operator=(Listener&&) = delete;
    ~Listener() { retire(); }

    [[nodiscard]] int get() const { return socket_.get(); }

    /// Stops listening. Connections that wait already can still be accepted; after them accept() fails with
    /// EINVAL. A socket that systemd has made stays as it is, for the next master.
    void retire();

    /// Closes the descriptor of this process. Other processes can still accept connections.
    void close() { socket_.close(); }

private:
    Listener(util::FileDescriptor socket, std::filesystem::path path)
        : socket_(std::move(socket)), path_(std::move(path)) {}

    util::FileDescriptor socket_;
    std::filesystem::path path_;  ///< path of the socket; empty if systemd has made the socket
};

/// All listeners of a master, in the order of its pools.
class Listeners {
public:
    /// Takes over the sockets that systemd passed (LISTEN_FDS), and makes the missing ones, except for pools
    /// without workers. The name of a passed socket in LISTEN_FDNAMES is the name of its pool; if no pool has
    /// this name, the socket's file name is the name of its pool. Throws std::runtime_error with a sentence
    /// if a passed socket belongs to no pool, if a socket cannot be made, or if another master uses the same
    /// socket directory.
    Listeners(const std::vector<Pool>& pools, const config::Settings& settings);

    [[nodiscard]] int get(std::size_t pool) const { return listeners_.at(pool).get(); }
    void retire();

    /// Closes all descriptors except the listening socket of this pool. Called in a worker, after the fork.
    void keep_only(std::size_t pool);

private:
    std::vector<Listener> listeners_;
    util::FileDescriptor directory_;  ///< the socket directory, locked as long as this master lives
};

}  // namespace data_import::fastcgi

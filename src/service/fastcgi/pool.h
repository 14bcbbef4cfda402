// The pools of workers. Each pool has a socket and processes of its own, so that work of different size does
// not share a queue.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <vector>

#include "base/config/settings.h"
#include "service/sharing/shares.h"

namespace data_import::fastcgi {

inline constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

struct Pool {
    sharing::PoolKind kind{};
    std::filesystem::path socket;  ///< SOCKETDIR/NAME.sock
    std::size_t workers = 0;
    std::chrono::seconds read_timeout{};  ///< longest wait for the next bytes of a request
    /// The longest wait until nginx takes further bytes of an answer. ExchangeLimits::write_timeout says
    /// which waits are limited.
    std::chrono::seconds write_timeout{};
    /// Longest time of work on requests: a worker that takes longer is killed.
    std::chrono::seconds request_limit{};
    std::size_t batch = 1;                        ///< most requests that a worker takes together
    std::uint64_t batch_bytes = no_limit;         ///< most bytes of the bodies in a batch
    std::uint64_t shared_batch_bytes = no_limit;  ///< `batch_bytes` while several organisations work
    /// The number of workers that should be busy at the same time. A worker takes no new requests while at
    /// least this number of other workers is busy.
    std::size_t at_once = 0;
    /// The most work of all organisations together that fits into the pool at a time: a number of bytes if
    /// `shares_bytes` is true, otherwise a number of requests.
    std::uint64_t capacity = 0;
    /// An organisation with fewer requests in flight than this is never refused: its requests beyond its
    /// share wait instead.
    std::uint64_t never_refused = 0;
    bool keeps_connections = false;  ///< connections stay open for nginx's next requests
    bool shares_bytes = false;       ///< work and capacity are counted in bytes of bodies; false: in requests
    bool reads_person = false;       ///< nginx passes the name of a person who has signed in
};

/// Returns all pools, in the order of sharing::PoolKind.
[[nodiscard]] std::vector<Pool> pools(const config::Settings& settings);

}  // namespace data_import::fastcgi

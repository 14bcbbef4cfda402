// The pools of workers: work of different size does not share a queue, since each pool has a socket and
// processes of its own.
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
    std::chrono::seconds read_timeout{};   ///< how long a read of a request may wait for its next bytes
    std::chrono::seconds write_timeout{};  ///< how long a write of an answer may wait until some bytes are
                                           ///< taken; see ExchangeLimits
    std::chrono::seconds request_limit{};  ///< a worker that is busy with its requests for longer is killed
    std::size_t batch = 1;                 ///< requests that a worker takes together when they are waiting
    std::uint64_t batch_bytes = no_limit;  ///< ... unless their bodies are longer than this in all
    std::uint64_t shared_batch_bytes = no_limit;  ///< ... while several organisations want to work there
    std::size_t at_once = 0;  ///< a worker leaves requests to so many others while those get on with theirs
    std::uint64_t capacity = 0;       ///< shared by its organisations
    std::uint64_t never_refused = 0;  ///< requests in flight of an organisation that wait for their turn
    bool keeps_connections = false;   ///< for nginx's next requests
    bool shares_bytes = false;        ///< in bytes of bodies; else in requests, of which a worker has one
};

/// Always the same, in the order of sharing::PoolKind.
[[nodiscard]] std::vector<Pool> pools(const config::Settings& settings);

}  // namespace data_import::fastcgi

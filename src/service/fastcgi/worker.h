// A worker process: takes the requests that wait at its pool's socket, several together, until it is told to
// stop.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "base/config/settings.h"
#include "base/util/file_descriptor.h"
#include "service/fastcgi/kept_connections.h"
#include "service/fastcgi/pool.h"
#include "service/http/request.h"
#include "service/metrics/board.h"

namespace data_import::fastcgi {

/// Makes the handler of a pool's requests. It is called once in each worker, after the fork, because it opens
/// database sessions and other things that processes must not share.
using HandlerFactory = std::function<std::unique_ptr<http::Handler>(const config::Settings&, const Pool&)>;

/// The reason why a worker ends, as its exit status.
enum WorkerExit : int {
    worker_stopped = 0,   ///< the worker was told to stop
    worker_failed = 1,    ///< the handler could not be made, or the system refused something
    worker_used_up = 10,  ///< the worker has answered as many requests as `max_requests` allows
};

struct WorkerTask {
    const config::Settings& settings;
    const Pool& pool;
    const HandlerFactory& make_handler;
    const metrics::Recorder& recorder;
    int listener = -1;
    /// The queue of kept connections; null: connections are closed after each request.
    const ConnectionQueue* queue = nullptr;
    int master = 0;              ///< process id of the master; the worker ends when the master dies
    util::FileDescriptor ready;  ///< gets one byte when the worker takes requests
};

/// Runs the worker in a process that was just forked, and ends this process. SIGTERM has to be blocked. The
/// worker looks for SIGTERM only between requests, so it finishes every running request. Before the process
/// ends, it leaves kept connections to the other workers.
///
/// If the queue of kept connections is shut, no other worker will take them, so this worker answers their
/// requests first. If the master has shut the socket, this worker also answers the requests that wait there.
[[noreturn]] void run_worker(WorkerTask task) noexcept;

}  // namespace data_import::fastcgi

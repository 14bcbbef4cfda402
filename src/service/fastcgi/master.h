// The master process: opens the sockets, starts the workers and keeps them running; it handles no request
// itself.
#pragma once

#include <functional>

#include "base/config/settings.h"
#include "service/fastcgi/worker.h"
#include "service/metrics/board.h"

namespace data_import::fastcgi {

struct MasterOptions {
    config::Settings settings;  ///< the settings at the start
    std::function<config::Settings()>
        reload;                   ///< reads the configuration again; if it throws, the reload is refused
    HandlerFactory make_handler;  ///< makes the handler of a worker; called in each worker
    metrics::Board& board;        ///< counts the workers; has to outlive the master
};

/// Runs until SIGTERM or SIGINT and returns the exit status of the program. It opens no database session and
/// starts no thread, because forked workers could not use them. If the sockets cannot be opened, it logs why
/// and returns 1.
///
/// SIGHUP: reads the configuration again and replaces the workers one after another: a new one takes requests
/// before an old one is told to stop, and the old one finishes its request. A configuration that cannot be
/// read changes nothing. Settings whose change needs a restart stay as they are.
///
/// SIGTERM, SIGINT: takes no new requests (sockets that systemd made stay open for the next start), lets
/// workers finish the requests that they have, kills workers after stop_timeout, and returns 0.
///
/// Replaces each worker that dies, after the delay that Backoff in worker_group.h gives, and logs each death.
/// Tells systemd READY when all workers take requests, and sends systemd the messages for its watchdog.
[[nodiscard]] int run_master(MasterOptions options);

}  // namespace data_import::fastcgi

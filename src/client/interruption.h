// Ctrl-C as an orderly stop.
#pragma once

#include <signal.h>

#include <thread>

#include "client/stop.h"
#include "util/file_descriptor.h"

namespace data_import::client {

/// While it lives, SIGINT, SIGTERM and, unless it was ignored as by nohup(1), SIGHUP request a stop; the
/// second of them ends the process at once. Has to be made before any other thread, since threads inherit the
/// mask of signals.
class Interruption {
public:
    /// `stop` has to live longer. Throws std::system_error when there are no more descriptors.
    explicit Interruption(Stop& stop);
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

private:
    void run(Stop& stop) const;

    sigset_t previous_{};
    util::FileDescriptor signals_;
    util::FileDescriptor end_;
    std::thread thread_;
};

}  // namespace data_import::client

// The early end of a run, by Ctrl-C for example.
#pragma once

#include <signal.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "base/util/file_descriptor.h"

namespace data_import::client {

/// Waits for `time`. Returns false if the stop comes first.
[[nodiscard]] bool wait(std::chrono::milliseconds time, const std::stop_token& stop);

/// A request to stop the run. Threads notice it by a stop token, or by a descriptor that becomes readable.
/// Safe to use from any thread.
class Stop {
public:
    /// Throws std::system_error if there are no more descriptors.
    Stop();
    Stop(const Stop&) = delete;
    Stop& operator=(const Stop&) = delete;

    /// Requests the stop. Only the first call counts. `reason` is a sentence for people; `goes_on` is true if
    /// the same command can resume the run without any repair.
    void request(const std::string& reason, bool goes_on = true);
    [[nodiscard]] bool requested() const { return source_.stop_requested(); }
    /// Returns the reason; empty while no stop is requested.
    [[nodiscard]] std::string reason() const;
    [[nodiscard]] bool goes_on() const;

    /// Waits for `time`. Returns false if the stop comes first.
    [[nodiscard]] bool wait(std::chrono::milliseconds time) const { return client::wait(time, token()); }

    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }
    [[nodiscard]] int descriptor() const { return event_.get(); }

private:
    mutable std::mutex mutex_;
    std::string reason_;
    bool goes_on_ = true;
    std::stop_source source_;
    util::FileDescriptor event_;
};

/// Makes signals request a stop while this object lives: SIGINT, SIGTERM, and SIGHUP unless it was ignored,
/// as by nohup(1). A second signal ends the process at once. The object has to be made before any other
/// thread, because threads inherit the mask of signals.
class Interruption {
public:
    /// `stop` has to outlive this object. Throws std::system_error if there are no more descriptors.
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

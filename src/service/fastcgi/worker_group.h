// The worker processes, and the times at which dead ones are replaced.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "base/util/file_descriptor.h"
#include "service/metrics/board.h"

namespace data_import::fastcgi {

using Clock = std::chrono::steady_clock;

/// Delays the replacement of workers that die early, which is within ten seconds after their start. A worker
/// is replaced at once after any other death, and after the first early death. After further early deaths the
/// replacement waits for 0.1 s, 0.2 s, 0.4 s, ... up to 5 s. Counting begins again after 60 s without an
/// early death. Several deaths during one wait count as one, because they probably have the same cause.
class Backoff {
public:
    void died(Clock::time_point born, Clock::time_point now) {
        const bool was_young = now - born < young;
        if (!was_young || now - last_early_death_ > calm) early_deaths_ = 0;
        if (!was_young) return;
        last_early_death_ = now;
        if (now < next_start_) return;
        if (early_deaths_ > 0) {
            delay_ = early_deaths_ == 1 ? first_delay : std::min(2 * delay_, longest_delay);
            next_start_ = now + delay_;
        }
        ++early_deaths_;
    }

    [[nodiscard]] Clock::time_point next_start() const { return next_start_; }

    /// Forgets failures, because a changed configuration gets a new chance.
    void reset() { *this = Backoff(); }

private:
    static constexpr std::chrono::seconds young{10};
    static constexpr std::chrono::seconds calm{60};
    static constexpr std::chrono::milliseconds first_delay{100};
    static constexpr std::chrono::milliseconds longest_delay{5000};

    int early_deaths_ = 0;
    std::chrono::milliseconds delay_{};
    Clock::time_point last_early_death_{};
    Clock::time_point next_start_{};
};

struct WorkerProcess {
    pid_t id = 0;
    std::size_t pool = 0;
    unsigned generation = 0;  ///< number of the configuration that it was started with
    Clock::time_point born;
    util::FileDescriptor ready;                  ///< open until the worker takes requests or is dead
    metrics::Recorder recorder;                  ///< counts for this worker
    std::optional<Clock::time_point> kill_at{};  ///< time at which it is killed; set when it is told to stop

    [[nodiscard]] bool is_starting() const { return static_cast<bool>(ready); }
    [[nodiscard]] bool is_stopping() const { return kill_at.has_value(); }
};

/// The count of workers in a pool. Workers that were told to stop are not counted.
struct Headcount {
    std::size_t current = 0;   ///< workers with the current configuration
    std::size_t old = 0;       ///< workers with an older configuration
    std::size_t starting = 0;  ///< workers in `current` that take no requests yet
};

class WorkerGroup {
public:
    void add(WorkerProcess worker) { workers_.push_back(std::move(worker)); }

    [[nodiscard]] Headcount count(std::size_t pool, unsigned generation) const;
    [[nodiscard]] bool empty() const { return workers_.empty(); }
    [[nodiscard]] std::vector<WorkerProcess>& workers() { return workers_; }
    [[nodiscard]] const std::vector<WorkerProcess>& workers() const { return workers_; }

    /// Returns the worker of the pool that should stop next: the eldest with an older configuration or, if
    /// there is none, the eldest with the current one. Returns null if all were told to stop.
    [[nodiscard]] WorkerProcess* next_to_stop(std::size_t pool, unsigned generation);

    /// Sends SIGTERM. If the worker is still there at `kill_at`, kill_overdue() sends SIGKILL.
    static void stop(WorkerProcess& worker, Clock::time_point kill_at);

    /// Sends SIGKILL to workers whose `kill_at` has come.
    void kill_overdue(Clock::time_point now);

    /// Returns the earliest `kill_at`; nothing if no worker was told to stop.
    [[nodiscard]] std::optional<Clock::time_point> next_kill() const;

    /// Removes a dead worker from the list and returns it; nothing if the process is none of the workers.
    [[nodiscard]] std::optional<WorkerProcess> remove(pid_t id);

private:
    std::vector<WorkerProcess> workers_;
};

}  // namespace data_import::fastcgi

#include "service/fastcgi/worker_group.h"

#include <algorithm>
#include <csignal>

#include "base/util/log.h"

namespace data_import::fastcgi {

Headcount WorkerGroup::count(std::size_t pool, unsigned generation) const {
    Headcount headcount;
    for (const WorkerProcess& worker : workers_) {
        if (worker.pool != pool || worker.is_stopping()) continue;
        ++(worker.generation == generation ? headcount.current : headcount.old);
        if (worker.generation == generation && worker.is_starting()) ++headcount.starting;
    }
    return headcount;
}

WorkerProcess* WorkerGroup::next_to_stop(std::size_t pool, unsigned generation) {
    const auto precedes = [generation](const WorkerProcess& left, const WorkerProcess& right) {
        const bool left_is_current = left.generation == generation;
        const bool right_is_current = right.generation == generation;
        return left_is_current != right_is_current ? right_is_current : left.born < right.born;
    };
    WorkerProcess* first = nullptr;
    for (WorkerProcess& worker : workers_) {
        if (worker.pool != pool || worker.is_stopping()) continue;
        if (first == nullptr || precedes(worker, *first)) first = &worker;
    }
    return first;
}

void WorkerGroup::stop(WorkerProcess& worker, Clock::time_point kill_at) {
    ::kill(worker.id, SIGTERM);
    worker.kill_at = std::min(kill_at, worker.kill_at.value_or(kill_at));
}

void WorkerGroup::kill_overdue(Clock::time_point now) {
    for (WorkerProcess& worker : workers_) {
        if (!worker.kill_at || *worker.kill_at > now) continue;
        util::log(util::Severity::error, "a worker did not stop in time and is killed", {{"pid", worker.id}});
        ::kill(worker.id, SIGKILL);
        worker.kill_at = Clock::time_point::max();
    }
}

std::optional<Clock::time_point> WorkerGroup::next_kill() const {
    std::optional<Clock::time_point> next;
    for (const WorkerProcess& worker : workers_) {
        if (worker.kill_at) next = std::min(*worker.kill_at, next.value_or(*worker.kill_at));
    }
    return next;
}

std::optional<WorkerProcess> WorkerGroup::remove(pid_t id) {
    const auto found = std::ranges::find(workers_, id, &WorkerProcess::id);
    if (found == workers_.end()) return std::nullopt;
    WorkerProcess worker = std::move(*found);
    workers_.erase(found);
    return worker;
}

}  // namespace data_import::fastcgi

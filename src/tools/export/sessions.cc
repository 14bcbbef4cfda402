#include "tools/export/sessions.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "data/proof/account_totals.h"
#include "data/store/records.h"

namespace data_import::exports {

namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr auto look_interval = 100ms;
constexpr auto time_to_end = 3s;

/// The threads of one export.
class Threads {
public:
    Threads(std::span<const Task> tasks, std::span<database::Database* const> sessions,
            const std::string& snapshot, Progress& progress)
        : tasks_(tasks), snapshot_(snapshot), progress_(progress), running_(sessions.size()) {
        for (database::Database* const session : sessions)
            threads_.emplace_back([this, session] { run(*session); });
    }

    /// Waits up to `time` for the threads. Returns whether all of them have ended.
    bool wait(steady_clock::duration time) {
        std::unique_lock lock(mutex_);
        return ended_.wait_for(lock, time, [&] { return running_ == 0; });
    }

    /// Throws the first exception of a thread, if there was one.
    void rethrow() {
        const std::lock_guard lock(mutex_);
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    void run(database::Database& session) {
        try {
            snapshot_.empty() ? work(session) : work_with_snapshot(session);
        } catch (const Stopped&) {
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!failure_) failure_ = std::current_exception();
            progress_.is_stopped = true;
        }
        const std::lock_guard lock(mutex_);
        --running_;
        ended_.notify_all();
    }

    void work_with_snapshot(database::Database& session) {
        const database::Deadline deadline = steady_clock::now() + proof::longest_snapshot;
        session.transaction(
            [&] {
                store::begin_reading_records(session, deadline, snapshot_);
                session.execute_script("SET LOCAL statement_timeout = 0; SET LOCAL work_mem = '32MB'",
                                       deadline);
                work(session);
            },
            deadline);
    }

    void work(database::Database& session) {
        for (std::size_t task = next_++; task < tasks_.size(); task = next_++) {
            progress_.check();
            tasks_[task](session);
            ++progress_.tasks_done;
        }
    }

    const std::span<const Task> tasks_;
    const std::string& snapshot_;
    Progress& progress_;
    std::atomic<std::size_t> next_ = 0;
    std::mutex mutex_;
    std::condition_variable ended_;
    std::size_t running_;
    std::exception_ptr failure_;
    std::vector<std::jthread> threads_;
};

}  // namespace

void Progress::check() const {
    if (is_stopped) throw Stopped();
}

void carry_out(std::span<const Task> tasks, std::span<database::Database* const> sessions,
               const std::string& snapshot, Progress& progress, const Watch& watch,
               const std::function<void(const std::exception&)>& abandon) {
    Threads threads(tasks, sessions, snapshot, progress);
    try {
        while (!threads.wait(look_interval)) {
            watch(progress);
            threads.rethrow();
        }
    } catch (const std::exception& failure) {
        progress.is_stopped = true;
        if (!threads.wait(time_to_end)) abandon(failure);
        throw;
    }
    threads.rethrow();
}

}  // namespace data_import::exports

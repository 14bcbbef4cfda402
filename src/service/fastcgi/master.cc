#include "service/fastcgi/master.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include "base/util/failure.h"
#include "base/util/log.h"
#include "service/fastcgi/kept_connections.h"
#include "service/fastcgi/listener.h"
#include "service/fastcgi/notify.h"
#include "service/fastcgi/worker_group.h"

namespace data_import::fastcgi {

namespace {

using util::Severity;

/// Blocks the signals that are meant for the master, and returns the descriptor from which it reads them.
/// Workers begin with the same signals blocked.
util::FileDescriptor open_signals() {
    sigset_t awaited;
    ::sigemptyset(&awaited);
    for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGCHLD}) ::sigaddset(&awaited, number);
    if (::sigprocmask(SIG_BLOCK, &awaited, nullptr) != 0) util::fail("cannot block signals");
    util::FileDescriptor signals(::signalfd(-1, &awaited, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!signals) util::fail("cannot receive signals");
    return signals;
}

void apply_log_level(const config::Settings& settings) {
    util::set_log_level(util::parse_severity(settings.log_level).value_or(Severity::info));
}

void log_death(const WorkerProcess& worker, sharing::PoolKind pool, int status, bool is_expected) {
    using std::chrono::duration_cast;
    const auto lived = duration_cast<std::chrono::milliseconds>(Clock::now() - worker.born).count();
    const bool is_signal = WIFSIGNALED(status);
    util::log(is_expected ? Severity::debug : Severity::warning,
              is_expected ? "a worker has ended" : "a worker has died",
              {{"pool", name_of(pool)},
               {"pid", worker.id},
               {is_signal ? "signal" : "status", is_signal ? WTERMSIG(status) : WEXITSTATUS(status)},
               {"lived_ms", lived}});
}

class Master {
public:
    explicit Master(MasterOptions options)
        : options_(std::move(options)),
          pools_(pools(options_.settings)),
          backoffs_(pools_.size()),
          signals_(open_signals()),
          listeners_(pools_, options_.settings),
          watchdog_at_(Clock::now()) {
        publish_pools();
    }

    void run() {
        util::log(Severity::info, "data-importd has started", {{"pid", id_}});
        while (!is_stopping_ || !group_.empty()) {
            if (!is_stopping_) adjust_pools();
            group_.kill_overdue(Clock::now());
            feed_watchdog();
            wait();
            take_readiness();
            take_signals();
            reap();
        }
        util::log(Severity::info, "data-importd has stopped", {{"pid", id_}});
    }

private:
    void adjust_pools() {
        bool is_settled = true;
        for (std::size_t pool = 0; pool < pools_.size(); ++pool) {
            while (adjust_pool(pool)) {
            }
            const Headcount have = group_.count(pool, generation_);
            is_settled =
                is_settled && have.old == 0 && have.starting == 0 && have.current == pools_[pool].workers;
        }
        if (is_settled && !is_announced_) announce();
    }

    /// Starts one worker or tells one worker to stop, if the pool needs it. Returns false if nothing is to be
    /// done now. After a reload, workers of the old configuration are replaced one by one. First a new worker
    /// starts, in addition to the full number. When the new worker takes requests, an old one is told to
    /// stop.
    bool adjust_pool(std::size_t pool) {
        const std::size_t wanted = pools_[pool].workers;
        const Headcount have = group_.count(pool, generation_);
        const std::size_t serving = have.current - have.starting + have.old;
        if (serving > wanted) {
            retire_one(pool);
            return true;
        }
        const bool one_at_a_time = have.old > 0 && have.starting > 0;
        if (have.current >= wanted || one_at_a_time || backoffs_[pool].next_start() > Clock::now())
            return false;
        start_worker(pool);
        return true;
    }

    void retire_one(std::size_t pool) {
        const std::chrono::seconds limit = pools_[pool].request_limit + options_.settings.stop_timeout;
        WorkerProcess* worker = group_.next_to_stop(pool, generation_);
        if (worker != nullptr) WorkerGroup::stop(*worker, Clock::now() + limit);
    }

    void start_worker(std::size_t pool) {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return report_failed_start(pool);
        util::FileDescriptor ready(ends[0]);
        util::FileDescriptor report(ends[1]);
        const metrics::Recorder recorder = options_.board.start_worker(pools_[pool].kind);
        const pid_t process = ::fork();
        if (process < 0) {
            report_failed_start(pool);
            return options_.board.end_worker(recorder, metrics::WorkerEnd::died);
        }
        if (process == 0) become_worker(pool, std::move(report));
        group_.add({process, pool, generation_, Clock::now(), std::move(ready), recorder});
        util::log(Severity::debug, "a worker starts",
                  {{"pool", name_of(pools_[pool].kind)}, {"pid", process}});
    }

    /// Turns the forked process into a worker. First closes what only the master may hold: a worker that
    /// outlives the master must not keep the lock on the socket directory.
    [[noreturn]] void become_worker(std::size_t pool, util::FileDescriptor report) {
        signals_.close();
        listeners_.keep_only(pool);
        for (WorkerProcess& sibling : group_.workers()) sibling.ready.close();
        if (!pools_[pool].keeps_connections) queue_.close();
        run_worker({options_.settings, pools_[pool], options_.make_handler, options_.board.recorder(),
                    listeners_.get(pool), pools_[pool].keeps_connections ? &queue_ : nullptr, id_,
                    std::move(report)});
    }

    void report_failed_start(std::size_t pool) {
        const char* reason = std::strerror(errno);
        const Clock::time_point now = Clock::now();
        util::log(Severity::error, "cannot start a worker",
                  {{"pool", name_of(pools_[pool].kind)}, {"reason", reason}});
        backoffs_[pool].died(now, now);
        if (backoffs_[pool].next_start() <= now) backoffs_[pool].died(now, now);
    }

    void announce() {
        is_announced_ = true;
        std::string status = "taking requests with";
        for (const Pool& pool : pools_)
            status += " " + std::to_string(pool.workers) + " " + name_of(pool.kind) + ",";
        status.back() = ' ';
        status += "workers";
        notify::ready(status);
        util::log(Severity::info, status);
    }

    void feed_watchdog() {
        if (!watchdog_interval_ || Clock::now() < watchdog_at_) return;
        notify::watchdog();
        watchdog_at_ = Clock::now() + *watchdog_interval_;
    }

    /// Returns the time at which the master has to act without an event: kill a worker, feed the watchdog, or
    /// start a worker after its delay.
    [[nodiscard]] Clock::time_point next_duty() const {
        Clock::time_point next = group_.next_kill().value_or(Clock::time_point::max());
        if (watchdog_interval_) next = std::min(next, watchdog_at_);
        for (std::size_t pool = 0; pool < pools_.size() && !is_stopping_; ++pool) {
            if (backoffs_[pool].next_start() > Clock::now())
                next = std::min(next, backoffs_[pool].next_start());
        }
        return next;
    }

    [[nodiscard]] int milliseconds_to_wait() const {
        using std::chrono::milliseconds;
        constexpr milliseconds longest{60000};
        const Clock::time_point next = next_duty();
        const Clock::time_point now = Clock::now();
        if (next <= now) return 0;
        if (next - now >= longest) return static_cast<int>(longest.count());
        return static_cast<int>(std::chrono::ceil<milliseconds>(next - now).count());
    }

    void wait() {
        std::vector<pollfd> awaited{{signals_.get(), POLLIN, 0}};
        for (const WorkerProcess& worker : group_.workers()) {
            if (worker.is_starting()) awaited.push_back({worker.ready.get(), POLLIN, 0});
        }
        if (::poll(awaited.data(), awaited.size(), milliseconds_to_wait()) < 0 && errno != EINTR) {
            util::fail("cannot wait for events");
        }
    }

    /// Reads from workers that are starting. A byte says that the worker takes requests. An end without a
    /// byte says that the worker is dead; SIGCHLD reports that as well.
    void take_readiness() {
        for (WorkerProcess& worker : group_.workers()) {
            char byte = 0;
            if (worker.is_starting() && ::read(worker.ready.get(), &byte, 1) == 1) worker.ready.close();
        }
    }

    void take_signals() {
        signalfd_siginfo signal{};
        while (::read(signals_.get(), &signal, sizeof(signal)) == sizeof(signal)) {
            if (signal.ssi_signo == SIGTERM || signal.ssi_signo == SIGINT) stop();
            if (signal.ssi_signo == SIGHUP) reload();
        }
    }

    void stop() {
        if (is_stopping_) return;
        is_stopping_ = true;
        util::log(Severity::info, "stopping: running requests are finished",
                  {{"workers", group_.workers().size()}});
        notify::stopping(options_.settings.stop_timeout);
        listeners_.retire();
        queue_.shut();
        const Clock::time_point kill_at = Clock::now() + options_.settings.stop_timeout;
        for (WorkerProcess& worker : group_.workers()) WorkerGroup::stop(worker, kill_at);
    }

    void reload() {
        if (is_stopping_) return;
        notify::reloading();
        is_announced_ = false;
        try {
            adopt(options_.reload());
            options_.board.count_reload(true);
        } catch (const std::exception& problem) {
            options_.board.count_reload(false);
            util::log(Severity::error, "the configuration is refused, the old one stays in force",
                      {{"reason", problem.what()}});
        }
    }

    void publish_pools() {
        for (const Pool& pool : pools_) {
            options_.board.set_workers_configured(pool.kind, pool.workers);
            options_.board.set_capacity(pool.kind, pool.capacity, pool.never_refused);
        }
    }

    void adopt(config::Settings settings) {
        for (const std::string& setting : config::keep_until_restart(settings, options_.settings))
            util::log(Severity::warning, "a changed setting waits for a restart", {{"setting", setting}});
        pools_ = pools(settings);
        publish_pools();
        options_.settings = std::move(settings);
        apply_log_level(options_.settings);
        ++generation_;
        for (Backoff& backoff : backoffs_) backoff.reset();
        util::log(Severity::info, "the configuration was read again, workers are being replaced");
    }

    void reap() {
        int status = 0;
        for (pid_t process = 0; (process = ::waitpid(-1, &status, WNOHANG)) > 0;) {
            const std::optional<WorkerProcess> worker = group_.remove(process);
            if (!worker) continue;
            const bool is_planned = WIFEXITED(status) && WEXITSTATUS(status) == worker_used_up;
            const bool is_expected = is_planned || (worker->is_stopping() && WIFEXITED(status));
            log_death(*worker, pools_[worker->pool].kind, status, is_expected);
            using enum metrics::WorkerEnd;
            options_.board.end_worker(worker->recorder, is_planned ? used_up : is_expected ? stopped : died);
            if (!is_expected && !is_stopping_) backoffs_[worker->pool].died(worker->born, Clock::now());
        }
    }

    MasterOptions options_;
    std::vector<Pool> pools_;
    std::vector<Backoff> backoffs_;
    util::FileDescriptor signals_;
    Listeners listeners_;
    ConnectionQueue queue_;  ///< kept connections of the only pool that keeps them
    WorkerGroup group_;
    pid_t id_ = ::getpid();
    unsigned generation_ = 0;
    bool is_announced_ = false;
    bool is_stopping_ = false;
    const std::optional<std::chrono::microseconds> watchdog_interval_ = notify::watchdog_interval();
    Clock::time_point watchdog_at_;
};

}  // namespace

int run_master(MasterOptions options) {
    apply_log_level(options.settings);
    try {
        Master(std::move(options)).run();
        return 0;
    } catch (const std::exception& problem) {
        util::log(Severity::error, "data-importd ends", {{"reason", problem.what()}});
        return 1;
    }
}

}  // namespace data_import::fastcgi

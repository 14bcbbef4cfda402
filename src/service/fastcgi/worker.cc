#include "service/fastcgi/worker.h"

#include <malloc.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <deque>
#include <optional>
#include <random>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "base/util/failure.h"
#include "base/util/log.h"
#include "service/fastcgi/batch.h"
#include "service/fastcgi/connections.h"

namespace data_import::fastcgi {

namespace {

constexpr std::chrono::milliseconds tick_interval{1000};
/// The time after which a busy worker no longer counts as busy, because it probably waits for something.
/// Another worker then begins to take requests. `look_again_after` is the pause after which a worker that
/// leaves new requests to the others looks again.
constexpr std::chrono::milliseconds join_after{50};
constexpr std::chrono::milliseconds look_again_after{10};
/// The pause after which a worker looks again whether one of its waiting requests is ready
/// (Admitted::is_ready).
constexpr std::chrono::milliseconds ask_again_after{1};
/// The most requests that a worker takes while it fills one batch. Requests that are refused at once or
/// dropped do not fill the batch. Without this limit, an endless stream of such requests would keep the
/// requests in the batch waiting for ever.
constexpr std::size_t most_in_a_round = 64;

void set_action(int number, void (*action)(int)) {
    struct sigaction wanted {};
    wanted.sa_handler = action;
    ::sigaction(number, &wanted, nullptr);
}

/// Blocks SIGTERM and no other signal, and gives SIGALRM and SIGCHLD their default action. Ignores SIGINT and
/// SIGHUP, which a terminal sends to the whole process group: they are for the master.
void set_signals() {
    set_action(SIGINT, SIG_IGN);
    set_action(SIGHUP, SIG_IGN);
    set_action(SIGALRM, SIG_DFL);
    set_action(SIGCHLD, SIG_DFL);
    sigset_t blocked;
    ::sigemptyset(&blocked);
    ::sigaddset(&blocked, SIGTERM);
    ::sigprocmask(SIG_SETMASK, &blocked, nullptr);
}

/// Makes the kernel send this process SIGTERM when the master dies. Ends it at once if the master has died
/// already, between the fork and this call.
void bind_to_master(int master) {
    if (::prctl(PR_SET_PDEATHSIG, SIGTERM) != 0) util::fail("cannot ask for the master's death signal");
    if (::getppid() != master) ::_exit(worker_stopped);
}

/// Returns how many requests this worker answers before it is replaced; nothing if there is no limit. The
/// number differs at random from the setting, by up to a tenth, so that workers do not all end at once.
std::optional<std::size_t> requests_until_replaced(std::size_t max_requests) {
    if (max_requests == 0) return std::nullopt;
    const std::size_t tenth = max_requests / 10;
    std::random_device seed;
    std::mt19937_64 random(seed());
    return std::uniform_int_distribution<std::size_t>(max_requests - tenth, max_requests + tenth)(random);
}

/// Ends this process by SIGALRM if a stage of its work takes longer than `limit`. Reading one request is a
/// stage; answering a batch is another. The alarm is set at most once a second, so it may come a second late.
/// No alarm is set between stages, because a process that waits for requests may be suspended for long, which
/// is no fault.
class StageAlarm {
public:
    explicit StageAlarm(std::chrono::seconds limit) : limit_(limit + accuracy) {}

    void begin_stage() {
        const auto now = std::chrono::steady_clock::now();
        if (now < next_) return;
        next_ = now + accuracy;
        ::alarm(static_cast<unsigned>(limit_.count()));
    }

    void end_stages() {
        if (next_ == std::chrono::steady_clock::time_point()) return;
        next_ = {};
        ::alarm(0);
    }

private:
    static constexpr std::chrono::seconds accuracy{1};

    std::chrono::seconds limit_;
    std::chrono::steady_clock::time_point next_{};
};

class Worker : private http::WorkerEvents {
public:
    Worker(const WorkerTask& task, std::unique_ptr<http::Handler> handler)
        : pool_(task.pool),
          recorder_(task.recorder),
          limits_{task.settings.max_body_bytes, task.pool.read_timeout, task.pool.write_timeout,
                  task.pool.request_limit, task.pool.reads_person},
          handler_(std::move(handler)),
          requests_left_(requests_until_replaced(task.settings.max_requests)),
          batch_(task.pool.batch),
          alarm_(task.pool.request_limit),
          connections_(task.listener, task.queue, limits_) {}

    WorkerExit run() {
        const WorkerExit how = serve();
        alarm_.begin_stage();
        handler_->finish();
        return how;
    }

private:
    // Looks for connections even after a wait without an event, because a connection wakes only one worker,
    // and that worker may have died.
    WorkerExit serve() {
        for (Event event = Event::none; event != Event::stop; event = next_event()) {
            take_or_leave();
            if (requests_left_ && *requests_left_ == 0 && waiting_.empty()) return leave(worker_used_up);
            tick_when_due();
        }
        return leave(worker_stopped);
    }

    /// Returns the next event. If there is none and this worker has just worked, returns Event::connection
    /// without a wait. Otherwise waits for an event.
    ///
    /// A worker that has just worked looks for connections once more before it sleeps, because a new
    /// connection wakes only one worker, and that worker may have left the connection to this one.
    Event next_event() {
        const Event event = connections_.wait(std::chrono::milliseconds::zero());
        if (event != Event::none) return event;
        if (has_worked_) return Event::connection;
        alarm_.end_stages();
        return connections_.wait(waiting_.empty() ? tick_interval : ask_again_after);
    }

    /// Answers the last requests of this worker and returns `how`. First takes one more batch, because a new
    /// connection may have woken only this worker. Then answers all requests that this worker has taken.
    /// Leaves other requests to the other workers, or in the socket for the next start of the service. If no
    /// other worker will take requests, answers the remaining ones, too.
    WorkerExit leave(WorkerExit how) {
        while (take_waiting() && connections_.is_retired()) {
        }
        answer_waiting();
        if (connections_.leave_to_others()) return how;
        connections_.close_down();
        while (take_waiting()) {
        }
        answer_waiting();
        return how;
    }

    void take_or_leave() {
        if (!siblings_suffice() || !connections_.leave_to_others()) {
            has_worked_ = take_waiting();
            return;
        }
        has_worked_ = go_on_with_waiting();
        if (!has_worked_) std::this_thread::sleep_for(waiting_.empty() ? look_again_after : ask_again_after);
    }

    /// Answers all waiting requests, each when it is ready. Returns when no request waits any more.
    void answer_waiting() {
        while (!waiting_.empty()) {
            connections_.leave_to_others();
            if (!go_on_with_waiting()) std::this_thread::sleep_for(ask_again_after);
        }
    }

    /// Answers a batch of waiting requests that are ready. Returns false if none is ready.
    bool go_on_with_waiting() {
        const std::size_t ready = add_ready();
        if (ready > 0) answer_batch();
        return ready > 0;
    }

    /// Moves waiting requests that are ready into the batch, in the order in which they began to wait.
    /// Returns how many.
    std::size_t add_ready() {
        std::size_t ready = 0;
        for (auto taken = waiting_.begin(); taken != waiting_.end() && !batch_.is_full();) {
            if (taken->admitted->is_ready() && batch_.add(*taken)) {
                ++ready;
                taken = waiting_.erase(taken);
            } else {
                ++taken;
            }
        }
        return ready;
    }

    /// Takes new requests and waiting requests that are ready, up to the limits of one batch, and answers
    /// them. Returns false if there were none. New requests come first in every other call, because waiting
    /// requests for locked accounts could otherwise fill every batch.
    bool take_waiting() {
        batch_.set_most_bytes(recorder_.shares().is_shared() ? pool_.shared_batch_bytes : pool_.batch_bytes);
        new_come_first_ = !new_come_first_;
        std::size_t taken = new_come_first_ ? 0 : add_ready();
        connections_.look();
        for (; !batch_.is_full() && taken < most_in_a_round; ++taken) {
            std::optional<ReadyConnection> ready = connections_.next();
            if (!ready) break;
            take(*std::move(ready));
        }
        if (new_come_first_) taken += add_ready();
        answer_batch();
        if (taken == 0) connections_.wait_for_resources();
        return taken > 0;
    }

    /// Reads and admits one request, and takes it into the batch, unless it is answered at once. The request
    /// waits if it is not ready yet (Admitted::is_ready), or if it does not fit into the batch.
    void take(ReadyConnection ready) {
        if (ready.is_gone) return recorder_.count_abandoned();
        alarm_.begin_stage();
        TakenRequest taken{read_exchange(std::move(ready.connection), limits_), nullptr};
        if (!taken.exchange) return;
        if (const auto waited = taken.exchange->request().waited) recorder_.count_queue_wait(*waited);
        taken.admitted = admit(*taken.exchange);
        if (!taken.admitted) {
            if (auto connection = taken.exchange->take_connection())
                connections_.keep(*std::move(connection));
            return count(1);
        }
        if (!taken.admitted->is_ready() || !batch_.add(taken)) waiting_.push_back(std::move(taken));
    }

    std::unique_ptr<http::Admitted> admit(Exchange& exchange) {
        const bool may_take_long = handler_->admission_waits();
        if (may_take_long) connections_.leave_to_others();
        auto admitted = handler_->admit({exchange.request(), exchange.responder()});
        if (may_take_long) connections_.look();
        return admitted;
    }

    /// Returns whether so many other workers are busy that this worker leaves new requests to them. Workers
    /// that have been busy for longer than `join_after` do not count. The limit exists because more busy
    /// workers than processors only disturb each other, and because fewer workers take larger batches.
    [[nodiscard]] bool siblings_suffice() const {
        return recorder_.busy_siblings(join_after) >= pool_.at_once;
    }

    void answer_batch() {
        alarm_.begin_stage();
        if (!batch_.requests().empty()) {
            connections_.leave_to_others();
            handler_->answer(batch_.requests(), *this);
        }
        keep_answered();
        count(batch_.finish(waiting_));
        recorder_.set_waiting(waiting_.size());
    }

    void before_long_stage() override {
        keep_answered();
        connections_.leave_to_others();
    }

    void keep_answered() {
        for (util::FileDescriptor& connection : batch_.take_connections())
            connections_.keep(std::move(connection));
    }

    void count(std::size_t answered) {
        if (requests_left_) *requests_left_ -= std::min(answered, *requests_left_);
    }

    void tick_when_due() {
        const auto now = std::chrono::steady_clock::now();
        if (now < next_tick_) return;
        next_tick_ = now + tick_interval;
        alarm_.begin_stage();
        connections_.leave_to_others();
        handler_->tick();
    }

    const Pool& pool_;
    metrics::Recorder recorder_;
    ExchangeLimits limits_;
    std::unique_ptr<http::Handler> handler_;
    std::optional<std::size_t> requests_left_;
    Batch batch_;
    /// The requests that this worker has taken and that wait: for their organisation's share of the pool, for
    /// a locked account, or for room in a batch.
    std::deque<TakenRequest> waiting_;
    StageAlarm alarm_;
    std::chrono::steady_clock::time_point next_tick_ = std::chrono::steady_clock::now() + tick_interval;
    Connections connections_;
    bool has_worked_ = false;      ///< the last look found something to do
    bool new_come_first_ = false;  ///< in this round, new requests come before waiting ones
};

void report_ready(util::FileDescriptor& ready) {
    if (::write(ready.get(), "r", 1) != 1) util::fail("cannot tell the master");
    ready.close();
}

/// Makes a worker return the memory of a large request to the system when the request ends. Fixed thresholds
/// are necessary because glibc by default raises them when it frees the first large block, and then keeps
/// such memory. The pool of bulk requests has higher thresholds: there, a request of usual length reuses the
/// memory of the request before, which costs less than new pages.
void return_memory_of_large_requests(sharing::PoolKind pool) {
    constexpr int mib = 1024 * 1024;
    const bool is_bulk = pool == sharing::PoolKind::bulk;
    ::mallopt(M_MMAP_THRESHOLD, is_bulk ? 4 * mib : mib / 4);
    ::mallopt(M_TRIM_THRESHOLD, is_bulk ? 8 * mib : mib);
}

WorkerExit work(WorkerTask& task) {
    return_memory_of_large_requests(task.pool.kind);
    set_signals();
    bind_to_master(task.master);
    prepare_exchanges();
    Worker worker(task, task.make_handler(task.settings, task.pool));
    report_ready(task.ready);
    return worker.run();
}

}  // namespace

void run_worker(WorkerTask task) noexcept {
    WorkerExit result = worker_failed;
    try {
        result = work(task);
    } catch (const std::exception& problem) {
        util::log(util::Severity::error, "a worker failed",
                  {{"pool", name_of(task.pool.kind)}, {"reason", problem.what()}});
    }
    ::_exit(result);
}

}  // namespace data_import::fastcgi

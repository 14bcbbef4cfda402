#include "fastcgi/worker.h"

#include <malloc.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <random>
#include <stdexcept>
#include <thread>

#include "fastcgi/exchange.h"
#include "util/log.h"

namespace data_import::fastcgi {

namespace {

[[noreturn]] void fail(const char* what) {
    throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

void set_action(int number, void (*action)(int)) {
    struct sigaction wanted {};
    wanted.sa_handler = action;
    ::sigaction(number, &wanted, nullptr);
}

/// SIGTERM stays blocked, all else is as in a fresh process. SIGINT and SIGHUP go to the master, which a
/// terminal sends to the whole group.
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

/// The master may have died between the fork and the request for its death signal.
void bind_to_master(int master) {
    if (::prctl(PR_SET_PDEATHSIG, SIGTERM) != 0) fail("cannot ask for the master's death signal");
    if (::getppid() != master) ::_exit(worker_stopped);
}

enum class Event { connection, stop };

/// Sleeps until something is to be done. A signal is read from a descriptor instead of interrupting the wait:
/// under load there is always a connection waiting, and an interruption would never come.
class Waiter {
public:
    explicit Waiter(int listener) : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
        sigset_t awaited;
        ::sigemptyset(&awaited);
        ::sigaddset(&awaited, SIGTERM);
        signals_ = FileDescriptor(::signalfd(-1, &awaited, SFD_CLOEXEC | SFD_NONBLOCK));
        if (!epoll_ || !signals_) fail("cannot wait for requests");
        add(signals_.get(), EPOLLIN);
        add(listener, EPOLLIN | EPOLLEXCLUSIVE);  // one connection wakes one worker
    }

    [[nodiscard]] Event wait() {
        std::array<epoll_event, 2> events{};
        int count = -1;
        while (count < 0) {
            count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), -1);
            if (count < 0 && errno != EINTR) fail("cannot wait for requests");
        }
        for (int index = 0; index < count; ++index) {
            if (events[static_cast<std::size_t>(index)].data.fd == signals_.get()) return Event::stop;
        }
        return Event::connection;
    }

private:
    void add(int descriptor, std::uint32_t events) {
        epoll_event event{};
        event.events = events;
        event.data.fd = descriptor;
        if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor, &event) != 0)
            fail("cannot wait for requests");
    }

    FileDescriptor epoll_;
    FileDescriptor signals_;
};

/// After `limit` seconds in one request SIGALRM ends the process: its handler hangs, and the worker with it.
class RequestAlarm {
public:
    explicit RequestAlarm(std::chrono::seconds limit) { ::alarm(static_cast<unsigned>(limit.count())); }
    RequestAlarm(const RequestAlarm&) = delete;
    RequestAlarm& operator=(const RequestAlarm&) = delete;
    ~RequestAlarm() { ::alarm(0); }
};

/// How many requests this worker answers: within a tenth of the setting, so that workers do not all end at
/// once.
std::optional<std::size_t> length_of_life(std::size_t max_requests) {
    if (max_requests == 0) return std::nullopt;
    const std::size_t tenth = max_requests / 10;
    std::random_device seed;
    std::mt19937_64 random(seed());
    return std::uniform_int_distribution<std::size_t>(max_requests - tenth, max_requests + tenth)(random);
}

class Worker {
public:
    Worker(const WorkerTask& task, http::Handler handler)
        : pool_(task.pool),
          listener_(task.listener),
          limits_{task.settings.max_body_bytes, task.pool.read_timeout, task.pool.write_timeout},
          handler_(std::move(handler)),
          requests_left_(length_of_life(task.settings.max_requests)),
          waiter_(task.listener) {}

    WorkerExit run() {
        while (waiter_.wait() == Event::connection) {
            take_one();
            if (requests_left_ && *requests_left_ == 0) return worker_used_up;
        }
        if (is_retired()) {
            while (take_one()) {
            }
        }
        return worker_stopped;
    }

private:
    /// False when there was nothing to take.
    bool take_one() {
        FileDescriptor connection(::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC));
        if (!connection) {
            wait_for_resources(errno);
            return false;
        }
        const RequestAlarm alarm(pool_.request_limit);
        const Outcome outcome = exchange(std::move(connection), limits_, handler_);
        if (requests_left_ && *requests_left_ > 0 && outcome != Outcome::no_request) --*requests_left_;
        return true;
    }

    /// After accept4 has failed. Mostly another worker was faster or the peer is gone; where descriptors or
    /// memory are short, trying again at once would only burn the processor.
    static void wait_for_resources(int reason) {
        if (reason != EMFILE && reason != ENFILE && reason != ENOBUFS && reason != ENOMEM) return;
        util::log(util::Severity::error, "cannot accept a connection", {{"reason", std::strerror(reason)}});
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }

    /// The master has shut the socket down: the service stops and nobody else will answer what waits there.
    [[nodiscard]] bool is_retired() const {
        pollfd socket{listener_, POLLRDHUP, 0};
        return ::poll(&socket, 1, 0) == 1 && (socket.revents & POLLRDHUP) != 0;
    }

    const Pool& pool_;
    int listener_;
    ExchangeLimits limits_;
    http::Handler handler_;
    std::optional<std::size_t> requests_left_;
    Waiter waiter_;
};

void report_ready(FileDescriptor& ready) {
    if (::write(ready.get(), "r", 1) != 1) fail("cannot tell the master");
    ready.close();
}

/// A large request must not leave its memory with the worker: large blocks are mapped and unmapped one by
/// one, which glibc gives up by itself after the first of them unless it is told.
void return_memory_of_large_requests() {
    constexpr int mapped_from = 256 * 1024;
    constexpr int kept_at_most = 1024 * 1024;
    ::mallopt(M_MMAP_THRESHOLD, mapped_from);
    ::mallopt(M_TRIM_THRESHOLD, kept_at_most);
}

WorkerExit work(WorkerTask& task) {
    return_memory_of_large_requests();
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
                  {{"pool", task.pool.name}, {"reason", problem.what()}});
    }
    ::_exit(result);
}

}  // namespace data_import::fastcgi

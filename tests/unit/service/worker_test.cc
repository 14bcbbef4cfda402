// Tests workers, mainly how they stop while connections come in. Each worker is a process that has no master.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/config/settings.h"
#include "base/util/file_descriptor.h"
#include "service/fastcgi/connections.h"
#include "service/fastcgi/exchange.h"
#include "service/fastcgi/listener.h"
#include "service/fastcgi/pool.h"
#include "service/fastcgi/worker.h"
#include "service/http/request.h"
#include "service/metrics/board.h"

#include "../../support/fastcgi_records.h"

namespace {

using namespace data_import;

/// Bodies that `Agreement` treats specially: it never answers `endless`, never admits `unknown`, and ends the
/// worker at `deadly`. `late` waits long for its turn, `locked` waits long for a lock, and the answer to
/// `slow` takes long.
const std::string endless = "endless";
const std::string unknown = "unknown";
const std::string deadly = "deadly";
const std::string late = "late";
const std::string locked = "locked";
const std::string slow = "slow";

/// The time that a request with the body `late`, `locked` or `slow` takes.
constexpr std::chrono::milliseconds long_time{500};

/// Answers each request with the status 201 and the body `answer N`, where N is 1 for the worker's first
/// answer. Bodies that are among the constants above are treated as their comment says.
class Agreement : public http::Handler {
public:
    std::unique_ptr<http::Admitted> admit(const http::Task& task) override {
        while (task.request.body == unknown) ::pause();
        return std::make_unique<Taken>(task);
    }
    [[nodiscard]] bool admission_waits() const override { return admissions_wait; }
    void answer(std::span<const std::unique_ptr<http::Admitted>> requests,
                http::WorkerEvents& events) override {
        bool is_endless = false;
        for (const auto& request : requests) {
            const http::Task& task = static_cast<const Taken&>(*request).task;
            if (task.request.body == deadly) ::_exit(1);
        }
        for (const auto& request : requests) {
            auto& taken = static_cast<Taken&>(*request);
            const http::Task& task = taken.task;
            taken.answered = task.request.body != locked || taken.is_free();
            if (task.request.body == slow) std::this_thread::sleep_for(long_time);
            if (task.request.body == endless)
                is_endless = true;
            else if (taken.answered)
                task.responder.send({.status = 201, .body = "answer " + std::to_string(++answers_)});
        }
        if (!is_endless) return;
        events.before_long_stage();
        while (true) ::pause();
    }
    void tick() override {}
    void finish() override {}

    /// The result of admission_waits(): true if the next admission may take long. A worker process keeps the
    /// value that this member has when the process is made.
    static inline bool admissions_wait = false;

private:
    int answers_ = 0;

    struct Taken : http::Admitted {
        explicit Taken(const http::Task& of) : task(of) {}
        [[nodiscard]] bool is_free() const { return std::chrono::steady_clock::now() >= free_at; }
        [[nodiscard]] bool is_ready() override { return task.request.body != late || is_free(); }
        [[nodiscard]] bool is_answered() const override { return answered; }

        http::Task task;
        std::chrono::steady_clock::time_point free_at = std::chrono::steady_clock::now() + long_time;
        bool answered = false;
    };
};

class TemporaryDirectory {
public:
    TemporaryDirectory() : path_((std::filesystem::temp_directory_path() / "worker-XXXXXX").string()) {
        CPPUNIT_ASSERT(mkdtemp(path_.data()) != nullptr);
    }
    ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
    [[nodiscard]] std::filesystem::path operator/(const char* name) const {
        return std::filesystem::path(path_) / name;
    }

private:
    std::string path_;
};

/// The limit on the bytes of all bodies in a batch.
constexpr std::size_t most_bytes = 10;

/// A worker process. It takes requests as soon as the object is made.
class WorkerProcess {
public:
    explicit WorkerProcess(const fastcgi::Listener& listener,
                           const fastcgi::ConnectionQueue* queue = nullptr) {
        settings_.max_body_bytes = most_bytes;
        int ends[2];
        CPPUNIT_ASSERT_EQUAL(0, ::pipe2(ends, O_CLOEXEC));
        const util::FileDescriptor ready(ends[0]);
        util::FileDescriptor report(ends[1]);
        const pid_t parent = ::getpid();
        const metrics::Recorder recorder = board_.start_worker(pool_.kind);
        process_ = ::fork();
        CPPUNIT_ASSERT(process_ >= 0);
        if (process_ == 0) {
            sigset_t stops;
            ::sigemptyset(&stops);
            ::sigaddset(&stops, SIGTERM);
            ::sigprocmask(SIG_BLOCK, &stops, nullptr);
            fastcgi::run_worker({settings_, pool_, make_handler_, recorder, listener.get(), queue, parent,
                                 std::move(report)});
        }
        report.close();
        char byte = 0;
        CPPUNIT_ASSERT_EQUAL(ssize_t{1}, ::read(ready.get(), &byte, 1));
    }
    ~WorkerProcess() {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
    WorkerProcess(const WorkerProcess&) = delete;
    WorkerProcess& operator=(const WorkerProcess&) = delete;

    void stop() const { ::kill(process_, SIGTERM); }

    void stop_and_wait() const {
        stop();
        siginfo_t end;
        ::waitid(P_PID, static_cast<id_t>(process_), &end, WEXITED | WNOWAIT);
    }

    /// Suspends the worker process during `meanwhile`, so that the worker sees the results of `meanwhile` all
    /// at once.
    ///
    /// Because the suspension interrupts a read, after which the worker closes the connection, a connection
    /// on which no request is sent yet must be opened inside `meanwhile`.
    template <typename Action>
    void freeze_during(const Action& meanwhile) const {
        ::kill(process_, SIGSTOP);
        ::waitpid(process_, nullptr, WUNTRACED);
        meanwhile();
        ::kill(process_, SIGCONT);
    }

    /// Suspends the worker, calls `meanwhile`, and tells the worker to stop before the worker runs on.
    /// Returns when the worker has ended.
    template <typename Action>
    void stop_behind(const Action& meanwhile) const {
        freeze_during([&] {
            meanwhile();
            stop();
        });
        stop_and_wait();
    }

private:
    metrics::Board board_;
    config::Settings settings_;
    fastcgi::Pool pool_{.kind = sharing::PoolKind::vendor,
                        .socket = {},
                        .workers = 2,
                        .read_timeout = std::chrono::seconds{10},
                        .write_timeout = std::chrono::seconds{10},
                        .request_limit = std::chrono::seconds{60},
                        .batch = 16,
                        .batch_bytes = most_bytes,
                        .shared_batch_bytes = most_bytes,
                        .at_once = 2};
    fastcgi::HandlerFactory make_handler_ = [](const config::Settings&, const fastcgi::Pool&) {
        return std::make_unique<Agreement>();
    };
    pid_t process_ = -1;
};

std::string request_with(const std::string& body, bool is_kept, bool is_sent_again = false) {
    return tests::head_of_request(std::to_string(body.size()), is_kept,
                                  tests::parameter("DATA_IMPORT_SENT_AGAIN", is_sent_again ? "1" : "")) +
           tests::record(tests::standard_input, body) + tests::record(tests::standard_input, "");
}

class Client {
public:
    explicit Client(const std::filesystem::path& path)
        : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.string().copy(address.sun_path, sizeof address.sun_path - 1);
        CPPUNIT_ASSERT_EQUAL(
            0, ::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address));
    }

    /// Sends `bytes` and then nothing more.
    Client(const std::filesystem::path& path, const std::string& bytes) : Client(path) {
        send(bytes);
        ::shutdown(socket_.get(), SHUT_WR);
    }

    void send(const std::string& bytes) const {
        CPPUNIT_ASSERT_EQUAL(static_cast<ssize_t>(bytes.size()),
                             ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL));
    }

    /// Sends a request that keeps the connection, and returns its whole answer; an empty text if the
    /// connection ends before.
    [[nodiscard]] std::string ask(const std::string& body) const {
        send(request_with(body, true));
        return kept_answer();
    }

    [[nodiscard]] std::string kept_answer() const {
        const std::string end = tests::record(tests::end_request, std::string(8, '\0'));
        std::string received;
        char chunk[4096];
        while (received.find(end) == std::string::npos && is_taken()) {
            const ssize_t count = ::recv(socket_.get(), chunk, sizeof chunk, 0);
            if (count <= 0) return {};
            received.append(chunk, static_cast<std::size_t>(count));
        }
        return received;
    }

    /// Returns whether a worker takes the connection within `milliseconds`. The worker then sends an answer
    /// or closes the connection, and each of the two makes the socket readable.
    [[nodiscard]] bool is_taken(int milliseconds = 10'000) const {
        pollfd state{socket_.get(), POLLIN, 0};
        return ::poll(&state, 1, milliseconds) == 1;
    }

    /// Returns everything that arrives until the connection ends.
    [[nodiscard]] std::string answer() const {
        std::string received;
        char chunk[4096];
        while (is_taken()) {
            const ssize_t count = ::recv(socket_.get(), chunk, sizeof chunk, 0);
            if (count <= 0) break;
            received.append(chunk, static_cast<std::size_t>(count));
        }
        return received;
    }

private:
    util::FileDescriptor socket_;
};

}  // namespace

class WorkerTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(WorkerTest);
    CPPUNIT_TEST(a_connection_that_wakes_a_stopping_worker_is_taken);
    CPPUNIT_TEST(a_worker_that_stops_answers_the_requests_it_has_taken);
    CPPUNIT_TEST(a_kept_connection_is_answered_again);
    CPPUNIT_TEST(a_connection_that_nobody_wants_kept_is_closed);
    CPPUNIT_TEST(a_worker_that_stops_leaves_its_connections_to_others);
    CPPUNIT_TEST(a_busy_worker_leaves_its_connections_to_others);
    CPPUNIT_TEST(a_busy_worker_leaves_answered_connections_to_others);
    CPPUNIT_TEST(new_connections_do_not_wait_for_all_kept_ones);
    CPPUNIT_TEST(kept_connections_do_not_wait_for_a_look_at_one_sender);
    CPPUNIT_TEST(a_request_sent_again_harms_no_other);
    CPPUNIT_TEST(a_waiting_request_delays_no_other);
    CPPUNIT_TEST(a_lack_of_descriptors_delays_no_taken_request);
    CPPUNIT_TEST(a_worker_that_stops_answers_waiting_requests);
    CPPUNIT_TEST(a_service_that_stops_ends_under_load);
    CPPUNIT_TEST(a_service_that_stops_answers_requests_on_kept_connections);
    CPPUNIT_TEST(a_service_that_stops_answers_what_comes_behind_an_answer);
    CPPUNIT_TEST_SUITE_END();

    /// A new connection wakes only one worker. In this test, the woken worker usually gets the signal to stop
    /// before it has accepted the connection.
    void a_connection_that_wakes_a_stopping_worker_is_taken() {
        for (int attempt = 0; attempt < 20; ++attempt) {
            const WorkerProcess first(listener_);
            const WorkerProcess second(listener_);
            const Client client(path_, "");  // sends no request, so the worker closes it
            first.stop();
            CPPUNIT_ASSERT_MESSAGE("nobody takes the connection, attempt " + std::to_string(attempt),
                                   client.is_taken());
        }
    }

    /// Eight clients send bodies so long that no two of the bodies fit into a batch. The worker knows the
    /// size of a body only after it has taken the request, so it takes a request that does not fit. The
    /// worker must answer this request, too, before it ends.
    void a_worker_that_stops_answers_the_requests_it_has_taken() {
        const WorkerProcess worker(listener_);
        std::vector<std::unique_ptr<Client>> clients;
        worker.stop_behind([&] {
            const std::string body(most_bytes - 1, ' ');
            for (int client = 0; client < 8; ++client) {
                clients.push_back(std::make_unique<Client>(path_, request_with(body, false)));
            }
        });
        CPPUNIT_ASSERT(clients.front()->is_taken(0));
        for (const auto& client : clients) {
            if (!client->is_taken(0)) continue;
            const std::string answer = client->answer();
            check_created(answer);
        }
    }

    void a_kept_connection_is_answered_again() {
        const WorkerProcess worker(listener_, &queue_);
        const Client client(path_);
        for (int request = 0; request < 3; ++request) check_created(client.ask("{}"));
    }

    void a_connection_that_nobody_wants_kept_is_closed() {
        const WorkerProcess worker(listener_, &queue_);
        check_created(Client(path_, request_with("{}", false)).answer());
        const WorkerProcess pool_without_kept_connections(other_listener_);
        check_created(Client(other_path_, request_with("{}", true)).answer());
    }

    void a_worker_that_stops_leaves_its_connections_to_others() {
        const WorkerProcess first(listener_, &queue_);
        const Client client(path_);
        check_created(client.ask("{}"));
        const WorkerProcess second(listener_, &queue_);
        first.stop_and_wait();
        check_created(client.ask("{}"));
    }

    void a_busy_worker_leaves_its_connections_to_others() {
        const WorkerProcess first(listener_, &queue_);
        const Client client(path_);
        check_created(client.ask("{}"));
        const Client other(path_);
        check_created(other.ask("{}"));
        client.send(request_with(endless, true));
        const WorkerProcess second(listener_, &queue_);
        check_created(other.ask("{}"));
        CPPUNIT_ASSERT(!client.is_taken(0));
    }

    /// The requests of both clients are in one batch.
    void a_busy_worker_leaves_answered_connections_to_others() {
        const WorkerProcess first(listener_, &queue_);
        std::optional<Client> client;
        std::optional<Client> other;
        first.freeze_during([&] {
            client.emplace(path_).send(request_with(endless, true));
            other.emplace(path_).send(request_with("{}", true));
        });
        check_created(other->kept_answer());
        const WorkerProcess second(listener_, &queue_);
        check_created(other->ask("{}"));
        CPPUNIT_ASSERT(!client->is_taken(0));
    }

    /// No two of these bodies fit into a batch.
    void new_connections_do_not_wait_for_all_kept_ones() {
        const WorkerProcess worker(listener_, &queue_);
        const std::string body(most_bytes, ' ');
        std::vector<std::unique_ptr<Client>> clients;
        for (int client = 0; client < 10; ++client) {
            clients.push_back(std::make_unique<Client>(path_));
            check_created(clients.back()->ask(body));
        }
        std::unique_ptr<Client> fresh;
        worker.freeze_during([&] {
            for (const auto& client : clients) client->send(request_with(body, true));
            fresh = std::make_unique<Client>(path_, request_with(body, false));
        });
        const std::string answer = fresh->answer();
        const std::size_t number = answer.find("answer 1");
        CPPUNIT_ASSERT_MESSAGE(answer, number != std::string::npos);
        CPPUNIT_ASSERT_MESSAGE(answer, std::stoi(answer.substr(number + 7)) <= 13);
        for (const auto& client : clients) check_created(client->kept_answer());
    }

    void kept_connections_do_not_wait_for_a_look_at_one_sender() {
        Agreement::admissions_wait = true;
        const WorkerProcess first(listener_, &queue_);
        Agreement::admissions_wait = false;
        const Client client(path_);
        check_created(client.ask("{}"));
        const Client other(path_);
        check_created(other.ask("{}"));
        first.freeze_during([&] {
            client.send(request_with(unknown, true));
            other.send(request_with("{}", true));
        });
        const WorkerProcess second(listener_, &queue_);
        check_created(other.kept_answer());
        CPPUNIT_ASSERT(!client.is_taken(0));
    }

    /// A request that nginx sends again may be one that ends workers, so it gets a batch of its own.
    void a_request_sent_again_harms_no_other() {
        const WorkerProcess first(listener_);
        std::unique_ptr<Client> before;
        std::unique_ptr<Client> again;
        std::unique_ptr<Client> behind;
        first.freeze_during([&] {
            before = std::make_unique<Client>(path_, request_with("{}", false));
            again = std::make_unique<Client>(path_, request_with(deadly, false, true));
            behind = std::make_unique<Client>(path_, request_with("{}", false));
        });
        check_created(before->answer());
        CPPUNIT_ASSERT_EQUAL(std::string(), again->answer());
        const WorkerProcess second(listener_);
        check_created(behind->answer());
    }

    /// There is one worker. It answers `other` first, although the requests of `first` and `second` came
    /// before; these two have to wait.
    void a_waiting_request_delays_no_other() {
        const WorkerProcess worker(listener_, &queue_);
        std::optional<Client> first;
        std::optional<Client> second;
        std::optional<Client> other;
        worker.freeze_during([&] {
            first.emplace(path_).send(request_with(late, true));
            second.emplace(path_).send(request_with(locked, true));
            other.emplace(path_).send(request_with("{}", true));
        });
        CPPUNIT_ASSERT(other->kept_answer().find("answer 1") != std::string::npos);
        CPPUNIT_ASSERT(other->ask("{}").find("answer 2") != std::string::npos);
        check_created(first->kept_answer());
        check_created(second->kept_answer());
        check_created(first->ask("{}"));
    }

    /// Looking for connections must not wait for descriptors, because requests that are already taken would
    /// wait, too.
    void a_lack_of_descriptors_delays_no_taken_request() {
        const fastcgi::ExchangeLimits limits;
        fastcgi::Connections connections(listener_.get(), nullptr, limits);
        const Client client(path_);
        rlimit before{};
        CPPUNIT_ASSERT_EQUAL(0, ::getrlimit(RLIMIT_NOFILE, &before));
        const rlimit none{.rlim_cur = 0, .rlim_max = before.rlim_max};
        CPPUNIT_ASSERT_EQUAL(0, ::setrlimit(RLIMIT_NOFILE, &none));
        const auto begun = std::chrono::steady_clock::now();
        connections.look();
        const bool is_found = connections.next().has_value();
        const auto looked = std::chrono::steady_clock::now();
        connections.wait_for_resources();
        const auto waited = std::chrono::steady_clock::now();
        CPPUNIT_ASSERT_EQUAL(0, ::setrlimit(RLIMIT_NOFILE, &before));
        CPPUNIT_ASSERT(!is_found);
        CPPUNIT_ASSERT(looked - begun < std::chrono::milliseconds(80));
        CPPUNIT_ASSERT(waited - looked >= std::chrono::milliseconds(100));
        connections.look();
        CPPUNIT_ASSERT(connections.next().has_value());
    }

    void a_worker_that_stops_answers_waiting_requests() {
        const WorkerProcess worker(listener_, &queue_);
        std::optional<Client> first;
        std::optional<Client> second;
        worker.freeze_during([&] {
            first.emplace(path_).send(request_with(late, true));
            second.emplace(path_).send(request_with(locked, true));
        });
        const Client other(path_);
        check_created(other.ask("{}"));
        worker.stop_and_wait();
        check_created(first->kept_answer());
        check_created(second->kept_answer());
    }

    /// A client that has its answer sends the next request over the same connection as long as it is open.
    void a_service_that_stops_ends_under_load() {
        fastcgi::Listener listener = fastcgi::Listener::made(directory_ / "stopped.sock", "");
        fastcgi::ConnectionQueue queue;
        const WorkerProcess worker(listener, &queue);
        const Client client(directory_ / "stopped.sock");
        check_created(client.ask("{}"));
        worker.stop_behind([&] {
            listener.retire();
            queue.shut();
            client.send(request_with("{}", true));
        });
        check_created(client.answer());
    }

    /// Eight kept connections send bodies that each fill a batch, so the worker needs several batches after
    /// the service was told to stop. The listening socket stays open, but the worker accepts no connection
    /// from the socket any more.
    void a_service_that_stops_answers_requests_on_kept_connections() {
        const fastcgi::ConnectionQueue queue;
        const WorkerProcess worker(listener_, &queue);
        const std::string body(most_bytes, ' ');
        std::vector<std::unique_ptr<Client>> clients;
        for (int client = 0; client < 8; ++client) {
            clients.push_back(std::make_unique<Client>(path_));
            check_created(clients.back()->ask(body));
        }
        std::vector<std::unique_ptr<Client>> fresh;
        worker.stop_behind([&] {
            for (const auto& client : clients) client->send(request_with(body, true));
            for (int client = 0; client < 8; ++client)
                fresh.push_back(std::make_unique<Client>(path_, request_with(body, false)));
            queue.shut();
        });
        for (const auto& client : clients) check_created(client->answer());
        CPPUNIT_ASSERT(!fresh.back()->is_taken(0));
    }

    /// The service is told to stop before the worker sees the requests of two clients, which come into one
    /// batch. The first client gets its answer while the second client's request still runs. The first client
    /// then sends its next request, which must be answered as well.
    void a_service_that_stops_answers_what_comes_behind_an_answer() {
        const fastcgi::ConnectionQueue queue;
        const WorkerProcess worker(listener_, &queue);
        std::optional<Client> first;
        std::optional<Client> second;
        worker.freeze_during([&] {
            first.emplace(path_).send(request_with("{}", true));
            second.emplace(path_).send(request_with(slow, true));
            queue.shut();
            worker.stop();
        });
        check_created(first->kept_answer());
        first->send(request_with("{}", true));
        check_created(first->kept_answer());
        check_created(second->kept_answer());
    }

private:
    static void check_created(const std::string& answer) {
        CPPUNIT_ASSERT_MESSAGE(answer, answer.find("Status: 201 ") != std::string::npos);
    }

    const TemporaryDirectory directory_;
    const std::filesystem::path path_ = directory_ / "pool.sock";
    const std::filesystem::path other_path_ = directory_ / "other.sock";
    const fastcgi::Listener listener_ = fastcgi::Listener::made(path_, "");
    const fastcgi::Listener other_listener_ = fastcgi::Listener::made(other_path_, "");
    const fastcgi::ConnectionQueue queue_;
};

CPPUNIT_TEST_SUITE_REGISTRATION(WorkerTest);

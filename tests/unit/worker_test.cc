// Workers that stop while connections come in. They are processes of their own, without a master.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "config/settings.h"
#include "fastcgi/listener.h"
#include "fastcgi/pool.h"
#include "fastcgi/worker.h"
#include "http/request.h"
#include "metrics/board.h"
#include "util/file_descriptor.h"

#include "../support/fastcgi_records.h"

namespace {

using namespace data_import;

/// Says 201 to everything.
class Agreement : public http::Handler {
public:
    std::unique_ptr<http::Admitted> admit(const http::Task& task) override {
        return std::make_unique<Taken>(task.responder);
    }
    void answer(std::span<const std::unique_ptr<http::Admitted>> requests) override {
        for (const auto& request : requests)
            static_cast<const Taken&>(*request).responder.send({.status = 201, .body = "{}"});
    }
    void tick() override {}

private:
    struct Taken : http::Admitted {
        explicit Taken(http::Responder& of) : responder(of) {}
        http::Responder& responder;
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

/// Of the bodies that are taken together.
constexpr std::size_t most_bytes = 10;

/// A worker that takes requests once this is made.
class WorkerProcess {
public:
    explicit WorkerProcess(const fastcgi::Listener& listener) {
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
            fastcgi::run_worker(
                {settings_, pool_, make_handler_, recorder, listener.get(), parent, std::move(report)});
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

    /// It is told to when it can have seen nothing of what `meanwhile` does. Returns when it has ended.
    template <typename Action>
    void stop_behind(const Action& meanwhile) const {
        ::kill(process_, SIGSTOP);
        ::waitpid(process_, nullptr, WUNTRACED);
        meanwhile();
        ::kill(process_, SIGTERM);
        ::kill(process_, SIGCONT);
        siginfo_t end;
        ::waitid(P_PID, static_cast<id_t>(process_), &end, WEXITED | WNOWAIT);
    }

private:
    metrics::Board board_;
    config::Settings settings_;
    fastcgi::Pool pool_{.kind = metrics::PoolKind::vendor,
                        .socket = {},
                        .workers = 2,
                        .read_timeout = std::chrono::seconds{10},
                        .write_timeout = std::chrono::seconds{10},
                        .request_limit = std::chrono::seconds{60},
                        .batch = 16,
                        .batch_bytes = most_bytes,
                        .batch_bytes_in_company = most_bytes,
                        .at_once = 2};
    fastcgi::HandlerFactory make_handler_ = [](const config::Settings&, const fastcgi::Pool&) {
        return std::make_unique<Agreement>();
    };
    pid_t process_ = -1;
};

class Client {
public:
    /// Sends this and then nothing more.
    Client(const std::filesystem::path& path, const std::string& bytes)
        : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.string().copy(address.sun_path, sizeof address.sun_path - 1);
        CPPUNIT_ASSERT_EQUAL(
            0, ::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address));
        CPPUNIT_ASSERT_EQUAL(static_cast<ssize_t>(bytes.size()),
                             ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL));
        ::shutdown(socket_.get(), SHUT_WR);
    }

    /// Whether somebody has taken the connection: it says something or is closed.
    [[nodiscard]] bool is_taken(int milliseconds = 10'000) const {
        pollfd state{socket_.get(), POLLIN, 0};
        return ::poll(&state, 1, milliseconds) == 1;
    }

    /// All that comes, to the end of the connection.
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
    CPPUNIT_TEST(who_wakes_a_worker_that_stops_is_taken);
    CPPUNIT_TEST(who_is_taken_by_a_worker_that_stops_is_answered);
    CPPUNIT_TEST_SUITE_END();

    /// A connection wakes one worker only. Mostly the signal is there, too, before that one gets to run.
    void who_wakes_a_worker_that_stops_is_taken() {
        const TemporaryDirectory directory;
        const std::filesystem::path path = directory / "pool.sock";
        const fastcgi::Listener listener = fastcgi::Listener::made(path, "");
        for (int attempt = 0; attempt < 20; ++attempt) {
            const WorkerProcess first(listener);
            const WorkerProcess second(listener);
            const Client client(path, "");  // who takes it closes it
            first.stop();
            CPPUNIT_ASSERT_MESSAGE("nobody takes the connection, attempt " + std::to_string(attempt),
                                   client.is_taken());
        }
    }

    /// Each second one does not fit into the batch of the one before, and was taken when that is known.
    void who_is_taken_by_a_worker_that_stops_is_answered() {
        const TemporaryDirectory directory;
        const std::filesystem::path path = directory / "pool.sock";
        const fastcgi::Listener listener = fastcgi::Listener::made(path, "");
        const WorkerProcess worker(listener);
        std::vector<std::unique_ptr<Client>> clients;
        worker.stop_behind([&] {
            const std::string body(most_bytes - 1, ' ');
            for (int client = 0; client < 8; ++client) {
                clients.push_back(
                    std::make_unique<Client>(path, tests::head_of_request(std::to_string(body.size())) +
                                                       tests::record(tests::standard_input, body) +
                                                       tests::record(tests::standard_input, "")));
            }
        });
        CPPUNIT_ASSERT(clients.front()->is_taken(0));
        for (const auto& client : clients) {
            if (!client->is_taken(0)) continue;
            const std::string answer = client->answer();
            CPPUNIT_ASSERT_MESSAGE(answer, answer.find("Status: 201 ") != std::string::npos);
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(WorkerTest);

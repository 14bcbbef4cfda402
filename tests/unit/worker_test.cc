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
#include <string>

#include "config/settings.h"
#include "fastcgi/listener.h"
#include "fastcgi/pool.h"
#include "fastcgi/worker.h"
#include "http/request.h"
#include "metrics/board.h"
#include "util/file_descriptor.h"

namespace {

using namespace data_import;

/// For connections that bring no request.
class NoHandler : public http::Handler {
public:
    std::unique_ptr<http::Admitted> admit(const http::Task&) override { return nullptr; }
    void answer(std::span<const std::unique_ptr<http::Admitted>>) override {}
    void tick() override {}
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

/// A worker that takes requests once this is made.
class WorkerProcess {
public:
    explicit WorkerProcess(const fastcgi::Listener& listener) {
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

private:
    metrics::Board board_;
    config::Settings settings_;
    fastcgi::Pool pool_{.kind = metrics::PoolKind::vendor,
                        .socket = {},
                        .workers = 2,
                        .read_timeout = std::chrono::seconds{10},
                        .write_timeout = std::chrono::seconds{10},
                        .request_limit = std::chrono::seconds{60},
                        .at_once = 2};
    fastcgi::HandlerFactory make_handler_ = [](const config::Settings&, const fastcgi::Pool&) {
        return std::make_unique<NoHandler>();
    };
    pid_t process_ = -1;
};

/// A client that says nothing: whoever takes its connection closes it.
class Client {
public:
    explicit Client(const std::filesystem::path& path)
        : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.string().copy(address.sun_path, sizeof address.sun_path - 1);
        CPPUNIT_ASSERT_EQUAL(
            0, ::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address));
        ::shutdown(socket_.get(), SHUT_WR);
    }

    [[nodiscard]] bool is_taken() const {
        constexpr int milliseconds = 10'000;
        pollfd state{socket_.get(), POLLIN, 0};
        return ::poll(&state, 1, milliseconds) == 1;
    }

private:
    util::FileDescriptor socket_;
};

}  // namespace

class WorkerTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(WorkerTest);
    CPPUNIT_TEST(who_wakes_a_worker_that_stops_is_taken);
    CPPUNIT_TEST_SUITE_END();

    /// A connection wakes one worker only. Mostly the signal is there, too, before that one gets to run.
    void who_wakes_a_worker_that_stops_is_taken() {
        const TemporaryDirectory directory;
        const std::filesystem::path path = directory / "pool.sock";
        const fastcgi::Listener listener = fastcgi::Listener::made(path, "");
        for (int attempt = 0; attempt < 20; ++attempt) {
            const WorkerProcess first(listener);
            const WorkerProcess second(listener);
            const Client client(path);
            first.stop();
            CPPUNIT_ASSERT_MESSAGE("nobody takes the connection, attempt " + std::to_string(attempt),
                                   client.is_taken());
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(WorkerTest);

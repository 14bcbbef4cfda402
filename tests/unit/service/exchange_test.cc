// Answers to peers that read slowly.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "base/util/file_descriptor.h"
#include "service/fastcgi/exchange.h"

#include "../../support/fastcgi_records.h"

namespace {

using namespace data_import;
using namespace std::chrono_literals;

/// The other end of a connection. Reads `bytes` bytes at a time, with pauses.
class Reader {
public:
    Reader(std::size_t bytes, std::chrono::milliseconds pause) {
        int ends[2];
        CPPUNIT_ASSERT_EQUAL(0, ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
        socket_ = util::FileDescriptor(ends[0]);
        other_ = util::FileDescriptor(ends[1]);
        const std::string request = tests::head_of_request("0") + tests::record(tests::standard_input, "");
        CPPUNIT_ASSERT_EQUAL(static_cast<ssize_t>(request.size()),
                             ::send(socket_.get(), request.data(), request.size(), MSG_NOSIGNAL));
        thread_ = std::thread([this, bytes, pause] {
            std::string chunk(bytes, '\0');
            while (::recv(socket_.get(), chunk.data(), chunk.size(), 0) > 0)
                std::this_thread::sleep_for(pause);
        });
    }
    ~Reader() {
        ::shutdown(socket_.get(), SHUT_RDWR);
        thread_.join();
    }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    [[nodiscard]] util::FileDescriptor take_other_end() { return std::move(other_); }

private:
    util::FileDescriptor socket_;
    util::FileDescriptor other_;
    std::thread thread_;
};

}  // namespace

class ExchangeTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(ExchangeTest);
    CPPUNIT_TEST(a_slow_reader_is_given_up);
    CPPUNIT_TEST(a_reader_gets_everything);
    CPPUNIT_TEST(a_broken_off_request_is_no_request);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override { fastcgi::prepare_exchanges(); }

    /// Each write makes progress, but the whole answer would take more than half a minute.
    void a_slow_reader_is_given_up() {
        Reader reader(6400, 100ms);
        const auto exchange = fastcgi::read_exchange(reader.take_other_end(), limits);
        CPPUNIT_ASSERT(exchange);
        http::Responder& responder = exchange->responder();
        responder.begin(200, "application/json", {});
        int written = 0;
        const auto write_all = [&] {
            for (; written < parts; ++written) responder.write(part);
        };
        CPPUNIT_ASSERT_THROW(write_all(), http::ClientGone);
        CPPUNIT_ASSERT_MESSAGE(std::to_string(written), written < parts / 2);
    }

    void a_reader_gets_everything() {
        Reader reader(part.size(), 0ms);
        const auto exchange = fastcgi::read_exchange(reader.take_other_end(), limits);
        http::Responder& responder = exchange->responder();
        responder.begin(200, "application/json", {});
        for (int written = 0; written < parts; ++written) responder.write(part);
        responder.end();
    }

    void a_broken_off_request_is_no_request() {
        const std::string whole = tests::head_of_request("8") +
                                  tests::record(tests::standard_input, "{\"a\":12}") +
                                  tests::record(tests::standard_input, "");
        for (std::size_t length = 0; length <= whole.size(); ++length) {
            int ends[2];
            CPPUNIT_ASSERT_EQUAL(0, ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
            const util::FileDescriptor nginx(ends[0]);
            CPPUNIT_ASSERT_EQUAL(static_cast<ssize_t>(length),
                                 ::send(nginx.get(), whole.data(), length, MSG_NOSIGNAL));
            ::shutdown(ends[1], SHUT_RD);  // this end reads nothing more
            const auto exchange = fastcgi::read_exchange(util::FileDescriptor(ends[1]), limits);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(std::to_string(length), length == whole.size(), exchange != nullptr);
        }
    }

private:
    static constexpr int parts = 40;
    const std::string part = std::string(64UL * 1024, 'x');
    const fastcgi::ExchangeLimits limits{.max_body_bytes = 100, .read_timeout = 10s, .write_timeout = 1s};
};

CPPUNIT_TEST_SUITE_REGISTRATION(ExchangeTest);

// net: the chunks of a body, the look-up of names, and the repetition of requests. Ends of connections are
// also tested with the misbehaving vendor of tests/vendor/.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <Poco/Exception.h>
#include <Poco/Net/NetException.h>
#include <Poco/Net/ServerSocket.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "../../table.h"
#include "base/net/chunks.h"
#include "base/net/connection.h"
#include "base/net/resolver.h"
#include "base/net/retry_after.h"
#include "base/util/gzip.h"

namespace data_import {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

struct Coded {
    const char* text;
    const char* body;
    const char* rest;  ///< the bytes that must not be read
};

const Coded coded[] = {
    {"0\r\n\r\n", "", ""},
    {"3\r\nabc\r\n0\r\n\r\nHTTP/1.1", "abc", "HTTP/1.1"},
    {"3\r\nabc\r\nA\r\n0123456789\r\n00\r\n\r\n", "abc0123456789", ""},
    {"3;name=value\r\na\r\n\r\n0 ;x\r\nTrailer: 1\r\nOther: 2\r\n\r\n", "a\r\n", ""},
};

const char* const wrongly_coded[] = {
    "",
    "3\r\nabc",
    "3\r\nabc\r\n",
    "3\r\nabc\r\n0\r\n",
    "3\r\nabcd\r\n0\r\n\r\n",
    "3\nabc\n0\n\n",
    "xyz\r\n{}\r\n0\r\n\r\n",
    "-1\r\n\r\n",
    "\r\n\r\n",
    "000000000\r\n\r\n",
    "FFFFFFFF\r\nabc",
    "15\r\n123456789012345678901\r\n0\r\n\r\n",
    "14\r\n12345678901234567890\r\n1\r\n1\r\n0\r\n\r\n",
};

/// One or several interim answers (1xx), which come before the answer.
const char* const interim[] = {
    "HTTP/1.1 100 Continue\r\n\r\n",
    "HTTP/1.1 102 Processing\r\n\r\n",
    "HTTP/1.1 103 Early Hints\r\nLink: </x.css>; rel=preload\r\nRetry-After: 7\r\n\r\n",
    "HTTP/1.1 199 Somehow\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
    "HTTP/1.1 103 Early Hints\r\nConnection: close\r\n\r\n",
};

struct Waiting {
    const char* value;
    const char* date;
    std::optional<long> seconds;
};

const Waiting waits[] = {
    {"0", "", 0},
    {"120", "", 120},
    {"99999999999999999999", "", 366L * 24 * 3600},
    {"Sat, 28 Nov 2026 08:00:08 GMT", "Sat, 28 Nov 2026 08:00:00 GMT", 8},
    {"Sat, 28 Nov 2026 11:00:00 GMT", "Sat, 28 Nov 2026 08:00:00 GMT", 3 * 3600},
    {"Saturday, 28-Nov-26 08:00:08 GMT", "Sat, 28 Nov 2026 08:00:00 GMT", 8},
    {"Sat Nov 28 08:00:08 2026", "Sat, 28 Nov 2026 08:00:00 GMT", 8},
    {"Sun Nov  1 08:00:08 2026", "Sun, 01 Nov 2026 08:00:00 GMT", 8},
    {"Sat, 28 Nov 2026 07:00:00 GMT", "Sat, 28 Nov 2026 08:00:00 GMT", 0},
    {"Thu, 01 Jan 1970 00:00:00 GMT", "", 0},
    {"", "", {}},
    {"soon", "", {}},
    {"-1", "", {}},
    {"1.5", "", {}},
    {"28 Nov", "", {}},
};

/// A source of the bytes of a text.
class Bytes {
public:
    explicit Bytes(std::string text) : text_(std::move(text)) {}
    /// Gives at most two bytes at a time; 0 at the end of the text.
    std::size_t read(char* buffer, std::size_t size) {
        const std::size_t count = text_.copy(buffer, std::min<std::size_t>(size, 2), at_);
        at_ += count;
        return count;
    }
    [[nodiscard]] std::string rest() const { return text_.substr(at_); }

private:
    std::string text_;
    std::size_t at_ = 0;
};

std::string decoded(Bytes& bytes) {
    constexpr std::size_t max_bytes = 20;
    return net::read_chunks([&](char* buffer, std::size_t size) { return bytes.read(buffer, size); },
                            max_bytes);
}

/// Answers the first request of each of two connections, and closes each connection at its second request.
class PlayedServer {
public:
    explicit PlayedServer(std::string answer) : answer_(std::move(answer)) {}

    [[nodiscard]] net::Peer peer() const { return {{"127.0.0.1", socket_.address().port()}, {}, {}}; }

private:
    void serve(const std::stop_token& stop) {
        for (int connection = 0; connection < 2; ++connection) {
            while (!socket_.poll(Poco::Timespan(0, 20'000), Poco::Net::Socket::SELECT_READ)) {
                if (stop.stop_requested()) return;
            }
            Poco::Net::StreamSocket client = socket_.acceptConnection();
            if (has_request(client)) client.sendBytes(answer_.data(), static_cast<int>(answer_.size()));
            static_cast<void>(has_request(client));
        }
    }

    static bool has_request(Poco::Net::StreamSocket& client) {
        char bytes[4096];
        return client.receiveBytes(bytes, sizeof bytes) > 0;
    }

    const std::string answer_;
    Poco::Net::ServerSocket socket_{Poco::Net::SocketAddress("127.0.0.1", 0)};
    std::jthread thread_{[this](const std::stop_token& stop) { serve(stop); }};
};

/// An answer with `body`, compressed with gzip. `coding` is the value of the header Content-Encoding: `gzip`,
/// or another name of gzip, such as `X-Gzip`.
std::string packed(const std::string& body, const std::string& coding) {
    const std::string bytes = util::gzipped(body);
    return "HTTP/1.1 200 OK\r\nContent-Encoding: " + coding +
           "\r\nContent-Length: " + std::to_string(bytes.size()) + "\r\n\r\n" + bytes;
}

constexpr const char* answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

/// A connection to a PlayedServer, which sends the text `answered` as its answer.
class Asking {
public:
    explicit Asking(const std::string& answered) : server_(answered) {}

    net::Exchange get() { return connection_.send({"GET", "/"}, soon()); }
    net::Exchange post() {
        return connection_.send({.method = "POST", .target = "/", .headers = {}, .body = "{}"}, soon());
    }
    /// Sends a GET and takes the body in pieces.
    net::Exchange get_into(std::string& body, milliseconds time = seconds(20)) {
        return connection_.send({.method = "GET",
                                 .target = "/",
                                 .headers = {},
                                 .receive = [&](std::string_view piece) { body += piece; }},
                                steady_clock::now() + time);
    }

private:
    static steady_clock::time_point soon() { return steady_clock::now() + seconds(20); }

    PlayedServer server_;
    net::Watchdog watchdog_;
    net::Resolver resolver_;
    net::Connection connection_{server_.peer(), {seconds(20), 100}, watchdog_, resolver_};
};

}  // namespace

class NetTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(NetTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_coded);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_interim);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_waits);
    CPPUNIT_TEST(takes_another_protocol_for_an_answer);
    CPPUNIT_TEST(unpacks_what_nobody_asked_to_pack);
    CPPUNIT_TEST(unpacks_a_long_answer_in_pieces);
    CPPUNIT_TEST(refuses_broken_gzip);
    CPPUNIT_TEST(names_a_packing_that_it_does_not_know);
    CPPUNIT_TEST(tells_the_head_of_an_answer);
    CPPUNIT_TEST(resolves_addresses);
    CPPUNIT_TEST(ends_a_look_up_in_time);
    CPPUNIT_TEST(knows_when_there_is_no_address);
    CPPUNIT_TEST(repeats_reading_requests);
    CPPUNIT_TEST(does_not_repeat_requests_that_may_have_been_executed);
    CPPUNIT_TEST(leaves_a_connection_with_unasked_bytes);
    CPPUNIT_TEST(forgets_that_a_deadline_has_passed);
    CPPUNIT_TEST(passes_a_long_answer_on);
    CPPUNIT_TEST(keeps_bodies_of_failures);
    CPPUNIT_TEST(does_not_repeat_a_request_whose_body_was_passed_on);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_coded(TestSuiteBuilderContextType& context) {
        for (const Coded& row : coded) {
            tests::add_row(context, std::string("chunks ") + row.text, [row] {
                Bytes bytes(row.text);
                CPPUNIT_ASSERT_EQUAL(std::string(row.body), decoded(bytes));
                CPPUNIT_ASSERT_EQUAL(std::string(row.rest), bytes.rest());
            });
        }
        for (const std::string text : wrongly_coded) {
            tests::add_row(context, "no chunks " + text, [text] {
                Bytes bytes(text);
                CPPUNIT_ASSERT_THROW(static_cast<void>(decoded(bytes)), Poco::Net::MessageException);
            });
        }
    }

    static void add_interim(TestSuiteBuilderContextType& context) {
        for (const std::string heads : interim) {
            tests::add_row(context, "passes over " + heads, [heads] {
                Asking asking(heads + answer);
                const net::Exchange exchange = asking.post();
                CPPUNIT_ASSERT_EQUAL(200, exchange.status);
                CPPUNIT_ASSERT_EQUAL(std::string("{}"), exchange.body);
                CPPUNIT_ASSERT(!exchange.retry_after);
            });
        }
    }

    static void add_waits(TestSuiteBuilderContextType& context) {
        for (const Waiting& row : waits) {
            tests::add_row(context, std::string("Retry-After: ") + row.value, [row] {
                const auto wait = net::retry_after(row.value, row.date);
                CPPUNIT_ASSERT_EQUAL(row.seconds.value_or(-1), wait ? wait->count() : -1);
            });
        }
    }

    void takes_another_protocol_for_an_answer() {
        Asking asking("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n");
        CPPUNIT_ASSERT_EQUAL(101, asking.post().status);
    }

    void unpacks_what_nobody_asked_to_pack() {
        Asking asking(packed(R"({"a": 1})", "X-Gzip"));
        const net::Exchange exchange = asking.get();
        CPPUNIT_ASSERT_EQUAL(std::string(R"({"a": 1})"), exchange.body);
        CPPUNIT_ASSERT_EQUAL(std::string(), exchange.coding);
    }

    void unpacks_a_long_answer_in_pieces() {
        const std::string long_text(100'000, 'a');
        Asking asking(packed(long_text, "gzip"));
        std::string body;
        CPPUNIT_ASSERT_EQUAL(200, asking.get_into(body).status);
        CPPUNIT_ASSERT(long_text == body);
        CPPUNIT_ASSERT(net::ExchangeFailure::broken == Asking(packed(long_text, "gzip")).get().failure);
    }

    void refuses_broken_gzip() {
        Asking asking("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}");
        const net::Exchange exchange = asking.get();
        CPPUNIT_ASSERT(net::ExchangeFailure::broken == exchange.failure);
        CPPUNIT_ASSERT(exchange.reason.find("packed with gzip") != std::string::npos);
    }

    void names_a_packing_that_it_does_not_know() {
        Asking asking("HTTP/1.1 503 Away\r\nContent-Encoding: br\r\nContent-Length: 2\r\n\r\n{}");
        const net::Exchange exchange = asking.get();
        CPPUNIT_ASSERT_EQUAL(503, exchange.status);
        CPPUNIT_ASSERT_EQUAL(std::string("br"), exchange.coding);
    }

    void tells_the_head_of_an_answer() {
        Asking asking(
            "HTTP/1.1 302 Found\r\nContent-Type: text/html\r\nLocation: https://a.example/\r\n"
            "Server: portal\r\nContent-Length: 0\r\n\r\n");
        const net::Exchange exchange = asking.post();
        CPPUNIT_ASSERT_EQUAL(302, exchange.status);
        CPPUNIT_ASSERT_EQUAL(std::string("text/html"), exchange.content_type);
        CPPUNIT_ASSERT_EQUAL(std::string("https://a.example/"), exchange.location);
        CPPUNIT_ASSERT_EQUAL(std::string("portal"), exchange.server);
    }

    void resolves_addresses() {
        net::Resolver resolver;
        const auto soon = steady_clock::now() + seconds(20);
        CPPUNIT_ASSERT_EQUAL(std::string("127.0.0.1"), resolver.resolve("127.0.0.1", soon).at(0).toString());
        CPPUNIT_ASSERT_EQUAL(std::string("::1"), resolver.resolve("::1", soon).at(0).toString());
        CPPUNIT_ASSERT(!resolver.resolve("localhost", soon).empty());
    }

    void ends_a_look_up_in_time() {
        struct Hanging {
            std::promise<void> end;
            std::atomic<int> started = 0;
        };
        // shared with the look-up, which goes on if the test fails here and leaves the function
        const auto hanging = std::make_shared<Hanging>();
        net::Resolver resolver([hanging, end = hanging->end.get_future().share()](const std::string&) {
            ++hanging->started;
            end.wait();
            return std::vector{Poco::Net::IPAddress("192.0.2.1")};
        });
        for (int time = 1; time <= 2; ++time)
            CPPUNIT_ASSERT_THROW(resolve(resolver, milliseconds(50)), Poco::TimeoutException);
        hanging->end.set_value();
        CPPUNIT_ASSERT_EQUAL(std::string("192.0.2.1"), resolve(resolver, seconds(20)));
        CPPUNIT_ASSERT_EQUAL(1, hanging->started.load());
    }

    void knows_when_there_is_no_address() {
        net::Resolver empty([](const std::string&) { return std::vector<Poco::Net::IPAddress>(); });
        CPPUNIT_ASSERT_THROW(resolve(empty, seconds(20)), Poco::Net::HostNotFoundException);
        net::Resolver broken([](const std::string&) -> std::vector<Poco::Net::IPAddress> {
            throw Poco::Net::DNSException("no name server");
        });
        CPPUNIT_ASSERT_THROW(resolve(broken, seconds(20)), Poco::Net::HostNotFoundException);
    }

    void repeats_reading_requests() {
        Asking asking(answer);
        for (int time = 1; time <= 2; ++time) CPPUNIT_ASSERT_EQUAL(200, asking.get().status);
    }

    void does_not_repeat_requests_that_may_have_been_executed() {
        Asking asking(answer);
        CPPUNIT_ASSERT_EQUAL(200, asking.post().status);
        const net::Exchange lost = asking.post();
        CPPUNIT_ASSERT(lost.failure == net::ExchangeFailure::broken && lost.sent);
        CPPUNIT_ASSERT_EQUAL(200, asking.post().status);
    }

    void leaves_a_connection_with_unasked_bytes() {
        Asking asking(answer + std::string("HTTP/1.1 500 Unasked\r\n\r\n"));
        for (int time = 1; time <= 2; ++time) CPPUNIT_ASSERT_EQUAL(200, asking.post().status);
    }

    void forgets_that_a_deadline_has_passed() {
        Poco::Net::ServerSocket silent(Poco::Net::SocketAddress("127.0.0.1", 0));
        net::Watchdog watchdog;
        net::Resolver resolver;
        net::Connection connection({{"127.0.0.1", silent.address().port()}, {}, {}}, {seconds(20), 100},
                                   watchdog, resolver);
        const auto get = [&](milliseconds time) {
            return connection.send({"GET", "/"}, steady_clock::now() + time).failure;
        };
        CPPUNIT_ASSERT(get(milliseconds(50)) == net::ExchangeFailure::timed_out);
        silent.close();
        CPPUNIT_ASSERT(get(seconds(20)) == net::ExchangeFailure::broken);
    }

    void passes_a_long_answer_on() {
        const std::string long_body(50'000, 'x');
        for (const std::string& sent :
             {"Content-Length: 50000\r\n\r\n" + long_body,
              "Transfer-Encoding: chunked\r\n\r\nC350\r\n" + long_body + "\r\n0\r\n\r\n"}) {
            Asking asking("HTTP/1.1 200 OK\r\n" + sent);
            std::string body;
            const net::Exchange exchange = asking.get_into(body);
            CPPUNIT_ASSERT(exchange.failure == net::ExchangeFailure::none && exchange.begun);
            CPPUNIT_ASSERT(exchange.body.empty());
            CPPUNIT_ASSERT(body == long_body);
        }
    }

    void keeps_bodies_of_failures() {
        Asking asking("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}");
        std::string body;
        const net::Exchange exchange = asking.get_into(body);
        CPPUNIT_ASSERT_EQUAL(404, exchange.status);
        CPPUNIT_ASSERT_EQUAL(std::string("{}"), exchange.body);
        CPPUNIT_ASSERT(body.empty() && !exchange.begun);
    }

    void does_not_repeat_a_request_whose_body_was_passed_on() {
        Asking asking("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
        std::string body;
        const net::Exchange exchange = asking.get_into(body, seconds(2));
        CPPUNIT_ASSERT(exchange.failure == net::ExchangeFailure::timed_out && exchange.begun);
        CPPUNIT_ASSERT_EQUAL(std::string("abc"), body);
    }

private:
    static std::string resolve(net::Resolver& resolver, milliseconds time) {
        return resolver.resolve("pay.test", steady_clock::now() + time).at(0).toString();
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(NetTest);

}  // namespace data_import

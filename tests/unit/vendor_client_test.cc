// vendor/client: what an exchange means, when it is repeated, and where it goes. How calls end is tested with
// a vendor that misbehaves: tests/vendor/.
#include "vendor/client.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <Poco/Exception.h>
#include <Poco/Net/NetException.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "../table.h"
#include "vendor/chunks.h"

namespace data_import {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;
using vendor::Outcome;

struct Judged {
    int status;
    const char* body;
    Outcome outcome;
};

const Judged judged[] = {
    {200, R"({"status": "active"})", Outcome::active},
    {200, R"({"status": "ACTIVE"})", Outcome::inactive},
    {200, R"({"status": "cancelled"})", Outcome::inactive},
    {200, R"({"status": true})", Outcome::inactive},
    {200, R"({"status": null})", Outcome::inactive},
    {200, "{}", Outcome::inactive},
    {200, "", Outcome::failed},
    {200, "[]", Outcome::failed},
    {200, R"("active")", Outcome::failed},
    {200, R"([{"status": "active"}])", Outcome::failed},
    {200, "<html></html>", Outcome::failed},
    {200, R"({"status": "active")", Outcome::failed},
    {200, R"({"status": "active", "status": "cancelled"})", Outcome::failed},
    {201, R"({"status": "active"})", Outcome::unknown},
    {204, "", Outcome::unknown},
    {302, "", Outcome::unknown},
    {400, "", Outcome::unknown},
    {401, R"({"status": "active"})", Outcome::refused},
    {403, "", Outcome::refused},
    {404, "", Outcome::unknown},
    {407, "", Outcome::unknown},
    {410, "", Outcome::unknown},
    {422, "", Outcome::unknown},
    {429, "", Outcome::failed},
    {500, R"({"status": "active"})", Outcome::failed},
    {503, "", Outcome::failed},
    {599, "", Outcome::failed},
};

struct Target {
    const char* reference;
    const char* type;
    const char* target;  ///< empty: none
};

const Target targets[] = {
    {"PI-42", "CARD", "/v1/instructions/PI-42?type=CARD"},
    {"a/b?c#d&e=f", "x y", "/v1/instructions/a%2Fb%3Fc%23d%26e%3Df?type=x%20y"},
    {"Ä%", "A&B", "/v1/instructions/%C3%84%25?type=A%26B"},
    {"\r\nHost: x", "\n", "/v1/instructions/%0D%0AHost%3A%20x?type=%0A"},
    {"...", "CARD", "/v1/instructions/...?type=CARD"},
    {".", "CARD", ""},
    {"..", "CARD", ""},
};

struct Coded {
    const char* text;
    const char* body;
    const char* rest;  ///< what is left to be read
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

/// Gives the bytes of a text, then the end.
class Bytes {
public:
    explicit Bytes(std::string text) : text_(std::move(text)) {}
    int next() { return at_ < text_.size() ? static_cast<unsigned char>(text_[at_++]) : -1; }
    [[nodiscard]] std::string rest() const { return text_.substr(at_); }

private:
    std::string text_;
    std::size_t at_ = 0;
};

std::string decoded(Bytes& bytes) {
    constexpr std::size_t max_bytes = 20;
    return vendor::read_chunks([&] { return bytes.next(); }, max_bytes);
}

}  // namespace

class VendorClientTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(VendorClientTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_judged);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_targets);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_coded);
    CPPUNIT_TEST(tells_failures_apart);
    CPPUNIT_TEST(says_nothing_of_a_body);
    CPPUNIT_TEST(waits_longer_each_time);
    CPPUNIT_TEST(waits_as_long_as_asked);
    CPPUNIT_TEST(resolves_addresses);
    CPPUNIT_TEST(ends_a_look_up_in_time);
    CPPUNIT_TEST(knows_when_there_is_no_address);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_judged(TestSuiteBuilderContextType& context) {
        for (const Judged& row : judged) {
            tests::add_row(context, std::to_string(row.status) + ' ' + row.body, [row] {
                const vendor::Answer answer = judge(row.status, row.body);
                CPPUNIT_ASSERT(answer.outcome == row.outcome);
                CPPUNIT_ASSERT_EQUAL(row.outcome == Outcome::active, answer.details.has_value());
                CPPUNIT_ASSERT(!answer.timed_out);
            });
        }
    }

    static void add_targets(TestSuiteBuilderContextType& context) {
        for (const Target& row : targets) {
            tests::add_row(context, std::string("target of ") + row.reference, [row] {
                vendor::Vendor asked;
                asked.path = "/v1";
                const auto target = vendor::target_of(
                    asked, {.reference = row.reference, .type = row.type, .request_id = ""});
                CPPUNIT_ASSERT_EQUAL(std::string(row.target), target.value_or(""));
            });
        }
    }

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

    void tells_failures_apart() {
        CPPUNIT_ASSERT(of_failure(vendor::Failure::broken).outcome == Outcome::failed);
        CPPUNIT_ASSERT(of_failure(vendor::Failure::timed_out).outcome == Outcome::failed);
        CPPUNIT_ASSERT(of_failure(vendor::Failure::timed_out).timed_out);
        CPPUNIT_ASSERT(of_failure(vendor::Failure::untrusted).outcome == Outcome::refused);
    }

    void says_nothing_of_a_body() {
        const vendor::Answer answer = judge(200, R"({"4111111111111111": 1, "4111111111111111": 2})");
        CPPUNIT_ASSERT(answer.outcome == Outcome::failed);
        CPPUNIT_ASSERT(answer.reason.find("1111") == std::string::npos);
    }

    void waits_longer_each_time() {
        CPPUNIT_ASSERT(vendor::delay_before(1, {}, 0) == milliseconds(100));
        CPPUNIT_ASSERT(vendor::delay_before(1, {}, 1) == milliseconds(200));
        CPPUNIT_ASSERT(vendor::delay_before(2, {}, 1) == milliseconds(400));
        CPPUNIT_ASSERT(vendor::delay_before(10, {}, 1) == milliseconds(5000));
        CPPUNIT_ASSERT(vendor::delay_before(11, {}, 0) == milliseconds(2500));
    }

    void waits_as_long_as_asked() {
        CPPUNIT_ASSERT(vendor::delay_before(1, seconds(0), 1) == milliseconds(200));
        CPPUNIT_ASSERT(vendor::delay_before(1, seconds(7), 1) == seconds(7));
        CPPUNIT_ASSERT(vendor::delay_before(1, seconds(4294967295), 1) == seconds(4294967295));
    }

    void resolves_addresses() {
        vendor::Resolver resolver;
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
        // shared: the look-up outlives a test that fails
        const auto hanging = std::make_shared<Hanging>();
        vendor::Resolver resolver([hanging, end = hanging->end.get_future().share()](const std::string&) {
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
        vendor::Resolver empty([](const std::string&) { return std::vector<Poco::Net::IPAddress>(); });
        CPPUNIT_ASSERT_THROW(resolve(empty, seconds(20)), Poco::Net::HostNotFoundException);
        vendor::Resolver broken([](const std::string&) -> std::vector<Poco::Net::IPAddress> {
            throw Poco::Net::DNSException("no name server");
        });
        CPPUNIT_ASSERT_THROW(resolve(broken, seconds(20)), Poco::Net::HostNotFoundException);
    }

private:
    static std::string resolve(vendor::Resolver& resolver, milliseconds time) {
        return resolver.resolve("pay.test", steady_clock::now() + time).at(0).toString();
    }
    static vendor::Answer judge(int status, const std::string& body) {
        return vendor::judge({.reason = {}, .status = status, .body = body, .retry_after = {}});
    }
    static vendor::Answer of_failure(vendor::Failure failure) {
        return vendor::judge({.failure = failure, .reason = "x", .body = {}, .retry_after = {}});
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(VendorClientTest);

}  // namespace data_import

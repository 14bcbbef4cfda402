// vendor/client: the meaning of an exchange, its repetition, and its address. Ends of calls are tested with a
// misbehaving vendor: tests/system/service/vendor_answers_test.cc.
#include "data/payment_vendors/client.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <chrono>
#include <string>

#include "../../table.h"

namespace data_import {

namespace {

using payment_vendors::Outcome;
using std::chrono::milliseconds;
using std::chrono::seconds;

struct Judged {
    int status;
    const char* body;
    Outcome outcome;
};

const std::string deep =
    R"({"status":"active","deep":)" + std::string(100'000, '[') + std::string(100'000, ']') + '}';

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
    {200, R"({"status": "active",})", Outcome::failed},
    {200, "{\"status\":\"active\",\"holder\":\"K\xE4the\"}", Outcome::failed},
    {200, deep.c_str(), Outcome::failed},
    {201, R"({"status": "active"})", Outcome::failed},
    {202, R"({"status": "active"})", Outcome::failed},
    {204, "", Outcome::failed},
    {206, R"({"status": "active"})", Outcome::failed},
    {300, "", Outcome::failed},
    {301, "", Outcome::failed},
    {302, "", Outcome::failed},
    {304, "", Outcome::failed},
    {307, "", Outcome::failed},
    {308, "", Outcome::failed},
    {400, "", Outcome::unknown},
    {401, R"({"status": "active"})", Outcome::refused},
    {403, "", Outcome::refused},
    {404, "", Outcome::unknown},
    {405, "", Outcome::failed},
    {406, "", Outcome::failed},
    {407, "", Outcome::failed},
    {408, "", Outcome::failed},
    {409, "", Outcome::unknown},
    {410, "", Outcome::unknown},
    {414, "", Outcome::failed},
    {415, "", Outcome::failed},
    {421, "", Outcome::failed},
    {422, "", Outcome::unknown},
    {426, "", Outcome::failed},
    {431, "", Outcome::failed},
    {451, "", Outcome::unknown},
    {429, "", Outcome::failed},
    {500, R"({"status": "active"})", Outcome::failed},
    {502, "", Outcome::failed},
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

}  // namespace

class VendorClientTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(VendorClientTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_judged);
    CPPUNIT_TEST(names_the_status_and_where_a_redirect_leads);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_targets);
    CPPUNIT_TEST(tells_failures_apart);
    CPPUNIT_TEST(says_nothing_of_a_body);
    CPPUNIT_TEST(waits_longer_each_time);
    CPPUNIT_TEST(waits_as_long_as_asked);
    CPPUNIT_TEST_SUITE_END();

public:
    void names_the_status_and_where_a_redirect_leads() {
        const payment_vendors::Answer answer =
            payment_vendors::judge({.reason = {}, .status = 307, .location = "https://new.example/x"});
        CPPUNIT_ASSERT_EQUAL(
            std::string("status 307 is outside the protocol, Location: https://new.example/x"),
            answer.reason);
        CPPUNIT_ASSERT_EQUAL(
            std::string("status 302 is outside the protocol"),
            payment_vendors::judge(
                {.reason = {}, .status = 302, .location = "https://new.example/4111-1111-1111-1111"})
                .reason);
        CPPUNIT_ASSERT_EQUAL(std::string("status 204 is outside the protocol"), judge(204, "").reason);
    }

    static void add_judged(TestSuiteBuilderContextType& context) {
        for (const Judged& row : judged) {
            tests::add_row(context, std::to_string(row.status) + ' ' + row.body, [row] {
                const payment_vendors::Answer answer = judge(row.status, row.body);
                CPPUNIT_ASSERT(answer.outcome == row.outcome);
                CPPUNIT_ASSERT_EQUAL(row.outcome == Outcome::active, answer.details.has_value());
                CPPUNIT_ASSERT(!answer.timed_out);
            });
        }
    }

    static void add_targets(TestSuiteBuilderContextType& context) {
        for (const Target& row : targets) {
            tests::add_row(context, std::string("target of ") + row.reference, [row] {
                payment_vendors::Vendor asked;
                asked.path = "/v1";
                const auto target = payment_vendors::target_of(
                    asked, {.reference = row.reference, .type = row.type, .request_id = ""});
                CPPUNIT_ASSERT_EQUAL(std::string(row.target), target.value_or(""));
            });
        }
    }

    void tells_failures_apart() {
        CPPUNIT_ASSERT(of_failure(net::Failure::broken).outcome == Outcome::failed);
        CPPUNIT_ASSERT(of_failure(net::Failure::timed_out).outcome == Outcome::failed);
        CPPUNIT_ASSERT(of_failure(net::Failure::timed_out).timed_out);
        CPPUNIT_ASSERT(of_failure(net::Failure::no_tls).outcome == Outcome::refused);
        CPPUNIT_ASSERT(of_failure(net::Failure::untrusted).outcome == Outcome::refused);
    }

    void says_nothing_of_a_body() {
        const payment_vendors::Answer answer =
            judge(200, R"({"4111111111111111": 1, "4111111111111111": 2})");
        CPPUNIT_ASSERT(answer.outcome == Outcome::failed);
        CPPUNIT_ASSERT(answer.reason.find("1111") == std::string::npos);
    }

    void waits_longer_each_time() {
        CPPUNIT_ASSERT(payment_vendors::backoff.delay(1, {}, 0) == milliseconds(100));
        CPPUNIT_ASSERT(payment_vendors::backoff.delay(1, {}, 1) == milliseconds(200));
        CPPUNIT_ASSERT(payment_vendors::backoff.delay(2, {}, 1) == milliseconds(400));
        CPPUNIT_ASSERT(payment_vendors::backoff.delay(10, {}, 1) == milliseconds(5000));
        CPPUNIT_ASSERT(payment_vendors::backoff.delay(11, {}, 0) == milliseconds(2500));
    }

    void waits_as_long_as_asked() {
        CPPUNIT_ASSERT(payment_vendors::backoff.delay(1, seconds(0), 1) == milliseconds(200));
        CPPUNIT_ASSERT(payment_vendors::backoff.delay(1, seconds(7), 1) == seconds(7));
        CPPUNIT_ASSERT(payment_vendors::backoff.delay(1, seconds(4294967295), 1) == seconds(4294967295));
    }

private:
    static payment_vendors::Answer judge(int status, const std::string& body) {
        return payment_vendors::judge({.reason = {}, .status = status, .body = body});
    }
    static payment_vendors::Answer of_failure(net::Failure failure) {
        return payment_vendors::judge({.failure = failure, .reason = "x"});
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(VendorClientTest);

}  // namespace data_import

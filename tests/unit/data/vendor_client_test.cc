// Tests the client for payment vendors: the verdict on a vendor's answer, the waits before retries, and the
// target (path and query) of a request. The results of calls to a misbehaving vendor are tested by
// tests/system/service/vendor_answers_test.cc.
#include "data/payment_vendors/client.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <chrono>
#include <string>

#include "../../table.h"

namespace data_import {

namespace {

using payment_vendors::VendorVerdict;
using std::chrono::milliseconds;
using std::chrono::seconds;

struct Judged {
    int status;
    const char* body;
    VendorVerdict verdict;
};

const std::string deep =
    R"({"status":"active","deep":)" + std::string(100'000, '[') + std::string(100'000, ']') + '}';

const Judged judged[] = {
    {200, R"({"status": "active"})", VendorVerdict::active},
    {200, R"({"status": "ACTIVE"})", VendorVerdict::inactive},
    {200, R"({"status": "cancelled"})", VendorVerdict::inactive},
    {200, R"({"status": true})", VendorVerdict::inactive},
    {200, R"({"status": null})", VendorVerdict::inactive},
    {200, "{}", VendorVerdict::inactive},
    {200, "", VendorVerdict::failed},
    {200, "[]", VendorVerdict::failed},
    {200, R"("active")", VendorVerdict::failed},
    {200, R"([{"status": "active"}])", VendorVerdict::failed},
    {200, "<html></html>", VendorVerdict::failed},
    {200, R"({"status": "active")", VendorVerdict::failed},
    {200, R"({"status": "active", "status": "cancelled"})", VendorVerdict::failed},
    {200, R"({"status": "active",})", VendorVerdict::failed},
    {200, "{\"status\":\"active\",\"holder\":\"K\xE4the\"}", VendorVerdict::failed},
    {200, deep.c_str(), VendorVerdict::failed},
    {201, R"({"status": "active"})", VendorVerdict::failed},
    {202, R"({"status": "active"})", VendorVerdict::failed},
    {204, "", VendorVerdict::failed},
    {206, R"({"status": "active"})", VendorVerdict::failed},
    {300, "", VendorVerdict::failed},
    {301, "", VendorVerdict::failed},
    {302, "", VendorVerdict::failed},
    {304, "", VendorVerdict::failed},
    {307, "", VendorVerdict::failed},
    {308, "", VendorVerdict::failed},
    {400, "", VendorVerdict::unknown},
    {401, R"({"status": "active"})", VendorVerdict::refused},
    {403, "", VendorVerdict::refused},
    {404, "", VendorVerdict::unknown},
    {405, "", VendorVerdict::failed},
    {406, "", VendorVerdict::failed},
    {407, "", VendorVerdict::failed},
    {408, "", VendorVerdict::failed},
    {409, "", VendorVerdict::unknown},
    {410, "", VendorVerdict::unknown},
    {414, "", VendorVerdict::failed},
    {415, "", VendorVerdict::failed},
    {421, "", VendorVerdict::failed},
    {422, "", VendorVerdict::unknown},
    {426, "", VendorVerdict::failed},
    {431, "", VendorVerdict::failed},
    {451, "", VendorVerdict::unknown},
    {429, "", VendorVerdict::failed},
    {500, R"({"status": "active"})", VendorVerdict::failed},
    {502, "", VendorVerdict::failed},
    {503, "", VendorVerdict::failed},
    {599, "", VendorVerdict::failed},
};

struct Target {
    const char* reference;
    const char* type;
    /// The expected path and query of the request to the vendor. Empty for a reference that cannot be the
    /// segment of a path, such as `..`, because no request is made then.
    const char* target;
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
        const payment_vendors::VendorAnswer answer =
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
                const payment_vendors::VendorAnswer answer = judge(row.status, row.body);
                CPPUNIT_ASSERT(answer.verdict == row.verdict);
                CPPUNIT_ASSERT_EQUAL(row.verdict == VendorVerdict::active, answer.details.has_value());
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
        CPPUNIT_ASSERT(of_failure(net::ExchangeFailure::broken).verdict == VendorVerdict::failed);
        CPPUNIT_ASSERT(of_failure(net::ExchangeFailure::timed_out).verdict == VendorVerdict::failed);
        CPPUNIT_ASSERT(of_failure(net::ExchangeFailure::timed_out).timed_out);
        CPPUNIT_ASSERT(of_failure(net::ExchangeFailure::no_tls).verdict == VendorVerdict::refused);
        CPPUNIT_ASSERT(of_failure(net::ExchangeFailure::untrusted).verdict == VendorVerdict::refused);
    }

    void says_nothing_of_a_body() {
        const payment_vendors::VendorAnswer answer =
            judge(200, R"({"4111111111111111": 1, "4111111111111111": 2})");
        CPPUNIT_ASSERT(answer.verdict == VendorVerdict::failed);
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
    static payment_vendors::VendorAnswer judge(int status, const std::string& body) {
        return payment_vendors::judge({.reason = {}, .status = status, .body = body});
    }
    static payment_vendors::VendorAnswer of_failure(net::ExchangeFailure failure) {
        return payment_vendors::judge({.failure = failure, .reason = "x"});
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(VendorClientTest);

}  // namespace data_import

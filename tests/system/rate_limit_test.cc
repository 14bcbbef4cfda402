// The limits that nginx keeps, per token and per address: decisions, section 7.
#include <cppunit/extensions/HelperMacros.h>

#include <filesystem>

#include "../runner.h"
#include "answer_check.h"
#include "http.h"
#include "json_match.h"
#include "stack.h"

namespace data_import::tests {

namespace {

/// More than the burst of a token and what drips out of its bucket meanwhile, less than the burst of an
/// address.
constexpr int requests = 7000;
constexpr int most_in_flight = 64;
constexpr int most_token_requests = 300;

/// Addresses of their own, so that no other test meets the limits of these.
HttpConnection connect_from(const std::string& address) {
    return {Stack::shared().port(), Stack::shared().value("CA_FILE"), address};
}

HttpRequest file_request(const std::string& method) {
    return {
        method, "/docs/start.js", {{"Host", "localhost"}, {"Authorization", "Token rate-limit-test"}}, ""};
}

void check_throttled(const Answer& answer) {
    CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 429, answer.status);
    check_any_answer(answer);
    CPPUNIT_ASSERT_EQUAL(std::string("throttled"), parse_error_body(answer.body).code);
    CPPUNIT_ASSERT_EQUAL(std::string("1"), answer.header("Retry-After").value_or(""));
}

}  // namespace

class RateLimitTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(RateLimitTest);
    CPPUNIT_TEST(too_many_requests_are_429);
    CPPUNIT_TEST(a_token_has_64_requests_in_flight);
    CPPUNIT_TEST(an_address_has_300_requests_for_tokens_at_once);
    CPPUNIT_TEST_SUITE_END();

public:
    /// Files that nginx gives by itself, asked for in one go, so that the workers of a slow machine do not
    /// slow the client down below the limit.
    void too_many_requests_are_429() {
        if (!std::filesystem::exists(build_directory() / "docs/index.html"))
            skip("the files of the documentation page are not built");
        HttpConnection connection = connect_from("127.0.3.1");
        const std::string request = to_bytes(file_request("HEAD"));
        int throttled = 0;
        constexpr int batch = 100;
        for (int sent = 0; sent < requests && throttled == 0; sent += batch) {
            std::string bytes;
            for (int count = 0; count < batch; ++count) bytes += request;
            connection.send(bytes);
            for (int count = 0; count < batch; ++count)
                throttled += connection.receive(true).status == 429 ? 1 : 0;
        }
        CPPUNIT_ASSERT_MESSAGE("no request was refused", throttled > 0);
        check_refusal(connection);
    }

    /// A request is in flight from the moment on at which its headers are there: their bodies stay away.
    void a_token_has_64_requests_in_flight() {
        std::vector<HttpConnection> waiting;
        for (int number = 0; number < most_in_flight; ++number) {
            waiting.push_back(connect_from("127.0.3.2"));
            waiting.back().send(unfinished_request("in-flight-test"));
        }
        HttpConnection other = connect_from("127.0.3.2");
        // nginx reads connections in any order: those before have to be through
        wait_until_throttled("in-flight-test");
        CPPUNIT_ASSERT_EQUAL(401, other.ask(request_with("another-token")).status);
        for (HttpConnection& connection : waiting) connection.send("xx");
        for (HttpConnection& connection : waiting) CPPUNIT_ASSERT_EQUAL(401, connection.receive().status);
        CPPUNIT_ASSERT_EQUAL(401, other.ask(request_with("in-flight-test")).status);
    }

    void an_address_has_300_requests_for_tokens_at_once() {
        const HttpRequest request{"POST",
                                  "/v1/graphql/",
                                  {{"Host", "localhost"}, {"Content-Type", "application/json"}},
                                  R"({"query": "{ apiVersion }"})"};
        HttpConnection connection = connect_from("127.0.3.3");
        int answered = 0;
        Answer answer;
        while ((answer = connection.ask(request)).status == 200) ++answered;
        check_throttled(answer);
        // meanwhile five a second drip out
        CPPUNIT_ASSERT_MESSAGE(std::to_string(answered), answered >= most_token_requests && answered < 600);
        HttpConnection elsewhere = connect_from("127.0.3.4");
        CPPUNIT_ASSERT_EQUAL(200, elsewhere.ask(request).status);
    }

private:
    /// The same with a body.
    static void check_refusal(HttpConnection& connection) {
        for (int attempt = 0; attempt < 2000; ++attempt) {
            const Answer answer = connection.ask(file_request("GET"));
            if (answer.status == 429) return check_throttled(answer);
        }
        CPPUNIT_FAIL("no request with a body was refused");
    }

    static HttpRequest request_with(const std::string& token) {
        return {"POST",
                "/v1/data-import/notes/create/",
                {{"Host", "localhost"},
                 {"Authorization", "Token " + token},
                 {"Content-Type", "application/json"}},
                "{}"};
    }

    /// All but the body.
    static std::string unfinished_request(const std::string& token) {
        std::string bytes = to_bytes(request_with(token));
        bytes.resize(bytes.size() - 2);
        return bytes;
    }

    static void wait_until_throttled(const std::string& token) {
        Answer answer;
        for (int attempt = 0; attempt < 200 && answer.status != 429; ++attempt) {
            HttpConnection connection = connect_from("127.0.3.2");
            answer = connection.ask(request_with(token));
        }
        check_throttled(answer);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(RateLimitTest);

}  // namespace data_import::tests

// The limits that nginx keeps, per token and per address (contract, section 7).
#include <Poco/Exception.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <sstream>

#include "../../support/answer_check.h"
#include "../../support/http.h"
#include "../../support/json_match.h"
#include "../../support/processes.h"
#include "../../support/stack.h"
#include "../../support/world.h"

namespace data_import::tests {

namespace {

constexpr int burst_of_token = 4000;
constexpr int burst_of_address = 8000;
constexpr int most_in_flight = 64;
constexpr int most_bulk_requests = 4;
constexpr int most_long_answers = 4;
constexpr std::string_view going_on = "HTTP/1.1 100 Continue\r\n\r\n";
constexpr int most_token_requests = 300;

/// A stack whose limits give back one request a minute, so that the speed of this machine does not matter.
const Stack& slow_stack() {
    static const PrivateStack stack({}, Stack::shared().value("DATABASE_URL"), "slow");
    return *stack;
}

/// A connection from an address that no other test uses, so that no other test uses up its limits.
HttpConnection connect_from(const std::string& address, const Stack& stack = Stack::shared()) {
    return {stack.port(), stack.value("CA_FILE"), address};
}

/// A request for a file that does not exist, which nginx answers by itself.
HttpRequest file_request(const std::string& method, const std::string& token) {
    return {method, "/docs/none", {{"Host", "localhost"}, {"Authorization", "Token " + token}}, ""};
}

/// Measures the time since this object was made. Each minute, a limit of slow_stack() lets one more request
/// through. most() returns the greatest number of such additional requests in the measured time.
class Drips {
public:
    [[nodiscard]] int most() const {
        const auto taken = std::chrono::steady_clock::now() - begin_;
        return static_cast<int>(std::chrono::duration_cast<std::chrono::minutes>(taken).count()) + 1;
    }

private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// The number of requests with the token that pass before one is refused; `most` if that many pass.
int passing(HttpConnection& connection, const std::string& token, int most) {
    constexpr int batch = 100;
    const std::string request = to_bytes(file_request("HEAD", token));
    for (int sent = 0; sent < most; sent += batch) {
        std::string bytes;
        for (int count = 0; count < batch; ++count) bytes += request;
        connection.send(bytes);
        std::vector<int> statuses;
        while (statuses.size() < batch) statuses.push_back(connection.receive(true).status);
        const auto refused = std::ranges::find(statuses, 429);
        if (refused != statuses.end()) return sent + static_cast<int>(refused - statuses.begin());
    }
    return most;
}

void check_between(int least, int number, int most) {
    CPPUNIT_ASSERT_MESSAGE(
        std::to_string(number) + " is not between " + std::to_string(least) + " and " + std::to_string(most),
        least <= number && number <= most);
}

std::string contents(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
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
    CPPUNIT_TEST(rates_are_those_of_the_contract);
    CPPUNIT_TEST(a_token_has_a_burst_of_4000);
    CPPUNIT_TEST(an_address_has_a_burst_of_8000);
    CPPUNIT_TEST(a_token_has_64_requests_in_flight);
    CPPUNIT_TEST(an_organisation_has_4_bulk_requests_in_flight);
    CPPUNIT_TEST(an_organisation_has_4_long_answers_in_flight);
    CPPUNIT_TEST(clients_without_a_token_use_up_nothing_of_others);
    CPPUNIT_TEST(an_address_has_300_requests_for_tokens_at_once);
    CPPUNIT_TEST(the_longest_bodies_wait_their_turn);
    CPPUNIT_TEST(answers_to_chunked_requests_are_slow_too);
    CPPUNIT_TEST_SUITE_END();

public:
    /// Reads the rates from the template of the site, because slow_stack() has other rates.
    void rates_are_those_of_the_contract() {
        const std::string site = contents("nginx/data-import.conf.in");
        const auto rate_of = [&](const std::string& zone) {
            const std::size_t rate = site.find(" rate=", site.find(" zone=" + zone + ":")) + 6;
            return site.substr(rate, site.find(';', rate) - rate);
        };
        CPPUNIT_ASSERT_EQUAL(std::string("2000r/s"), rate_of("data_import_token"));
        CPPUNIT_ASSERT_EQUAL(std::string("300r/m"), rate_of("data_import_token_request"));
        CPPUNIT_ASSERT_EQUAL(std::string("2r/s"), rate_of("data_import_longest"));
    }

    void a_token_has_a_burst_of_4000() {
        const Drips drips;
        HttpConnection connection = connect_from("127.0.3.1", slow_stack());
        const int passed = passing(connection, "rate-limit-test", burst_of_address);
        check_between(burst_of_token + 1, passed, burst_of_token + 1 + drips.most());
        Answer answer;
        for (int attempt = 0; attempt < 2 + drips.most() && answer.status != 429; ++attempt)
            answer = connection.ask(file_request("GET", "rate-limit-test"));
        check_throttled(answer);
        CPPUNIT_ASSERT_EQUAL(404, connection.ask(file_request("GET", "another-token")).status);
    }

    /// A further token does not raise the limit.
    void an_address_has_a_burst_of_8000() {
        const Drips drips;
        int passed = 0;
        for (int token = 0; token < 5; ++token) {
            HttpConnection connection = connect_from("127.0.3.5", slow_stack());
            passed += passing(connection, "token-" + std::to_string(token), burst_of_token / 2);
        }
        check_between(burst_of_address + 1, passed, burst_of_address + 1 + drips.most());
        HttpConnection elsewhere = connect_from("127.0.3.6", slow_stack());
        CPPUNIT_ASSERT_EQUAL(404, elsewhere.ask(file_request("GET", "token-0")).status);
    }

    /// A request is in flight as soon as its headers have come, so these requests are sent without their
    /// bodies.
    void a_token_has_64_requests_in_flight() {
        std::vector<HttpConnection> waiting;
        for (int number = 0; number < most_in_flight; ++number) {
            waiting.push_back(connect_from("127.0.3.2"));
            waiting.back().send(unfinished(request_with("in-flight-test")));
        }
        HttpConnection other = connect_from("127.0.3.2");
        // nginx reads connections in any order, so the test waits until the earlier requests are in flight
        wait_until_throttled("in-flight-test");
        check_refusal_is_slow(other, "in-flight-test");
        CPPUNIT_ASSERT_EQUAL(401, other.ask(request_with("another-token")).status);
        for (HttpConnection& connection : waiting) connection.send("xx");
        for (HttpConnection& connection : waiting) CPPUNIT_ASSERT_EQUAL(401, connection.receive().status);
        CPPUNIT_ASSERT_EQUAL(401, other.ask(request_with("in-flight-test")).status);
    }

    /// All API keys and tokens of an organisation share this limit.
    void an_organisation_has_4_bulk_requests_in_flight() {
        const std::string organisation = world().take_fresh();
        const auto token = [](const std::string& name) { return token_for(Stack::shared(), name, "ACME"); };
        const std::string first = token(organisation);
        const std::string second = token(organisation);
        CPPUNIT_ASSERT(first != second);
        std::vector<HttpConnection> waiting;
        for (int number = 0; number < most_bulk_requests; ++number) {
            waiting.push_back(connect_from("127.0.3.8"));
            HttpRequest request = bulk_request(number % 2 == 0 ? "Token " + first : second);
            request.headers.emplace_back("Expect", "100-continue");
            waiting.back().send(unfinished(request));
            std::string told(going_on.size(), ' ');
            waiting.back().socket().receiveBytes(told.data(), static_cast<int>(told.size()));
            CPPUNIT_ASSERT_EQUAL(std::string(going_on), told);
        }
        HttpConnection other = connect_from("127.0.3.8");
        for (const std::string scheme : {"Token ", "bearer  ", ""})
            check_throttled(other.ask(bulk_request(scheme + second)));
        CPPUNIT_ASSERT_EQUAL(200, other.ask(bulk_request("Token " + token(organisation + "-other"))).status);
        // The requests end one after another, because two at once may be more than the organisation's share
        // of the pool.
        for (HttpConnection& connection : waiting) {
            connection.send("\n\n");
            CPPUNIT_ASSERT_EQUAL(200, connection.receive().status);
        }
        CPPUNIT_ASSERT_EQUAL(200, other.ask(bulk_request("Token " + second)).status);
    }

    /// All API keys and tokens of an organisation share this limit. The requests stay in flight because they
    /// are sent without their bodies.
    void an_organisation_has_4_long_answers_in_flight() {
        const std::string organisation = world().take_fresh();
        std::vector<HttpConnection> waiting;
        for (int number = 0; number < most_long_answers; ++number) {
            waiting.push_back(connect_from("127.0.3.9"));
            waiting.back().send(
                unfinished(listing_request(token_for(Stack::shared(), organisation, "ACME"))));
        }
        HttpConnection other = connect_from("127.0.3.9");
        const std::string token = token_for(Stack::shared(), organisation, "ACME");
        CPPUNIT_ASSERT(wait_until([&] { return other.ask(listing_request(token)).status == 429; }, 60s));
        const std::string others = token_for(Stack::shared(), organisation + "-other", "ACME");
        CPPUNIT_ASSERT_EQUAL(200, other.ask(listing_request(others)).status);
        for (HttpConnection& connection : waiting) connection.send("{}");
        for (HttpConnection& connection : waiting) CPPUNIT_ASSERT_EQUAL(200, connection.receive().status);
    }

    /// Sends requests whose bodies never end. Half of them have no token, the others have an invented token.
    void clients_without_a_token_use_up_nothing_of_others() {
        constexpr int many = 60;
        std::vector<HttpConnection> waiting;
        for (int number = 0; number < many; ++number) {
            waiting.push_back(connect_from("127.0.3.10"));
            waiting.back().send(
                "POST /v1/graphql/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n");
            waiting.push_back(connect_from("127.0.3.10"));
            waiting.back().send(unfinished(listing_request("made-up-" + std::to_string(number))));
        }
        HttpConnection honest = connect_from("127.0.3.11");
        const std::string token = token_for(Stack::shared(), world().take_fresh(), "ACME");
        HttpRequest huge = request_with(token);
        huge.body = "{\"notes\": [" + std::string(1'000'000, ' ') + "]}";
        CPPUNIT_ASSERT_EQUAL(400, honest.ask(huge).status);
        CPPUNIT_ASSERT_EQUAL(200, honest.ask(listing_request(token)).status);
    }

    void an_address_has_300_requests_for_tokens_at_once() {
        const HttpRequest request{"POST",
                                  "/v1/graphql/",
                                  {{"Host", "localhost"}, {"Content-Type", "application/json"}},
                                  R"({"query": "{ apiVersion }"})"};
        const Drips drips;
        HttpConnection connection = connect_from("127.0.3.3", slow_stack());
        int answered = 0;
        Answer answer;
        while ((answer = connection.ask(request)).status == 200) ++answered;
        check_throttled(answer);
        check_between(most_token_requests, answered, most_token_requests + drips.most());
        HttpConnection elsewhere = connect_from("127.0.3.4", slow_stack());
        CPPUNIT_ASSERT_EQUAL(200, elsewhere.ask(request).status);
    }

    /// The longest bodies are not refused, because nginx would read the body of a refused request all the
    /// same.
    void the_longest_bodies_wait_their_turn() {
        const auto announce = [](HttpConnection& connection, int bytes) {
            connection.send(
                "POST /v1/data-import/notes/create/ HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token "
                "longest\r\n"
                "Content-Type: application/json\r\nContent-Length: " +
                std::to_string(bytes) + "\r\n\r\n");
        };
        HttpConnection first = connect_from("127.0.3.7", slow_stack());
        announce(first, 4'000'000);
        CPPUNIT_ASSERT_EQUAL(401, first.receive().status);
        HttpConnection second = connect_from("127.0.3.7", slow_stack());
        announce(second, 4'000'000);
        second.set_timeout(2s);
        CPPUNIT_ASSERT_THROW(static_cast<void>(second.receive()), Poco::TimeoutException);
        HttpConnection shorter = connect_from("127.0.3.7", slow_stack());
        announce(shorter, 3'999'999);
        CPPUNIT_ASSERT_EQUAL(401, shorter.receive().status);
    }

    /// The answers to long chunked requests begin half a second apart, so N requests take about (N - 1) / 2
    /// seconds. nginx measures each delay in whole seconds since the request began. So some answers come
    /// earlier, and the test demands only a part of the time.
    void answers_to_chunked_requests_are_slow_too() {
        const auto least_time = [](const std::string& target, int requests, int status) {
            const std::string token = token_for(Stack::shared(), world().take_fresh(), "ACME");
            const auto begin = std::chrono::steady_clock::now();
            std::vector<HttpConnection> waiting;
            for (int number = 0; number < requests; ++number) {
                waiting.push_back(connect_from("127.0.3.12"));
                waiting.back().send(in_chunks(target, token, 4'000'000));
            }
            for (HttpConnection& connection : waiting) {
                const Answer answer = connection.receive();
                CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), status, answer.status);
                CPPUNIT_ASSERT(answer.complete && !answer.header("X-Accel-Limit-Rate"));
            }
            return std::chrono::steady_clock::now() - begin;
        };
        CPPUNIT_ASSERT(least_time("/v1/data-import/notes/create/", 8, 400) >= 1200ms);
        CPPUNIT_ASSERT(least_time("/v1/data-import/bulk/?results=none", most_bulk_requests, 200) >= 200ms);
    }

private:
    /// A request whose only chunk has about `size` bytes: blanks and an empty object or, for bulk requests,
    /// empty lines.
    static std::string in_chunks(const std::string& target, const std::string& token, std::size_t size) {
        const bool is_bulk = target.find("/bulk/") != std::string::npos;
        const std::string body = std::string(size, is_bulk ? '\n' : ' ') + (is_bulk ? "\n\n" : "{}");
        std::ostringstream bytes;
        bytes << "POST " << target << " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token " << token
              << "\r\nContent-Type: application/" << (is_bulk ? "x-ndjson" : "json")
              << "\r\nTransfer-Encoding: chunked\r\n\r\n"
              << std::hex << body.size() << "\r\n"
              << body << "\r\n0\r\n\r\n";
        return bytes.str();
    }

    static HttpRequest request_with(const std::string& token) {
        return {"POST",
                "/v1/data-import/notes/create/",
                {{"Host", "localhost"},
                 {"Authorization", "Token " + token},
                 {"Content-Type", "application/json"}},
                "{}"};
    }

    static HttpRequest listing_request(const std::string& token) {
        return {"GET",
                "/v1/data-import/pending-account-import-processes/ACME/",
                {{"Host", "localhost"}, {"Authorization", "Token " + token}},
                "{}"};
    }

    /// A bulk request without lines, which is accepted.
    static HttpRequest bulk_request(const std::string& authorization) {
        return {"POST",
                "/v1/data-import/bulk/",
                {{"Host", "localhost"},
                 {"Authorization", authorization},
                 {"Content-Type", "application/x-ndjson"}},
                "\n\n"};
    }

    /// All bytes of the request except its body, which has two bytes.
    static std::string unfinished(const HttpRequest& request) {
        std::string bytes = to_bytes(request);
        bytes.resize(bytes.size() - 2);
        return bytes;
    }

    /// A client that ignores Retry-After must not be able to keep the processors busy with refusals.
    static void check_refusal_is_slow(HttpConnection& connection, const std::string& token) {
        const auto begin = std::chrono::steady_clock::now();
        check_throttled(connection.ask(request_with(token)));
        CPPUNIT_ASSERT(std::chrono::steady_clock::now() - begin >= 900ms);
    }

    static void wait_until_throttled(const std::string& token) {
        Answer answer;
        static_cast<void>(wait_until(
            [&] {
                HttpConnection connection = connect_from("127.0.3.2");
                answer = connection.ask(request_with(token));
                return answer.status == 429;
            },
            60s));
        check_throttled(answer);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(RateLimitTest);

}  // namespace data_import::tests

// The limit of requests per token, which nginx keeps: decisions, section 7.
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

}  // namespace

class RateLimitTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(RateLimitTest);
    CPPUNIT_TEST(too_many_requests_are_429);
    CPPUNIT_TEST_SUITE_END();

public:
    /// Files that nginx gives by itself, asked for in one go, so that the workers of a slow machine do not
    /// slow the client down below the limit.
    void too_many_requests_are_429() {
        if (!std::filesystem::exists(build_directory() / "docs/index.html"))
            skip("the files of the documentation page are not built");
        HttpConnection connection(Stack::shared().port(), Stack::shared().value("CA_FILE"));
        const std::string request =
            to_bytes({"HEAD",
                      "/docs/start.js",
                      {{"Host", "localhost"}, {"Authorization", "Token rate-limit-test"}},
                      ""});
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

private:
    /// The same with a body.
    static void check_refusal(HttpConnection& connection) {
        for (int attempt = 0; attempt < 2000; ++attempt) {
            const Answer answer =
                connection.ask({"GET",
                                "/docs/start.js",
                                {{"Host", "localhost"}, {"Authorization", "Token rate-limit-test"}},
                                ""});
            if (answer.status != 429) continue;
            check_any_answer(answer);
            CPPUNIT_ASSERT_EQUAL(std::string("throttled"), parse_error_body(answer.body).code);
            return;
        }
        CPPUNIT_FAIL("no request with a body was refused");
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(RateLimitTest);

}  // namespace data_import::tests

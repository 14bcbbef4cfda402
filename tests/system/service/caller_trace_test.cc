// The client's own ids of a request in the log, next to the service's id: with them a client's developer and
// the operator find the same request (contract, section 3.4).
#include <cppunit/extensions/HelperMacros.h>

#include <fstream>

#include "../../support/answer_check.h"
#include "../../support/http.h"
#include "../../support/processes.h"
#include "../../support/stack.h"
#include "../../support/world.h"

namespace data_import::tests {

namespace {

constexpr const char* trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/// The line on the request in a log; empty until it is written, which happens after the answer.
std::string line_on(const std::string& id, const char* file) {
    std::ifstream log(Stack::shared().run_directory() / "log" / file);
    for (std::string line; std::getline(log, line);)
        if (line.find("request_id=" + id) != std::string::npos) return line;
    return "";
}

/// Sends a request with these headers and an unknown parameter, which is refused. Returns the line on it in
/// the log.
std::string logged(const HeaderList& headers, const char* file = "data-importd.log") {
    const Stack& stack = Stack::shared();
    HttpConnection connection(stack.port(), stack.value("CA_FILE"));
    HttpRequest request{"GET",
                        "/v1/data-import/token/?unknown=1",
                        {{"Host", "localhost"}, {"Authorization", "Token " + *world().shared("token")}},
                        ""};
    request.headers.insert(request.headers.end(), headers.begin(), headers.end());
    const Answer answer = connection.ask(request);
    CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 400, answer.status);
    const std::string id = answer.header("X-Request-Id").value_or("none");
    std::string line;
    CPPUNIT_ASSERT(wait_until([&] { return !(line = line_on(id, file)).empty(); }, std::chrono::seconds(10)));
    return line;
}

bool holds(const std::string& line, const std::string& text) {
    return line.find(text) != std::string::npos;
}

}  // namespace

class CallerTraceLogTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(CallerTraceLogTest);
    CPPUNIT_TEST(well_formed_headers_are_logged);
    CPPUNIT_TEST(others_are_not);
    CPPUNIT_TEST(nginx_logs_them_too);
    CPPUNIT_TEST(both_logs_keep_to_the_rules_of_the_header);
    CPPUNIT_TEST_SUITE_END();

public:
    void well_formed_headers_are_logged() {
        const std::string line = logged({{"X-Request-Id", "job-17/4711"}, {"traceparent", trace}});
        CPPUNIT_ASSERT_MESSAGE(line, holds(line, " client_request_id=job-17/4711"));
        CPPUNIT_ASSERT_MESSAGE(line, holds(line, std::string(" traceparent=") + trace));
    }

    void others_are_not() {
        const std::string line = logged({{"X-Request-Id", "two words"}, {"traceparent", "00-1-2-3"}});
        CPPUNIT_ASSERT_MESSAGE(line, !holds(line, "client_request_id") && !holds(line, "traceparent"));
        const std::string twice = logged({{"X-Request-Id", "one"}, {"X-Request-Id", "two"}});
        CPPUNIT_ASSERT_MESSAGE(twice, !holds(twice, "client_request_id"));
    }

    /// A request that nginx answers itself stands in no other log.
    void nginx_logs_them_too() {
        const char* const file = "nginx-access.log";
        const std::string line = logged({{"X-Request-Id", "job-17/4711"}, {"traceparent", trace}}, file);
        CPPUNIT_ASSERT_MESSAGE(
            line, holds(line, std::string(" client_request_id=job-17/4711 traceparent=") + trace));
        const std::string other = logged({{"X-Request-Id", "two words"}, {"traceparent", "00-1-2-3"}}, file);
        CPPUNIT_ASSERT_MESSAGE(other, holds(other, " client_request_id=- traceparent=-"));
    }

    /// An id of zeros and the version ff are invalid. If the version is a later one, the known parts are
    /// logged.
    void both_logs_keep_to_the_rules_of_the_header() {
        const std::string parts = std::string(trace).substr(2);
        const std::vector<std::pair<std::string, std::string>> rows = {
            {"cc" + parts, "cc" + parts},
            {"cc" + parts + "-what the future will be like", "cc" + parts},
            {"cc" + parts + "-", "cc" + parts},
            {"cc" + parts + ".", ""},
            {"00" + parts + "-more", ""},
            {"ff" + parts, ""},
            {"00-00000000000000000000000000000000-b7ad6b7169203331-01", ""},
            {"cc-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", ""},
        };
        for (const auto& [sent, expected] : rows) {
            const std::string own = logged({{"traceparent", sent}}) + '\n';
            const std::string of_nginx = logged({{"traceparent", sent}}, "nginx-access.log") + '\n';
            CPPUNIT_ASSERT_MESSAGE(
                of_nginx, holds(of_nginx, " traceparent=" + (expected.empty() ? "-" : expected) + '\n'));
            CPPUNIT_ASSERT_EQUAL_MESSAGE(own, !expected.empty(), holds(own, " traceparent="));
            if (!expected.empty()) CPPUNIT_ASSERT_MESSAGE(own, holds(own, " traceparent=" + expected + '\n'));
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(CallerTraceLogTest);

}  // namespace data_import::tests

// The requests that have a line in the service's log (setting log_requests).
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include "../../support/answer_check.h"
#include "../../support/playground.h"
#include "../../support/processes.h"

namespace data_import::tests {

namespace {

/// Sends a note that is accepted, then one that is refused, and waits for the line of the refused one.
class GoodAndRefused {
public:
    GoodAndRefused() : log_end_(playground().stack().log_size()) {
        good_ = send("taken", 201);
        const std::string refused = send(std::string(70'000, 'x'), 400);
        const auto logged = [&] { return has_line(refused); };
        CPPUNIT_ASSERT_MESSAGE("a refused request has no line", wait_until(logged, 10s));
    }

    [[nodiscard]] bool has_line_of_good() const { return has_line(good_); }

private:
    static std::string send(const std::string& body, int status) {
        const Answer answer = playground().post_note(body);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), status, answer.status);
        const std::string id = answer.header("X-Request-Id").value_or("");
        CPPUNIT_ASSERT(!id.empty());
        return id;
    }

    [[nodiscard]] bool has_line(const std::string& id) const {
        return playground().stack().log_from(log_end_).find(" request_id=" + id) != std::string::npos;
    }

    const std::uintmax_t log_end_;
    std::string good_;
};

}  // namespace

class RequestLogTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(RequestLogTest);
    CPPUNIT_TEST(good_requests_have_no_line);
    CPPUNIT_TEST(every_request_has_one_where_that_is_asked_for);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override { playground().prepare(); }

    void good_requests_have_no_line() { CPPUNIT_ASSERT(!GoodAndRefused().has_line_of_good()); }

    void every_request_has_one_where_that_is_asked_for() {
        playground().configure({"access_refresh = 1", "import_workers = 6", "log_requests = yes"},
                               Playground::import_workers);
        const GoodAndRefused sent;
        CPPUNIT_ASSERT(wait_until([&] { return sent.has_line_of_good(); }, 10s));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(RequestLogTest);

}  // namespace data_import::tests

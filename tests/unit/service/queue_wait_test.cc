// The time that a request waited, computed from nginx's time of hand-over.
#include "service/fastcgi/heads.h"

#include <cppunit/extensions/HelperMacros.h>

#include <string>
#include <vector>

#include "../../table.h"

namespace data_import::tests {

namespace {

using namespace std::chrono_literals;

struct Row {
    std::string handed_over_at;
    std::optional<std::chrono::microseconds> waited;
};

/// Times of nginx, and the waits if the time is now 1700000000.250500.
const std::vector<Row> rows = {
    {"1700000000.250", 500us},
    {"1700000000.000", 250'500us},
    {"1699999995.000", 5'250'500us},
    {"1700000000.251", 0us},
    {"1700000999.000", 0us},
    {"1699999000.000", 10min},
    {"0.000", 10min},
    {"", std::nullopt},
    {"1700000000", std::nullopt},
    {"1700000000.", std::nullopt},
    {"1700000000.25", std::nullopt},
    {"1700000000.2500", std::nullopt},
    {".250", std::nullopt},
    {"-1.250", std::nullopt},
    {"1700000000.-25", std::nullopt},
    {"1700000000.2x0", std::nullopt},
    {"17000 0000.250", std::nullopt},
    {"1700000000.250, 1700000000.250", std::nullopt},
    {"1234567890123.250", std::nullopt},
    {"99999999999999999999.250", std::nullopt},
};

}  // namespace

class QueueWaitTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(QueueWaitTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : rows) {
            add_row(context, "handed over at \"" + row.handed_over_at + "\"", [row] {
                const std::chrono::system_clock::time_point now{1'700'000'000s + 250'500us};
                CPPUNIT_ASSERT(row.waited == fastcgi::queue_wait(row.handed_over_at, now));
            });
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(QueueWaitTest);

}  // namespace data_import::tests

// The example's alerts, as Prometheus evaluates them: the hosts that each one names, and those that it does
// not.
#include <cppunit/extensions/HelperMacros.h>

#include "../runner.h"
#include "../support/command.h"

namespace data_import::tests {

class AlertsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(AlertsTest);
    CPPUNIT_TEST(tell_their_purpose);
    CPPUNIT_TEST_SUITE_END();

public:
    void tell_their_purpose() {
        if (run_command("command -v promtool").status != 0) skip("needs promtool of the package prometheus");
        for (const char* command : {"promtool check rules debian/examples/data-import-alerts.yml",
                                    "promtool test rules tests/alerts/rules.yml"}) {
            const CommandResult result = run_command(command);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(result.output + result.errors, 0, result.status);
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(AlertsTest);

}  // namespace data_import::tests

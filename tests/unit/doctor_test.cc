// ctl: what the doctor makes of two clocks.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <cstdint>
#include <string>
#include <vector>

#include "../table.h"
#include "doctor/doctor.h"

namespace data_import {

namespace {

using doctor::Health;

struct Clocks {
    std::string name;
    std::int64_t server;  ///< seconds; this machine asks at 1000 and has the answer at 1003
    Health health;
    std::string said;
};

const std::vector<Clocks> clocks = {{"the same", 1001, Health::ok, "as this machine's"},
                                    {"a little behind", 999, Health::ok, "as this machine's"},
                                    {"a little ahead", 1004, Health::ok, "as this machine's"},
                                    {"behind", 998, Health::warning, "by 2 s"},
                                    {"ahead", 1005, Health::warning, "by 2 s"},
                                    {"far behind", 970, Health::fault, "by 30 s"},
                                    {"far ahead", 4603, Health::fault, "by 3600 s"}};

}  // namespace

class DoctorUnitTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(DoctorUnitTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_clocks);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_clocks(TestSuiteBuilderContextType& context) {
        for (const Clocks& row : clocks) {
            tests::add_row(context, "a clock " + row.name, [row] {
                constexpr std::int64_t second = 1'000'000;
                const auto finding =
                    doctor::compare_clocks(row.server * second, 1000 * second, 1003 * second);
                CPPUNIT_ASSERT(finding.health == row.health);
                CPPUNIT_ASSERT(finding.text.ends_with(row.said));
                CPPUNIT_ASSERT_EQUAL(row.health == Health::ok, finding.remedy.empty());
            });
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(DoctorUnitTest);

}  // namespace data_import

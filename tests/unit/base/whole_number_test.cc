// util/whole_number.
#include "base/util/whole_number.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <cstdint>
#include <string>

namespace data_import {

class WholeNumberTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(WholeNumberTest);
    CPPUNIT_TEST(all_of_the_text_is_the_number);
    CPPUNIT_TEST(the_type_holds_the_number);
    CPPUNIT_TEST_SUITE_END();

public:
    void all_of_the_text_is_the_number() {
        CPPUNIT_ASSERT(util::whole_number<int>("0") == 0);
        CPPUNIT_ASSERT(util::whole_number<int>("007") == 7);
        CPPUNIT_ASSERT(util::whole_number<int>("-12") == -12);
        for (const std::string text : {"", "-", "+1", " 1", "1 ", "1.0", "1e2", "0x1", "a"})
            CPPUNIT_ASSERT_MESSAGE(text, !util::whole_number<int>(text));
    }

    void the_type_holds_the_number() {
        CPPUNIT_ASSERT(util::whole_number<std::uint16_t>("65535") == 65535);
        CPPUNIT_ASSERT(!util::whole_number<std::uint16_t>("65536"));
        CPPUNIT_ASSERT(!util::whole_number<unsigned>("-1"));
        CPPUNIT_ASSERT(util::whole_number<std::int64_t>("-9223372036854775808") == INT64_MIN);
        CPPUNIT_ASSERT(!util::whole_number<std::int64_t>("9223372036854775808"));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(WholeNumberTest);

}  // namespace data_import

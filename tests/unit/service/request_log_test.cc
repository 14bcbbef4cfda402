// http/request_log: the lines on requests without a valid token.
#include "service/http/request_log.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

namespace data_import::tests {

using namespace std::chrono_literals;

class LinesOnStrangersTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(LinesOnStrangersTest);
    CPPUNIT_TEST(a_few_have_lines_and_the_others_are_counted);
    CPPUNIT_TEST(lines_come_back_with_time);
    CPPUNIT_TEST_SUITE_END();

public:
    void a_few_have_lines_and_the_others_are_counted() {
        CPPUNIT_ASSERT_EQUAL(20, lines_of(1000, begin));
        CPPUNIT_ASSERT_EQUAL(std::size_t{980}, strangers_.take_counted(begin));
        CPPUNIT_ASSERT_EQUAL(std::size_t{0}, strangers_.take_counted(begin + 1h));
        CPPUNIT_ASSERT_EQUAL(0, lines_of(7, begin + 9s));
        CPPUNIT_ASSERT_EQUAL(std::size_t{0}, strangers_.take_counted(begin + 9s));
        CPPUNIT_ASSERT_EQUAL(std::size_t{7}, strangers_.take_counted(begin + 10s));
    }

    void lines_come_back_with_time() {
        CPPUNIT_ASSERT_EQUAL(20, lines_of(1000, begin));
        CPPUNIT_ASSERT_EQUAL(3, lines_of(1000, begin + 30s));
        CPPUNIT_ASSERT_EQUAL(1, lines_of(1000, begin + 40s));
        CPPUNIT_ASSERT_EQUAL(20, lines_of(1000, begin + 24h));
    }

private:
    using Time = http::LinesOnStrangers::Time;

    int lines_of(int requests, Time now) {
        int lines = 0;
        while (requests-- > 0) lines += strangers_.has_line(now) ? 1 : 0;
        return lines;
    }

    const Time begin{1h};
    http::LinesOnStrangers strangers_;
};

CPPUNIT_TEST_SUITE_REGISTRATION(LinesOnStrangersTest);

}  // namespace data_import::tests

// util/datetime (contract, section 2.4).
#include "base/util/datetime.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>
#include <vector>

#include "../../table.h"

namespace data_import {

namespace {

const std::vector<std::string> good_dates = {"2024-02-29", "2000-02-29", "1900-01-01", "2999-12-31",
                                             "2023-04-30"};

const std::vector<std::string> bad_dates = {
    "",           "2023-02-29", "1900-02-29",  "2100-02-29",  "2023-04-31",  "2023-00-10", "2023-13-10",
    "2023-01-00", "2023-01-32", "1899-12-31",  "3000-01-01",  "2023-1-1",    "23-01-01",   "2023/01/01",
    "20230101",   "2023-01-1",  " 2023-01-01", "2023-01-01 ", "2023-01-01T", "+2023-1-1",  "2023-01-0x",
    "-023-01-01", "2023-01",    "01.02.2023",  "2023-01-011", "02023-01-01", "2023-W01-1", "2023-001"};

/// A time as a supplier sends it, and the same instant as the service writes it.
struct Time {
    std::string sent;
    std::string given;
};

const std::vector<Time> good_times = {{"2024-02-29T13:45:07Z", "2024-02-29T13:45:07Z"},
                                      {"1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"},
                                      {"2024-02-29T13:45:07.5Z", "2024-02-29T13:45:07.5Z"},
                                      {"2024-02-29T13:45:07.123456Z", "2024-02-29T13:45:07.123456Z"},
                                      {"2024-02-29T13:45:07.000001Z", "2024-02-29T13:45:07.000001Z"},
                                      {"2024-02-29T13:45:07.120000Z", "2024-02-29T13:45:07.12Z"},
                                      {"2024-02-29T13:45:07.000Z", "2024-02-29T13:45:07Z"},
                                      {"2024-02-29T13:45:07.1234560Z", "2024-02-29T13:45:07.123456Z"},
                                      {"2024-02-29T13:45:07.0000000+01:00", "2024-02-29T12:45:07Z"},
                                      {"2024-02-29T13:45:07.120000000Z", "2024-02-29T13:45:07.12Z"},
                                      {"2024-03-01T00:30:00+01:00", "2024-02-29T23:30:00Z"},
                                      {"2024-02-29T23:30:00-01:30", "2024-03-01T01:00:00Z"},
                                      {"2024-02-29T13:45:07+00:00", "2024-02-29T13:45:07Z"},
                                      {"2024-02-29T13:45:07-00:00", "2024-02-29T13:45:07Z"},
                                      {"2024-02-29T14:00:00+14:00", "2024-02-29T00:00:00Z"},
                                      {"2024-02-29T10:00:00-14:00", "2024-03-01T00:00:00Z"},
                                      {"2024-02-29T23:59:59.999999Z", "2024-02-29T23:59:59.999999Z"},
                                      {"1900-01-01T00:00:00+14:00", "1899-12-31T10:00:00Z"},
                                      {"2999-12-31T23:59:59-14:00", "3000-01-01T13:59:59Z"},
                                      {"1969-12-31T23:59:59.75Z", "1969-12-31T23:59:59.75Z"},
                                      {"1950-06-15T12:00:00.000001Z", "1950-06-15T12:00:00.000001Z"}};

const std::vector<std::string> bad_times = {"",
                                            "2024-02-29",
                                            "2024-02-29T13:45:07",
                                            "2024-02-29t13:45:07Z",
                                            "2024-02-29T13:45:07z",
                                            "2024-02-29 13:45:07Z",
                                            "2024-02-29T13:45Z",
                                            "2024-02-29T13Z",
                                            "2024-02-29T24:00:00Z",
                                            "2024-02-29T23:60:00Z",
                                            "2024-02-29T23:59:60Z",
                                            "2023-02-29T13:45:07Z",
                                            "2024-02-29T13:45:07.Z",
                                            "2024-02-29T13:45:07.1234567Z",
                                            "2024-02-29T13:45:07.12345600000001Z",
                                            "2024-02-29T13:45:07.1234560",
                                            "2024-02-29T13:45:07,5Z",
                                            "2024-02-29T13:45:07+14:01",
                                            "2024-02-29T13:45:07-14:01",
                                            "2024-02-29T13:45:07+15:00",
                                            "2024-02-29T13:45:07+01:60",
                                            "2024-02-29T13:45:07+0100",
                                            "2024-02-29T13:45:07+01",
                                            "2024-02-29T13:45:07+1:00",
                                            "2024-02-29T13:45:07Z ",
                                            " 2024-02-29T13:45:07Z",
                                            "2024-02-29T13:45:07ZZ",
                                            "2024-02-29T13:45:07Z+01:00",
                                            "2024-02-29T13:45:07+01:00Z",
                                            "2024-02-29T1:45:07Z",
                                            "2024-02-29T13:45:7Z",
                                            "2024-02-29T-1:45:07Z",
                                            "2024-02-29T13:45:07.-5Z",
                                            "20240229T134507Z",
                                            "1899-12-31T23:59:59Z",
                                            "3000-01-01T00:00:00Z",
                                            "1709214307",
                                            "now",
                                            "infinity",
                                            "2024-02-29T25:00:00Z",
                                            "2024-02-29T13:45:61Z",
                                            "2024-02-29T13:45:07.12x4Z",
                                            "2024-02-29T13:45:07 Z",
                                            "2024-02-29T13:45:07Z\n",
                                            "2024-02-29T13:45:07UTC",
                                            "2024-02-29T13:45:07+24:00",
                                            "2024-02-29T13:45:07+01:0",
                                            "2024-02-29T13:45:07\xE2\x88\x92"
                                            "01:00",
                                            "+2024-02-29T13:45:07Z",
                                            "02024-02-29T13:45:07Z",
                                            "24-02-29T13:45:07Z",
                                            "0000-01-01T00:00:00Z",
                                            "2024-W01-1T00:00:00Z",
                                            "\xEF\xBC\x92"
                                            "024-02-29T13:45:07Z"};

}  // namespace

class DatetimeTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(DatetimeTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_dates);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_times);
    CPPUNIT_TEST(orders_and_takes_dates_apart);
    CPPUNIT_TEST(refuses_embedded_nul);
    CPPUNIT_TEST(now_is_after_this_was_written);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_dates(TestSuiteBuilderContextType& context) {
        for (const std::string& text : good_dates) {
            tests::add_row(context, "date " + text, [text] { CPPUNIT_ASSERT(util::parse_date(text)); });
        }
        for (const std::string& text : bad_dates) {
            tests::add_row(context, "no date " + text, [text] { CPPUNIT_ASSERT(!util::parse_date(text)); });
        }
    }

    static void add_times(TestSuiteBuilderContextType& context) {
        for (const Time& time : good_times) {
            tests::add_row(context, "time " + time.sent, [time] {
                const auto instant = util::parse_datetime(time.sent);
                CPPUNIT_ASSERT(instant);
                CPPUNIT_ASSERT_EQUAL(time.given, util::to_text(*instant));
            });
        }
        for (const std::string& text : bad_times) {
            tests::add_row(context, "no time " + text,
                           [text] { CPPUNIT_ASSERT(!util::parse_datetime(text)); });
        }
    }

    void orders_and_takes_dates_apart() {
        const auto date = util::parse_date("2024-02-29");
        CPPUNIT_ASSERT((*date == util::Date{2024, 2, 29}));
        CPPUNIT_ASSERT(*date < *util::parse_date("2024-03-01"));
        CPPUNIT_ASSERT(*util::parse_datetime("2024-01-01T00:00:00+01:00") <
                       *util::parse_datetime("2024-01-01T00:00:00Z"));
        CPPUNIT_ASSERT_EQUAL(std::int64_t{-250'000},
                             util::parse_datetime("1969-12-31T23:59:59.75Z")->microseconds);
    }

    void refuses_embedded_nul() {
        CPPUNIT_ASSERT(!util::parse_date(std::string("2024-02-29\0", 11)));
        CPPUNIT_ASSERT(!util::parse_datetime(std::string("2024-02-29T13:45:07Z\0", 21)));
    }

    void now_is_after_this_was_written() {
        CPPUNIT_ASSERT(util::now() > *util::parse_datetime("2024-01-01T00:00:00Z"));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(DatetimeTest);

}  // namespace data_import

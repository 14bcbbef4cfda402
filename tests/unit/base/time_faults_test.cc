// util/time_faults: each reason for which a date or an instant is refused (contract, section 3.1).
#include "base/util/time_faults.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <random>
#include <string>
#include <vector>

#include "../../table.h"
#include "base/util/datetime.h"

namespace data_import {

namespace {

struct Row {
    std::string text;
    std::string causes;
};

const std::vector<Row> datetimes = {
    {"2024-01-30T10:00:00Z", ""},
    {"2024-01-30T10:00:00.1234560Z", ""},
    {"2024-01-30T10:00:00.1234567Z",
     "the fraction of a second has a seventh digit other than 0; cut it to six digits"},
    {"2024-01-30T00:00Z", "the seconds are missing (13:45:00, not 13:45)"},
    {"2024-01-30T00:00+01:00", "the seconds are missing (13:45:00, not 13:45)"},
    {"2024-01-30T10:00:00", "the time zone is missing: Z for UTC, or an offset like +01:00"},
    {"2024-01-30T10:00:00.000+0000", "the offset must have a colon (+01:00, not +0100)"},
    {"2024-01-30T10:00:00-05", "the offset must have minutes (+01:00, not +01)"},
    {"1899-12-31T23:59:59Z", "the year must be from 1900 to 2999"},
    {"0001-01-01T00:00:00Z", "the year must be from 1900 to 2999"},
    {"9999-12-31T00:00:00Z", "the year must be from 1900 to 2999"},
    {"2024-13-30T10:00:00Z", "the month must be from 01 to 12"},
    {"2023-02-29T10:00:00Z", "the month has no such day"},
    {"2024-01-30t10:00:00Z", "the T between date and time must be a capital"},
    {"2024-01-30T10:00:00z", "the Z of the time zone must be a capital"},
    {"2024-01-30 10:00:00Z", "a T must stand between date and time, and no blank"},
    {"2024-01-30T24:00:00Z", "the hour must be from 00 to 23, midnight is 00:00:00 of the day that begins"},
    {"2024-01-30T10:60:00Z", "the minute must be from 00 to 59"},
    {"2024-01-30T23:59:60Z", "the second must be from 00 to 59, leap seconds are not taken"},
    {"2024-01-30T10:00:00+14:01", "the offset must be from -14:00 to +14:00"},
    {"2024-01-30T10:00:00-15:00", "the offset must be from -14:00 to +14:00"},
    {"2024-01-30T10:00:00+01:60", "the minutes of the offset must be from 00 to 59"},
    {"2024-01-30T10:00:00.Z", "digits must stand behind the point of the second"},
    {"2024-01-30T10:00:00,5Z", "the fraction of a second must have a point before it, not a comma"},
    {"2024-01-30T10:00:00+01:00[Europe/Berlin]",
     "nothing may stand behind the time zone, no name of a zone either"},
    {"2024-01-30T10:00:00 UTC", "the time zone must be Z for UTC, or an offset like +01:00"},
    {"2024-01-30T10:00:00\xE2\x88\x92"
     "01:00",
     "the sign of the offset must be a plus or the hyphen of ASCII"},
    {" 2024-01-30T10:00:00Z\n", "no blanks may stand around it"},
    {"2024-01-30", "the time of day is missing"},
    {"2024-01-30T9:00:00Z", "the time of day must be written as HH:MM:SS"},
    {"20240130T100000Z",
     "the date must be written as YYYY-MM-DD; the time of day must be written as HH:MM:SS"},
    {"1709214307", "the date must be written as YYYY-MM-DD"},
    {"", "the date must be written as YYYY-MM-DD"},
    {"1899-01-30 10:00",
     "the year must be from 1900 to 2999; a T must stand between date and time, and no blank; the seconds "
     "are "
     "missing (13:45:00, not 13:45); the time zone is missing: Z for UTC, or an offset like +01:00"},
};

const std::vector<Row> dates = {
    {"2024-02-29", ""},
    {"2023-02-29", "the month has no such day"},
    {"2024-00-10", "the month must be from 01 to 12"},
    {"3000-01-01", "the year must be from 1900 to 2999"},
    {"30.01.2024", "the date must be written as YYYY-MM-DD"},
    {"2024-1-5", "the date must be written as YYYY-MM-DD"},
    {"20240130", "the date must be written as YYYY-MM-DD"},
    {"", "the date must be written as YYYY-MM-DD"},
    {"2024-01-30T00:00:00Z", "nothing may stand behind the day, no time either"},
    {"2024-01-301", "nothing may stand behind the day"},
    {"2024-01-30 ", "no blanks may stand around it"},
};

/// A text with some of its characters changed, left out or doubled.
std::string spoilt(std::string text, std::mt19937& random) {
    constexpr std::string_view characters = "0123456789TZtz:+-., \xE2";
    for (auto changes = 1 + random() % 3; changes > 0 && !text.empty(); --changes) {
        const std::size_t place = random() % text.size();
        switch (random() % 3) {
            case 0:
                text[place] = characters[random() % characters.size()];
                break;
            case 1:
                text.erase(place, 1 + random() % 12);
                break;
            default:
                text.insert(place, 1, characters[random() % characters.size()]);
        }
    }
    return text;
}

}  // namespace

class TimeFaultsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(TimeFaultsTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(a_refused_time_has_a_cause);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : datetimes) {
            tests::add_row(context, "datetime " + row.text,
                           [row] { CPPUNIT_ASSERT_EQUAL(row.causes, util::datetime_faults(row.text)); });
        }
        for (const Row& row : dates) {
            tests::add_row(context, "date " + row.text,
                           [row] { CPPUNIT_ASSERT_EQUAL(row.causes, util::date_faults(row.text)); });
        }
    }

    void a_refused_time_has_a_cause() {
        std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): the same texts each time
        for (int count = 0; count < 50'000; ++count) {
            const std::string text = spoilt("2024-02-29T13:45:07.1234560+01:00", random);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(text, util::parse_datetime(text).has_value(),
                                         util::datetime_faults(text).empty());
            const std::string date = spoilt("2024-02-29", random);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(date, util::parse_date(date).has_value(),
                                         util::date_faults(date).empty());
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(TimeFaultsTest);

}  // namespace data_import

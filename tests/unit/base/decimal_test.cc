// util/decimal: exact decimals.
#include "base/util/decimal.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>
#include <utility>
#include <vector>

#include "../../table.h"

namespace data_import {

namespace {

struct Row {
    std::string written;
    std::string read;  ///< the number that was read from `written`, as Decimal::to_text() writes it
};

const std::vector<Row> numbers = {
    {"0", "0"},
    {"-0", "0"},
    {"-0.00", "0.00"},
    {"1", "1"},
    {"-1", "-1"},
    {"12.50", "12.50"},
    {"-12.50", "-12.50"},
    {"0.1", "0.1"},
    {"100", "100"},
    {"5e-05", "0.00005"},
    {"5E-5", "0.00005"},
    {"1e2", "100"},
    {"1E+2", "100"},
    {"1.5e1", "15"},
    {"1.50e1", "15.0"},
    {"1.5e2", "150"},
    {"1.5e0", "1.5"},
    {"1.5e-1", "0.15"},
    {"-123.45e-2", "-1.2345"},
    {"123.45e-3", "0.12345"},
    {"123.45e-5", "0.0012345"},
    {"0e5", "0"},
    {"0.00e5", "0.00"},
    {"0e999999999999999999999", "0"},
    {"0e-2", "0"},
    {"0E-999", "0"},
    {"-0.00e-99999999999999999999", "0.00"},
    {"0.001e3", "1"},
    {"0.001e2", "0.1"},
    {"1e-007", "0.0000001"},
    {"18446744073709551616", "18446744073709551616"},
    {"0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"},
    {"1e308", "1" + std::string(308, '0')}};

/// JSON numbers whose exponents are too large to be written out.
const std::vector<std::string> too_long = {"1e1000", "1e-1001", "1e99999999999999999999",
                                           "1e-99999999999999999999"};

const std::vector<std::string> no_numbers = {
    "",   "-",    ".",    "1.",  ".5",  "+1",   "01",    "00",  "-01", "1e",    "1e+",      "e5", "1 ",
    " 1", "1e5x", "0x10", "NaN", "1,5", "1..2", "1.2.3", "1-2", "--1", "1e1.5", "Infinity", "1_0"};

const std::vector<Row> strings = {
    {"0", "0"},
    {"-0", "0"},
    {"007", "7"},
    {"00.50", "0.50"},
    {"-12.50", "-12.50"},
    {"12", "12"},
    {"0.000", "0.000"},
    {"-0.000", "0.000"},
    {"123456789012345678901234567890.123456789", "123456789012345678901234567890.123456789"}};

const std::vector<std::string> no_strings = {
    "",    "-",   "+1",  "1e5",      "5e-05", "1.",  ".5",  " 1", "1 ",  "1,5", "1.2.3", "NaN",
    "abc", "--1", "1\n", "\xD9\xA1", "1 000", "0x1", "-.5", "1-", "inf", "1E2", "- 1",   "1_0"};

}  // namespace

class DecimalTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(DecimalTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_numbers);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_strings);
    CPPUNIT_TEST(reads_both_forms);
    CPPUNIT_TEST(keeps_digits_as_written);
    CPPUNIT_TEST(knows_zero);
    CPPUNIT_TEST(knows_zeros_that_say_nothing);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_numbers(TestSuiteBuilderContextType& context) {
        for (const Row& row : numbers) {
            tests::add_row(context, "number " + row.written, [row] {
                const auto decimal = util::parse_json_number(row.written);
                CPPUNIT_ASSERT(decimal);
                CPPUNIT_ASSERT_EQUAL(row.read, decimal->to_text());
                CPPUNIT_ASSERT(util::is_json_number(row.written));
            });
        }
        for (const std::string& text : no_numbers) {
            tests::add_row(context, "no number " + text, [text] {
                CPPUNIT_ASSERT(!util::parse_json_number(text));
                CPPUNIT_ASSERT(!util::is_json_number(text));
            });
        }
        for (const std::string& text : too_long) {
            tests::add_row(context, "too long a number " + text, [text] {
                CPPUNIT_ASSERT(!util::parse_json_number(text));
                CPPUNIT_ASSERT(util::is_json_number(text));
            });
        }
    }

    static void add_strings(TestSuiteBuilderContextType& context) {
        for (const Row& row : strings) {
            tests::add_row(context, "string " + row.written, [row] {
                const auto decimal = util::parse_decimal_string(row.written);
                CPPUNIT_ASSERT(decimal);
                CPPUNIT_ASSERT_EQUAL(row.read, decimal->to_text());
            });
        }
        for (const std::string& text : no_strings) {
            tests::add_row(context, "no decimal string " + text,
                           [text] { CPPUNIT_ASSERT(!util::parse_decimal_string(text)); });
        }
    }

    void reads_both_forms() {
        CPPUNIT_ASSERT_EQUAL(std::string("-0.125"), util::parse_decimal("-12.5e-2").value().to_text());
        CPPUNIT_ASSERT_EQUAL(std::string("12.50"), util::parse_decimal("0012.50").value().to_text());
        CPPUNIT_ASSERT(!util::parse_decimal("0012.5e1"));
    }

    void keeps_digits_as_written() {
        const auto decimal = util::parse_decimal_string("-0012.500");
        CPPUNIT_ASSERT(decimal->negative);
        CPPUNIT_ASSERT_EQUAL(std::string("12"), decimal->whole);
        CPPUNIT_ASSERT_EQUAL(std::string("500"), decimal->fraction);
        CPPUNIT_ASSERT(util::parse_json_number("0.5")->whole.empty());
    }

    void knows_zeros_that_say_nothing() {
        for (const auto& [digits, left] : std::vector<std::pair<std::string, std::string>>{
                 {"", ""}, {"0", ""}, {"000", ""}, {"5000", "5"}, {"05", "05"}, {"0500", "05"}})
            CPPUNIT_ASSERT_EQUAL(left, std::string(util::without_zeros_at_end(digits)));
        for (const char* zero : {"0", "-0", "0.000", "-0.0e5", "0e400", "0E-999"})
            CPPUNIT_ASSERT_MESSAGE(zero, util::is_zero_number(zero));
        for (const char* other : {"1", "-1", "0.001", "1e0", "10", "0.1e-9"})
            CPPUNIT_ASSERT_MESSAGE(other, !util::is_zero_number(other));
    }

    void knows_zero() {
        CPPUNIT_ASSERT(util::parse_json_number("-0.00")->is_zero());
        CPPUNIT_ASSERT(!util::parse_json_number("0.01")->is_zero());
        CPPUNIT_ASSERT(!util::parse_json_number("10")->is_zero());
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(DecimalTest);

}  // namespace data_import

// Numbers with a decimal comma.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>
#include <vector>

#include "../../table.h"
#include "base/util/decimal_comma.h"

namespace data_import {

namespace {

struct Row {
    std::string written;
    /// The number that is read, with a point as its decimal mark. `?` before the number means that it is
    /// ambiguous; a currency code may follow the number. Empty: `written` is refused.
    std::string read;
    std::string marks = {};  ///< the result of decimal_comma_marks()
};

const std::vector<Row> rows = {
    {"12,5", "12.5", "a decimal comma"},
    {"-12,50", "-12.50", "a decimal comma"},
    {"12,50-", "-12.50", "a decimal comma, its minus after it"},
    {"(12,50)", "-12.50", "a decimal comma, brackets in place of a minus"},
    {"0,125", "0.125", "a decimal comma"},
    {"0012,50", "0012.50", "a decimal comma"},
    {"1234", "1234"},
    {"-3", "-3"},
    {"3-", "-3", "its minus after it"},
    {"1.234,50", "1234.50", "a decimal comma"},
    {"1.234.567,891", "1234567.891", "a decimal comma"},
    {"1.234.567", "1234567", "points between thousands"},
    {"100.000,1", "100000.1", "a decimal comma"},
    {"1.005,00", "1005.00", "a decimal comma"},
    // Numbers whose point may stand between thousands or be a decimal mark. The point is read as one between
    // thousands, and the number is ambiguous (`?`).
    {"1.234", "?1234"},
    {"-1.234", "?-1234"},
    {"12.500", "?12500"},
    {"1.000", "?1000"},
    {"123.456", "?123456"},
    {"1.234-", "?-1234", "its minus after it, points between thousands"},
    {"(1.234)", "?-1234", "brackets in place of a minus, points between thousands"},
    // a group of thousands that begins with 0, is too short or too long
    {"0.125", ""},
    {"-0.500", ""},
    {"00.125", ""},
    {"000.125", ""},
    {"0.001", ""},
    {"0.000", ""},
    {"012.345", ""},
    {"0.123,45", ""},
    {"0'123,45", ""},
    {"12.50", ""},
    {"-12.50", ""},
    {"1.2345", ""},
    {"1.23,45", ""},
    {"12.34.567", ""},
    {"1234.567,8", ""},
    {"1.234.56", ""},
    {"1..234", ""},
    {".234", ""},
    {"1.", ""},
    {",50", ""},
    {"1,", ""},
    // separators that are mixed, or of another country
    {"1.234'567,00", ""},
    {"1'234.567,00", ""},
    {"1,234.50", ""},
    {"1,234,567", ""},
    {"1.234,567.8", ""},
    // apostrophes and blanks
    {"1'234,50", "1234.50", "a decimal comma"},
    {"1’234’567,50", "1234567.50", "a decimal comma"},
    {"1'234", "1234", "apostrophes between thousands"},
    {"1'234.50", "1234.50", "apostrophes between thousands"},
    {"1 234,50", "1234.50", "a decimal comma"},
    {"1\u00A0234,50", "1234.50", "a decimal comma"},
    {"1\u202F234\u202F567", "1234567", "blanks between thousands"},
    {"1'23,50", ""},
    {"1  234", ""},
    // signs
    {"−12,50", "-12.50", "a decimal comma, the minus sign U+2212"},
    {"12,50−", "-12.50", "a decimal comma, the minus sign U+2212, its minus after it"},
    {"– 12,50", "-12.50", "a decimal comma, the dash U+2013"},
    {"- 12,50", "-12.50", "a decimal comma"},
    {"−12", "-12", "the minus sign U+2212"},
    {"12.50-", "-12.50", "its minus after it"},
    {"(12.50)", "-12.50", "brackets in place of a minus"},
    {"0.125-", "-0.125", "its minus after it"},
    {"-12,50-", ""},
    {"--12,50", ""},
    {"(-12,50)", ""},
    {"(12,50", ""},
    {"((12,50))", ""},
    {"+12,50", ""},
    {"1-2", ""},
    {"-", ""},
    {"()", ""},
    {"", ""},
    {" ", ""},
    // currencies
    {"12,50 €", "12.50EUR", "a decimal comma, a currency"},
    {"€ 12,50", "12.50EUR", "a decimal comma, a currency"},
    {"12,50\u00A0€", "12.50EUR", "a decimal comma, a currency"},
    {"12 EUR", "12EUR", "a currency"},
    {"CHF 1'234.50", "1234.50CHF", "a currency, apostrophes between thousands"},
    {"12.50 €", "12.50EUR", "a currency"},
    {"-12,50 €", "-12.50EUR", "a decimal comma, a currency"},
    {"- € 12,50", "-12.50EUR", "a decimal comma, a currency"},
    {"(12,50 €)", "-12.50EUR", "a decimal comma, brackets in place of a minus, a currency"},
    {"€ 12,50 €", ""},
    {"€", ""},
    {"12,50 KWH", ""},
    {"12,50 %", ""},
    // no numbers
    {" 12,50 ", "12.50", "a decimal comma"},
    {"1\u200B2,50", ""},
    {"x", ""},
    {"#NV", ""},
    {"1e5", ""},
    {"1,5e5", ""},
    {"12:50", ""},
};

}  // namespace

class DecimalCommaTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(DecimalCommaTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(says_why_a_text_is_no_such_number);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : rows) {
            tests::add_row(context, "\"" + row.written + "\"", [row] {
                const auto number = util::read_decimal_comma(row.written);
                CPPUNIT_ASSERT_EQUAL(
                    row.read,
                    number ? (number->is_ambiguous ? "?" : "") + number->plain + number->currency : "");
                CPPUNIT_ASSERT_EQUAL(row.marks, util::decimal_comma_marks(row.written));
            });
        }
    }

    void says_why_a_text_is_no_such_number() {
        CPPUNIT_ASSERT_EQUAL(
            std::string("has no decimal comma, which --decimal-comma expects: 12,50 or 1.234,50"),
            util::decimal_comma_fault("0.125"));
        CPPUNIT_ASSERT_EQUAL(std::string("is no number with a decimal comma: 12,50 or 1.234,50"),
                             util::decimal_comma_fault("1,234.50"));
        CPPUNIT_ASSERT_EQUAL(std::string("is no number with a decimal comma and holds U+200B (zero-width "
                                         "space): 12,50 or 1.234,50"),
                             util::decimal_comma_fault("1\u200B2,50"));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(DecimalCommaTest);

}  // namespace data_import

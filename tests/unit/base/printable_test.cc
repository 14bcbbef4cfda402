// util/printable: makes texts from outside safe for terminals and spreadsheets.
#include "base/util/printable.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>

#include "../../table.h"

namespace data_import {

namespace {

struct Row {
    std::string text;
    std::string printable;
    std::string escaped;
};

const Row texts[] = {
    {"", "", ""},
    {"Z\xC3\xBCrich \xF0\x9F\x98\x80", "Z\xC3\xBCrich \xF0\x9F\x98\x80", "Z\xC3\xBCrich \xF0\x9F\x98\x80"},
    {"a\tb\nc", "a b c", "a\tb\nc"},
    {"a\x1B[31mb\x7F", "a [31mb ", "a\x1B[31mb\x7F"},
    {"a\xC2\x9B"
     "31mb",
     "a 31mb", "a\\u009b31mb"},
    {"\xC2\x80\xC2\x9F\xC2\xA0", "  \xC2\xA0", "\\u0080\\u009f\xC2\xA0"},
    {"\xD8\x9C|", " |", "\\u061c|"},
    {"\xE2\x80\x8E\xE2\x80\x8F|", "  |", "\\u200e\\u200f|"},
    {"\xE2\x80\xAA\xE2\x80\xAB\xE2\x80\xAC\xE2\x80\xAD\xE2\x80\xAE|", "     |",
     "\\u202a\\u202b\\u202c\\u202d\\u202e|"},
    {"\xE2\x81\xA6\xE2\x81\xA7\xE2\x81\xA8\xE2\x81\xA9|", "    |", "\\u2066\\u2067\\u2068\\u2069|"},
    {"\x9B"
     "31m\xC3",
     "\xEF\xBF\xBD"
     "31m\xEF\xBF\xBD",
     "\xEF\xBF\xBD"
     "31m\xEF\xBF\xBD"},
    {"\xFFz\xC2\x9B", "\xEF\xBF\xBDz ", "\xEF\xBF\xBDz\\u009b"},
};

struct Field {
    std::string text;
    std::string field;
};

const Field fields[] = {
    {"", ""},
    {"4711", "4711"},
    {"-4711.50", "-4711.50"},
    {"-4711-1", "'-4711-1"},
    {"a=b", "a=b"},
    {"=1+1", "'=1+1"},
    {"+49 30", "'+49 30"},
    {"-x", "'-x"},
    {"-", "'-"},
    {"@SUM(A1)", "'@SUM(A1)"},
    {" =1+1", "' =1+1"},
    {"\t=1+1", "' =1+1"},
    {"\r\n@x", "'  @x"},
    {"\xE2\x80\xAE=1+1", "' =1+1"},
    {"\xEF\xBC\x9D"
     "1",
     "'\xEF\xBC\x9D"
     "1"},
    {"=HYPERLINK(\"http://x\",1)", "\"'=HYPERLINK(\"\"http://x\"\",1)\""},
    {"a\xC2\x9B,b", "\"a ,b\""},
};

}  // namespace

class PrintableTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(PrintableTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_texts);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_fields);
    CPPUNIT_TEST(lines_stay_lines);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_texts(TestSuiteBuilderContextType& context) {
        for (const Row& row : texts)
            tests::add_row(context, "text " + row.text, [row] {
                CPPUNIT_ASSERT_EQUAL(row.printable, util::printable(row.text));
                CPPUNIT_ASSERT_EQUAL(row.escaped, util::with_escaped_controls(row.text));
            });
    }

    static void add_fields(TestSuiteBuilderContextType& context) {
        for (const Field& row : fields)
            tests::add_row(context, "field " + row.text,
                           [row] { CPPUNIT_ASSERT_EQUAL(row.field, util::spreadsheet_field(row.text)); });
    }

    void lines_stay_lines() {
        CPPUNIT_ASSERT_EQUAL(std::string("a \nb \n"), util::printable_lines("a\x1B\nb\xC2\x9B\n"));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(PrintableTest);

}  // namespace data_import

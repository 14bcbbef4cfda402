// database/array_text: the text of arrays for PostgreSQL (PostgreSQL's manual, section "Array Input and
// Output Syntax").
#include "data/database/array_text.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>
#include <vector>

namespace data_import {

namespace {

struct Row {
    std::string element;
    std::string text;
};

const std::vector<Row> elements = {
    {"1", "1"},
    {"-12.50", "-12.50"},
    {"2024-01-31T23:00:00.25+01:00", "2024-01-31T23:00:00.25+01:00"},
    {"1-1:1.29.0", "1-1:1.29.0"},
    {"a/b_c", "a/b_c"},
    {"", R"("")"},
    {" ", R"(" ")"},
    {"two words", R"("two words")"},
    {"a,b", R"("a,b")"},
    {"{a}", R"("{a}")"},
    {"a\"b", R"("a\"b")"},
    {"a\\b", R"("a\\b")"},
    {"Zähler", R"("Zähler")"},
    {"NULL", R"("NULL")"},
    {"null", R"("null")"},
    {"Null", R"("Null")"},
    {"NULLS", "NULLS"},
    {"nul", "nul"},
};

}  // namespace

class ArrayTextTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(ArrayTextTest);
    CPPUNIT_TEST(elements_are_quoted_where_they_have_to_be);
    CPPUNIT_TEST(elements_have_commas_between_them);
    CPPUNIT_TEST_SUITE_END();

public:
    void elements_are_quoted_where_they_have_to_be() {
        for (const auto& [element, text] : elements) {
            database::ArrayText array;
            array.add(element);
            CPPUNIT_ASSERT_EQUAL('{' + text + '}', array.take());
        }
    }

    void elements_have_commas_between_them() {
        CPPUNIT_ASSERT_EQUAL(std::string("{}"), database::ArrayText().take());
        database::ArrayText array;
        array.add("b c");
        array.add("d");
        CPPUNIT_ASSERT_EQUAL(std::string(R"({"b c",d})"), array.take());
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(ArrayTextTest);

}  // namespace data_import

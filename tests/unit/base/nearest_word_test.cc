// Tests the search for the known word that a misspelt word was probably meant to be.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>
#include <vector>

#include "../../table.h"
#include "base/util/nearest_word.h"

namespace data_import {

namespace {

struct Row {
    std::string word;
    std::string meant;  ///< empty: no word
};

const std::vector<std::string> known = {"ACME", "BETA-GRID", "supplier", "--status", "Ü-1", ""};

const std::vector<Row> rows = {
    {"ACME", "ACME"},
    {"acme", "ACME"},
    {"ACNE", "ACME"},
    {"AMCE", "ACME"},
    {"ACE", "ACME"},
    {"ACMEE", "ACME"},
    {"XXME", ""},
    {"A", ""},
    {"", ""},
    {"BETA_GRID", "BETA-GRID"},
    {"BTA-GRDI", "BETA-GRID"},
    {"suplier", "supplier"},
    {"--statu", "--status"},
    {"nothing", ""},
    {std::string(129, 'A'), ""},
};

}  // namespace

class NearestWordTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(NearestWordTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(takes_the_first_of_equals);
    CPPUNIT_TEST(takes_the_path_with_the_nearest_segment);
    CPPUNIT_TEST(knows_nothing);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : rows) {
            tests::add_row(context, "takes \"" + row.word.substr(0, 20) + "\"", [row] {
                CPPUNIT_ASSERT_EQUAL(row.meant, util::nearest_word(row.word, known).value_or(""));
            });
        }
    }

    void takes_the_first_of_equals() {
        CPPUNIT_ASSERT_EQUAL(std::string("ABCD"), util::nearest_word("ABC", {"ABCD", "ABCE"}).value());
    }

    void takes_the_path_with_the_nearest_segment() {
        const std::vector<std::string> paths = {"/v1/notes/create/", "/v1/fee/import/", "/v1/fees/import/",
                                                "/v1/status/{supplier}/{number}/"};
        const std::vector<Row> rows_of_paths = {
            {"/v1/note/create/", "/v1/notes/create/"},
            {"/v1/notes/creates/", "/v1/notes/create/"},
            {"/v1/feees/import/", "/v1/fees/import/"},
            {"/v1/status/ACME/4711/", ""},
            {"/v1/statsu/ACME/a-very-long-number/", "/v1/status/{supplier}/{number}/"},
            {"/v1/note/creates/", ""},
            {"/v1/bills/create/", ""},
            {"/v1/note/create", ""},
            {"", ""},
            {"/v1/note/create/" + std::string(128, 'x'), ""},
        };
        for (const Row& row : rows_of_paths)
            CPPUNIT_ASSERT_EQUAL_MESSAGE(row.word, row.meant,
                                         util::nearest_path(row.word, paths).value_or(""));
    }

    void knows_nothing() { CPPUNIT_ASSERT(!util::nearest_word("ABC", {}).has_value()); }
};

CPPUNIT_TEST_SUITE_REGISTRATION(NearestWordTest);

}  // namespace data_import

// Rows of COPY: columns, NULL, and every escape that PostgreSQL writes.
#include "database/copy_row.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <optional>
#include <stdexcept>

#include "../table.h"

namespace data_import::tests {

namespace {

struct Row {
    std::string sent;
    std::size_t columns;
    std::string read;  ///< the columns between bars, `-` for NULL
};

const std::vector<Row> rows = {
    {"", 1, "|"},
    {"a", 1, "a|"},
    {"a\tb\tc", 3, "a|b|c|"},
    {"\t\t", 3, "|||"},
    {"\\N\tN\t\\\\N", 3, "-|N|\\N|"},
    {"a\\tb\tc\\nd", 2, "a\tb|c\nd|"},
    {"\\b\\f\\r\\v\\\\", 1, "\b\f\r\v\\|"},
    {"ü\\\\\tü\\t", 2, "ü\\|ü\t|"},
};

std::string read_by(database::CopyRow& row, const Row& sent) {
    row.read(sent.sent, sent.columns);
    std::string text;
    for (std::size_t column = 0; column < sent.columns; ++column)
        (text += row.optional(column).value_or("-")) += '|';
    return text;
}

}  // namespace

class CopyRowTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(CopyRowTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(is_read_as_it_was_written);
    CPPUNIT_TEST(is_read_again_and_again);
    CPPUNIT_TEST(another_number_of_columns_is_a_fault);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : rows) {
            add_row(context, row.sent, [row] {
                database::CopyRow fields;
                CPPUNIT_ASSERT_EQUAL(row.read, read_by(fields, row));
            });
        }
    }

    void is_read_as_it_was_written() {
        database::CopyRow fields;
        std::string text;
        database::append_copy_row(text, {"a\tb\nc\rd\\e", std::nullopt, "", "\\N", "\\."});
        CPPUNIT_ASSERT_EQUAL(std::string("a\\tb\\nc\\rd\\\\e\t\\N\t\t\\\\N\t\\\\.\n"), text);
        CPPUNIT_ASSERT_EQUAL(
            std::string("a\tb\nc\rd\\e|-||\\N|\\.|"),
            read_by(fields, {.sent = text.substr(0, text.size() - 1), .columns = 5, .read = ""}));
    }

    void is_read_again_and_again() {
        database::CopyRow fields;
        for (int round = 0; round < 2; ++round) {
            for (const Row& row : rows) CPPUNIT_ASSERT_EQUAL(row.read, read_by(fields, row));
        }
        CPPUNIT_ASSERT_EQUAL(std::string_view("ü\t"), fields.text(1));
    }

    void another_number_of_columns_is_a_fault() {
        database::CopyRow fields;
        CPPUNIT_ASSERT_THROW(fields.read("a\tb", 1), std::logic_error);
        CPPUNIT_ASSERT_THROW(fields.read("a\tb", 3), std::logic_error);
        CPPUNIT_ASSERT_THROW(fields.read("", 2), std::logic_error);
        fields.read("\\N", 1);
        CPPUNIT_ASSERT_THROW(static_cast<void>(fields.text(0)), std::bad_optional_access);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(CopyRowTest);

}  // namespace data_import::tests

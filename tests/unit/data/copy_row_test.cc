// Rows for COPY: columns, NULL, and every escape that PostgreSQL reads.
#include "data/database/copy_row.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <optional>
#include <string>

namespace data_import::tests {

class CopyRowTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(CopyRowTest);
    CPPUNIT_TEST(is_written_with_escapes);
    CPPUNIT_TEST_SUITE_END();

public:
    void is_written_with_escapes() {
        std::string text;
        database::append_copy_row(text, {"a\tb\nc\rd\\e", std::nullopt, "", "\\N", "\\."});
        CPPUNIT_ASSERT_EQUAL(std::string("a\\tb\\nc\\rd\\\\e\t\\N\t\t\\\\N\t\\\\.\n"), text);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(CopyRowTest);

}  // namespace data_import::tests

// ctl: the locations of documents.
#include "tools/ctl/document_location.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>
#include <vector>

#include "../../table.h"

namespace data_import::tests {

namespace {

struct Row {
    const char* name;
    const char* bucket;
    const char* location;
    const char* full;
};

const std::vector<Row> rows = {
    {"bucket and location", "s3://files", "root/a.pdf", "s3://files/root/a.pdf"},
    {"slashes that meet", "s3://files//", "/root/a.pdf", "s3://files/root/a.pdf"},
    {"no bucket", "", "root/a.pdf", "root/a.pdf"},
    {"a bucket of nothing but a slash", "/", "root/a.pdf", "root/a.pdf"},
    {"a folder in a bucket", "files/2024", "a.pdf", "files/2024/a.pdf"},
};

}  // namespace

class DocumentLocationTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(DocumentLocationTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST_SUITE_END();

    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : rows) {
            add_row(context, row.name, [row] {
                CPPUNIT_ASSERT_EQUAL(std::string(row.full), ctl::full_location(row.bucket, row.location));
            });
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(DocumentLocationTest);

}  // namespace data_import::tests

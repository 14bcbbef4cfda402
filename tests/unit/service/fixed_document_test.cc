// The headers that name the client's copy of a document, and the content codings that the client accepts.
#include "service/http/fixed_document.h"
#include "service/http/header_fields.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>
#include <vector>

#include "../../table.h"

namespace data_import::tests {

namespace {

struct Condition {
    std::string if_none_match;
    bool names;  ///< true if this If-None-Match matches a document with the ETag "a"
};

const std::vector<Condition> conditions = {
    {"", false},
    {"\"a\"", true},
    {"W/\"a\"", true},
    {"\"b\", \"a\"", true},
    {"\"b\",W/\"a\" ", true},
    {" * ", true},
    {"\"*\"", false},
    {"\"b\"", false},
    {"\"A\"", false},
    {"a", false},
    {"\"a", false},
    {"\"b, \"a\"", false},
    {"\"b\"a\"", false},
    {"\"", false},
};

struct Codings {
    std::string accept_encoding;
    bool take_gzip;
};

const std::vector<Codings> codings = {
    {"", false},
    {"gzip", true},
    {"GZip", true},
    {"x-gzip", true},
    {"deflate, gzip;q=0.5", true},
    {"*", true},
    {"gzip;q=0", false},
    {"gzip;q=0, *", false},
    {"identity", false},
    {"*;q=0", false},
    {"br", false},
    {"gzipped", false},
};

}  // namespace

class FixedDocumentHeadersTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(FixedDocumentHeadersTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Condition& row : conditions) {
            add_row(context, "If-None-Match: " + row.if_none_match,
                    [row] { CPPUNIT_ASSERT_EQUAL(row.names, http::names_etag(row.if_none_match, "\"a\"")); });
        }
        for (const Codings& row : codings) {
            add_row(context, "Accept-Encoding: " + row.accept_encoding,
                    [row] { CPPUNIT_ASSERT_EQUAL(row.take_gzip, http::takes_gzip(row.accept_encoding)); });
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(FixedDocumentHeadersTest);

}  // namespace data_import::tests

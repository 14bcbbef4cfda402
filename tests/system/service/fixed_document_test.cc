// The documents that stay the same as long as the service runs: compressed for clients that take gzip, and
// not sent again to clients that have them.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include "../../gzip.h"
#include "../../support/answer_check.h"
#include "../../support/http.h"
#include "../../support/stack.h"
#include "../../table.h"

namespace data_import::tests {

namespace {

Answer ask_for(const std::string& path, const HeaderList& headers, const std::string& method = "GET") {
    const Stack& stack = Stack::shared();
    HttpConnection connection(stack.port(), stack.value("CA_FILE"));
    HttpRequest request{method, path, {{"Host", "localhost"}, {"Connection", "close"}}, ""};
    request.headers.insert(request.headers.end(), headers.begin(), headers.end());
    connection.send(to_bytes(request));
    return connection.receive(method == "HEAD");
}

void check_document(const Answer& answer) {
    CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 200, answer.status);
    check_any_answer(answer, true);
    CPPUNIT_ASSERT(answer.header("Vary") == "Accept-Encoding");
    CPPUNIT_ASSERT(answer.header("Cache-Control") == "no-cache");
    CPPUNIT_ASSERT_MESSAGE(shown(answer), answer.header("ETag").has_value());
}

/// Fails unless the answer says that the client has the current document.
void check_not_modified(const Answer& answer, const std::string& etag) {
    CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 304, answer.status);
    CPPUNIT_ASSERT_EQUAL(std::string(), answer.body);
    CPPUNIT_ASSERT(answer.header("ETag") == etag);
    CPPUNIT_ASSERT(answer.header("Vary") == "Accept-Encoding");
    CPPUNIT_ASSERT(answer.header("X-Request-Id").has_value());
}

void check_answers(const std::string& path) {
    const Answer plain = ask_for(path, {});
    check_document(plain);
    CPPUNIT_ASSERT(!plain.header("Content-Encoding"));
    const Answer packed = ask_for(path, {{"Accept-Encoding", "gzip, deflate, br"}});
    check_document(packed);
    CPPUNIT_ASSERT(packed.header("Content-Encoding") == "gzip");
    CPPUNIT_ASSERT_EQUAL(plain.body, unpacked(packed.body));
    CPPUNIT_ASSERT(packed.body.size() < plain.body.size() / 2);
    const std::string etag = *plain.header("ETag");
    const std::string packed_etag = *packed.header("ETag");
    CPPUNIT_ASSERT(etag != packed_etag);
    check_not_modified(ask_for(path, {{"If-None-Match", etag}}), etag);
    check_not_modified(ask_for(path, {{"If-None-Match", "\"other\", W/" + etag}}), etag);
    check_not_modified(ask_for(path, {{"If-None-Match", "*"}}, "HEAD"), etag);
    check_not_modified(ask_for(path, {{"If-None-Match", packed_etag}, {"Accept-Encoding", "gzip"}}),
                       packed_etag);
    check_document(ask_for(path, {{"If-None-Match", packed_etag}}));
    check_document(ask_for(path, {{"If-None-Match", "\"other\""}}));
}

}  // namespace

class FixedDocumentTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(FixedDocumentTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_documents);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_documents(TestSuiteBuilderContextType& context) {
        for (const std::string path : {"/v1/openapi.json", "/v1/errors.json"})
            add_row(context, path, [path] { check_answers(path); });
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(FixedDocumentTest);

}  // namespace data_import::tests

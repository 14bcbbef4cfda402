// The form of an Idempotency-Key, and what makes two requests the same.
#include <cppunit/extensions/HelperMacros.h>

#include <string>
#include <vector>

#include "http/idempotency_key.h"
#include "http/problem.h"

namespace data_import::tests {

namespace {

struct KeyRow {
    std::string header;
    std::string key;   ///< when it is accepted
    std::string code;  ///< of the refusal; empty: accepted
};

const std::vector<KeyRow> rows = {
    {"8e03978e-40d5-43dd-bc93-6894a57f9324", "8e03978e-40d5-43dd-bc93-6894a57f9324", ""},
    {"\"8e03978e-40d5-43dd-bc93-6894a57f9324\"", "8e03978e-40d5-43dd-bc93-6894a57f9324", ""},
    {"x", "x", ""},
    {"\"two words\"", "two words", ""},
    {R"("a\"b\\c")", R"(a"b\c)", ""},
    {R"(a"b\c)", R"(a"b\c)", ""},
    {std::string(255, 'k'), std::string(255, 'k'), ""},
    {'"' + std::string(255, 'k') + '"', std::string(255, 'k'), ""},
    {"", "", "blank"},
    {"\"\"", "", "blank"},
    {std::string(256, 'k'), "", "max_length"},
    {'"' + std::string(256, 'k') + '"', "", "max_length"},
    {"two words", "", "invalid"},
    {"tab\there", "", "invalid"},
    {"\"tab\there\"", "", "invalid"},
    {"\"", "", "invalid"},
    {"\"open", "", "invalid"},
    {"\"closed\" twice\"", "", "invalid"},
    {R"("a\b")", "", "invalid"},
    {R"("a\")", "", "invalid"},
    {"\"a\"; p=1", "", "invalid"},
    {"\xc3\xbc", "", "invalid"},
    {"\"\xc3\xbc\"", "", "invalid"},
    {"\x7f", "", "invalid"},
};

std::string code_of(const std::string& header) {
    try {
        static_cast<void>(http::parse_idempotency_key(header));
        return "";
    } catch (const http::Problem& problem) {
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, problem.violations.size());
        CPPUNIT_ASSERT_EQUAL(std::string("Idempotency-Key"), problem.violations.front().attr);
        return std::string(codes::name_of(problem.violations.front().code));
    }
}

http::Request request(const std::string& path, const std::string& query, const std::string& body) {
    http::Request made;
    made.method = "POST";
    made.path = path;
    made.query = query;
    made.body = body;
    return made;
}

}  // namespace

class IdempotencyKeyFormTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(IdempotencyKeyFormTest);
    CPPUNIT_TEST(keys_are_taken_as_they_are_or_refused);
    CPPUNIT_TEST(requests_differ_by_path_query_and_body);
    CPPUNIT_TEST_SUITE_END();

public:
    void keys_are_taken_as_they_are_or_refused() {
        for (const KeyRow& row : rows) {
            CPPUNIT_ASSERT_EQUAL_MESSAGE(row.header, row.code, code_of(row.header));
            if (row.code.empty()) CPPUNIT_ASSERT_EQUAL(row.key, http::parse_idempotency_key(row.header));
        }
    }

    void requests_differ_by_path_query_and_body() {
        const std::string one = http::content_of(request("/a/", "b=1", "{}"));
        CPPUNIT_ASSERT_EQUAL(std::size_t{32}, one.size());
        CPPUNIT_ASSERT_EQUAL(one, http::content_of(request("/a/", "b=1", "{}")));
        CPPUNIT_ASSERT(one != http::content_of(request("/b/", "b=1", "{}")));
        CPPUNIT_ASSERT(one != http::content_of(request("/a/", "b=2", "{}")));
        CPPUNIT_ASSERT(one != http::content_of(request("/a/", "b=1", "{ }")));
        CPPUNIT_ASSERT(one != http::content_of(request("/a/b=1", "", "{}")));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(IdempotencyKeyFormTest);

}  // namespace data_import::tests

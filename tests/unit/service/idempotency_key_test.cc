// The form of an Idempotency-Key, and the rule by which two requests with one key count as the same request:
// they agree in path, query and body.
#include <cppunit/extensions/HelperMacros.h>

#include <string>
#include <vector>

#include "service/http/idempotency_key.h"
#include "service/http/problem.h"

namespace data_import::tests {

namespace {

struct KeyRow {
    std::string header;
    std::string key;   ///< the key if the header is accepted
    std::string code;  ///< the code of the refusal; empty: accepted
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
    {"\"  \"", "", "blank"},
    {"\" in side \"", " in side ", ""},
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

const std::vector<http::QueryParameter> parameters = {
    {.name = "no", .description = ""},
    {.name = "yes", .description = "", .default_value = true},
    {.name = "word", .description = "", .choices = {"one", "two"}},
    {.name = "number", .description = "", .range = http::QueryRange{1, 9, 5}},
    {.name = "text", .description = "", .is_text = true},
};

struct MeaningRow {
    std::string one;
    std::string other;
    bool is_same;
};

const std::vector<MeaningRow> meanings = {
    {"", "no=false", true},
    {"", "no=0&yes=TRUE", true},
    {"", "&&yes=1&", true},
    {"", "word=one&number=5", true},
    {"", "number=%35&%6Eo=%46alse", true},
    {"no=true", "no=1", true},
    {"no=1&yes=0", "yes=false&no=TRUE", true},
    {"word=two", "word=%74wo", true},
    {"number=7", "number=007", true},
    {"text=a%20b", "te%78t=%61%20b", true},
    {"text=", "text=", true},
    {"text=a+b", "text=a%20b", true},
    {"text=a%2Bb", "text=a%2bb", true},
    {"text=a+b", "text=a%2Bb", false},
    {"", "no=true", false},
    {"", "yes=false", false},
    {"no=true", "yes=false", false},
    {"no=true", "no=true&yes=false", false},
    {"word=two", "", false},
    {"number=7", "number=8", false},
    {"text=a", "text=b", false},
    {"text=no%3Dtrue", "no=true", false},
    {"text=a%26no%3Dtrue", "text=a&no=true", false},
    {"", "text=", false},
    {"", "unknown=1", false},
    {"", "no=maybe", false},
    {"", "no=false&no=false", false},
    {"", "%ff=1", false},
};

struct CauseRow {
    std::string header;
    std::string cause;  ///< text that the `detail` of the refusal has to contain
};

const std::vector<CauseRow> causes = {
    {"two words", "a blank at character 4"},
    {" around", "a blank at character 1"},
    {"around ", "a blank at character 7"},
    {"tab\there", "a tab at character 4"},
    {"\"tab\there\"", "a tab at character 5"},
    {"\"around\" ", "a blank after its closing quotation mark"},
    {"\"around\"\t", "a blank after its closing quotation mark"},
    {"\t\"around\"", "a tab at character 1"},
    {"\"  \"", "only blanks"},
    {"\"open", "no closing quotation mark"},
    {"\"", "no closing quotation mark"},
    {"\"closed\" twice\"", "characters after its closing quotation mark"},
    {"\"a\"; p=1", "characters after its closing quotation mark"},
    {R"("a\b")", "backslash"},
    {R"("a\")", "no closing quotation mark"},
    {R"("a\)", "backslash"},
    {"\xc3\xbc", "outside printable ASCII at character 1"},
    {"k\x7f", "outside printable ASCII at character 2"},
};

std::string detail_of(const std::string& header) {
    try {
        return http::parse_idempotency_key(header);
    } catch (const http::Problem& problem) {
        return problem.violations.at(0).detail;
    }
}

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
    CPPUNIT_TEST(a_refusal_names_its_cause);
    CPPUNIT_TEST(requests_differ_by_path_query_and_body);
    CPPUNIT_TEST(queries_are_the_same_by_their_meaning);
    CPPUNIT_TEST_SUITE_END();

public:
    void a_refusal_names_its_cause() {
        for (const CauseRow& row : causes) {
            const std::string detail = detail_of(row.header);
            CPPUNIT_ASSERT_MESSAGE(row.header + ": " + detail, detail.find(row.cause) != std::string::npos);
        }
    }

    void keys_are_taken_as_they_are_or_refused() {
        for (const KeyRow& row : rows) {
            CPPUNIT_ASSERT_EQUAL_MESSAGE(row.header, row.code, code_of(row.header));
            if (row.code.empty()) CPPUNIT_ASSERT_EQUAL(row.key, http::parse_idempotency_key(row.header));
        }
    }

    void requests_differ_by_path_query_and_body() {
        const std::string one = content_of("/a/", "b=1", "{}");
        CPPUNIT_ASSERT_EQUAL(std::size_t{32}, one.size());
        CPPUNIT_ASSERT_EQUAL(one, content_of("/a/", "b=1", "{}"));
        CPPUNIT_ASSERT(one != content_of("/b/", "b=1", "{}"));
        CPPUNIT_ASSERT(one != content_of("/a/", "b=2", "{}"));
        CPPUNIT_ASSERT(one != content_of("/a/", "b=1", "{ }"));
        CPPUNIT_ASSERT(one != content_of("/a/b=1", "", "{}"));
    }

    void queries_are_the_same_by_their_meaning() {
        for (const MeaningRow& row : meanings) {
            CPPUNIT_ASSERT_EQUAL_MESSAGE(row.one + " and " + row.other, row.is_same,
                                         content_of("/a/", row.one, "") == content_of("/a/", row.other, ""));
        }
    }

private:
    static std::string content_of(const std::string& path, const std::string& query,
                                  const std::string& body) {
        return http::content_of(request(path, query, body), parameters);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(IdempotencyKeyFormTest);

}  // namespace data_import::tests

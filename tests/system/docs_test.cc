// The documentation page: what nginx serves under /docs/, and that it needs nothing from any other host.
#include <cppunit/extensions/HelperMacros.h>

#include <filesystem>
#include <regex>

#include "../runner.h"
#include "../support/answer_check.h"
#include "../support/http.h"
#include "../support/stack.h"

namespace data_import::tests {

namespace {

Answer get(const std::string& target) {
    const Stack& stack = Stack::shared();
    HttpConnection connection(stack.port(), stack.value("CA_FILE"));
    return connection.ask({"GET", target, {{"Host", "localhost"}, {"Connection", "close"}}, ""});
}

/// What a page refers to: values of href and src.
std::vector<std::string> references_of(const std::string& page) {
    static const std::regex reference("(?:href|src)=\"([^\"]*)\"");
    std::vector<std::string> found;
    for (std::sregex_iterator match(page.begin(), page.end(), reference), end; match != end; ++match)
        found.push_back((*match)[1]);
    return found;
}

}  // namespace

class DocsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(DocsTest);
    CPPUNIT_TEST(page_refers_to_files_that_are_there);
    CPPUNIT_TEST(policy_admits_no_other_host);
    CPPUNIT_TEST(other_files_are_not_found_in_the_common_shape);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override {
        if (!std::filesystem::exists(build_directory() / "docs/index.html"))
            skip("the documentation page is not built: npm could not fetch its viewer, or DOCS=no");
    }

    void page_refers_to_files_that_are_there() {
        const Answer page = get("/docs/");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(page), 200, page.status);
        CPPUNIT_ASSERT(page.header("Content-Type") == "text/html; charset=utf-8");
        const std::vector<std::string> references = references_of(page.body);
        CPPUNIT_ASSERT(references.size() >= 5);
        for (const std::string& reference : references) {
            const Answer file = get(reference.front() == '/' ? reference : "/docs/" + reference);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(reference, 200, file.status);
            CPPUNIT_ASSERT_MESSAGE(reference, file.header("X-Request-Id").has_value());
        }
    }

    void policy_admits_no_other_host() {
        for (const char* target : {"/docs/", "/docs/start.js"}) {
            const Answer answer = get(target);
            const std::string policy = answer.header("Content-Security-Policy").value_or("");
            CPPUNIT_ASSERT_MESSAGE(policy, policy.find("default-src 'self'") == 0);
            CPPUNIT_ASSERT_MESSAGE(policy, policy.find("unsafe") == std::string::npos);
            CPPUNIT_ASSERT_MESSAGE(policy, policy.find("http") == std::string::npos);
            CPPUNIT_ASSERT(answer.header("X-Content-Type-Options") == "nosniff");
        }
    }

    void other_files_are_not_found_in_the_common_shape() {
        for (const char* target : {"/docs/nothing", "/docs/../secret", "/docs/%2e%2e/env"}) {
            const Answer answer = get(target);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(target, 404, answer.status);
            check_any_answer(answer);
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(DocsTest);

}  // namespace data_import::tests

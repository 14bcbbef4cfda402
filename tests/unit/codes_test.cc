// The codes of errors are a closed list: what is in the sources and the cases is documented, and what is
// documented is in a test.
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "api/openapi_problems.h"
#include "api/routes.h"
#include "http/problem.h"
#include "schema/openapi.h"

namespace data_import::tests {

namespace {

using Codes = std::set<std::string>;

std::string contents(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// The text of all files below a folder whose names end like this.
std::string contents_below(const std::filesystem::path& folder, std::string_view ending = "") {
    std::string text;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file() && entry.path().string().ends_with(ending))
            text += contents(entry.path()) + '\n';
    }
    return text;
}

/// What the only group of an expression matches.
Codes matches(const std::string& text, const std::string& expression) {
    const std::regex pattern(expression);
    Codes found;
    for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
        found.insert((*match)[1]);
    return found;
}

const std::vector<http::Endpoint>& all_endpoints() {
    static const std::vector<http::Endpoint> endpoints = api::endpoints({});
    return endpoints;
}

Codes top_level_codes() {
    Codes codes;
    for (const http::ProblemKind& kind : http::problem_kinds()) codes.emplace(kind.name);
    return codes;
}

Codes item_codes() {
    const auto general = schema::violation_codes();
    Codes codes(general.begin(), general.end());
    for (const http::Endpoint& endpoint : all_endpoints()) {
        for (const std::string_view code : api::general_item_codes(endpoint)) codes.emplace(code);
        codes.insert(endpoint.rule_codes.begin(), endpoint.rule_codes.end());
    }
    return codes;
}

std::string missing(const Codes& wanted, const Codes& there) {
    std::string text;
    for (const std::string& code : wanted) {
        if (!there.contains(code)) text += ' ' + code;
    }
    return text;
}

/// Every word made as codes are.
Codes words(const std::string& text) {
    return matches(text, "\\b([a-z][a-z0-9_]+)\\b");
}

}  // namespace

class CodesTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(CodesTest);
    CPPUNIT_TEST(cases_expect_documented_codes_only);
    CPPUNIT_TEST(sources_report_documented_codes_only);
    CPPUNIT_TEST(every_code_is_in_a_test);
    CPPUNIT_TEST_SUITE_END();

public:
    void cases_expect_documented_codes_only() {
        const std::string cases = contents_below("tests/cases");
        const Codes errors = matches(cases, "\\nerror \\S+ ([a-z_]+)");
        CPPUNIT_ASSERT(errors.size() > 10);
        CPPUNIT_ASSERT_EQUAL(std::string(), missing(errors, item_codes()));
        const Codes codes = matches(cases, "\\ncode ([a-z_]+)");
        CPPUNIT_ASSERT(codes.size() > 10);
        CPPUNIT_ASSERT_EQUAL(std::string(), missing(codes, top_level_codes()));
    }

    void sources_report_documented_codes_only() {
        const std::string sources = contents_below("src/api") + contents_below("src/schema");
        Codes reported = matches(sources, "report\\.add\\([^\"]*\"([a-z_]+)\", *\"[A-Z]");
        reported.merge(matches(sources, "report\\.add\\((?:\"[a-z_]+\"|[a-z_]+), *\"([a-z_]+)\","));
        reported.merge(matches(sources, "\\.code = \"([a-z_]+)\""));
        reported.merge(matches(sources, "Fault\\{\"([a-z_]+)\""));
        CPPUNIT_ASSERT(reported.size() > 8);
        CPPUNIT_ASSERT_EQUAL(std::string(), missing(reported, item_codes()));
    }

    void every_code_is_in_a_test() {
        const std::string cases = contents_below("tests/cases");
        // no field of the interface has to be longer than one character: that rule has its cases in a table
        Codes tested_items = words(cases);
        tested_items.merge(matches(contents("tests/unit/schema_values_test.cc"), "\"(min_length)\""));
        CPPUNIT_ASSERT_EQUAL(std::string(), missing(item_codes(), tested_items));
        const Codes tested = words(cases + contents_below("tests/system", "_test.cc"));
        for (const http::ProblemKind& kind : http::problem_kinds()) {
            const bool found = tested.contains(std::string(kind.name)) || is_in_fault_tests(kind.status);
            CPPUNIT_ASSERT_MESSAGE(std::string(kind.name), found);
        }
    }

private:
    /// What only a fault brings about is expected there by its status; that the code is one of the status is
    /// checked of every answer.
    static bool is_in_fault_tests(int status) {
        return status >= 500 && matches(contents_below("tests/system", "faults_test.cc"), "\\b(50[0-9])\\b")
                                    .contains(std::to_string(status));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(CodesTest);

}  // namespace data_import::tests

// Tests that the codes of errors are a closed list. Each code that a text case (tests/cases/) expects is in
// the table of codes (codes::all()), and each code of this table is in a test.
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <span>
#include <string>

#include "base/codes/codes.h"
#include "tools/manual/error_pages.h"

namespace data_import::tests {

namespace {

using Codes = std::set<std::string>;

std::string contents(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// The text of all files below a folder whose names end with `ending`.
std::string contents_below(const std::filesystem::path& folder, std::string_view ending = "") {
    std::string text;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file() && entry.path().string().ends_with(ending))
            text += contents(entry.path()) + '\n';
    }
    return text;
}

/// Returns all texts that the only group of a regular expression matches.
Codes matches(const std::string& text, const std::string& expression) {
    const std::regex pattern(expression);
    Codes found;
    for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
        found.insert((*match)[1]);
    return found;
}

Codes names_of(std::span<const codes::CodeRow> rows) {
    Codes names;
    for (const codes::CodeRow& row : rows) names.emplace(row.name);
    return names;
}

std::string missing(const Codes& wanted, const Codes& there) {
    std::string text;
    for (const std::string& code : wanted) {
        if (!there.contains(code)) text += ' ' + code;
    }
    return text;
}

/// Every word that has the form of a code.
Codes words(const std::string& text) {
    return matches(text, "\\b([a-z][a-z0-9_]+)\\b");
}

}  // namespace

class CodesTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(CodesTest);
    CPPUNIT_TEST(cases_expect_documented_codes_only);
    CPPUNIT_TEST(every_row_has_a_meaning_and_a_remedy);
    CPPUNIT_TEST(nginx_answers_as_the_table_says);
    CPPUNIT_TEST(every_code_of_items_is_answered_in_a_case);
    CPPUNIT_TEST(every_code_is_in_a_test);
    CPPUNIT_TEST_SUITE_END();

public:
    void cases_expect_documented_codes_only() {
        const std::string cases = contents_below("tests/cases");
        const Codes errors = matches(cases, "\\nerror \\S+ ([a-z_]+)");
        CPPUNIT_ASSERT(errors.size() > 10);
        CPPUNIT_ASSERT_EQUAL(std::string(), missing(errors, names_of(codes::of_items())));
        const Codes codes = matches(cases, "\\ncode ([a-z_]+)");
        CPPUNIT_ASSERT(codes.size() > 10);
        CPPUNIT_ASSERT_EQUAL(std::string(), missing(codes, names_of(codes::of_answers())));
    }

    void every_row_has_a_meaning_and_a_remedy() {
        std::set<std::string_view> names;
        for (const codes::CodeRow& row : codes::all()) {
            const std::string name(row.name);
            CPPUNIT_ASSERT_MESSAGE(name, names.insert(row.name).second);
            CPPUNIT_ASSERT_MESSAGE(name, row.meaning.ends_with('.') && row.action.ends_with('.'));
            CPPUNIT_ASSERT_EQUAL_MESSAGE(name, row.is_of_item(), row.detail.empty());
            CPPUNIT_ASSERT_EQUAL_MESSAGE(name, row.header.empty(), row.header_value.empty());
            CPPUNIT_ASSERT(codes::find(row.name) == &row);
            CPPUNIT_ASSERT(&codes::row_of(row.code) == &row);
        }
        CPPUNIT_ASSERT(std::ranges::is_sorted(codes::of_answers(), {}, &codes::CodeRow::status));
        CPPUNIT_ASSERT(codes::find("frobnicated") == nullptr);
    }

    void nginx_answers_as_the_table_says() {
        CPPUNIT_ASSERT_EQUAL(manual::nginx_error_pages(), contents("nginx/errors.conf"));
    }

    /// For each code in codes::of_items(), a text case (tests/cases/) has to expect an answer whose member
    /// `errors` contains this code. So the table of codes has only codes that a request can cause.
    void every_code_of_items_is_answered_in_a_case() {
        const Codes answered = matches(contents_below("tests/cases"), "\nerror \\S+ ([a-z_]+)");
        CPPUNIT_ASSERT_EQUAL(std::string(), missing(names_of(codes::of_items()), answered));
    }

    void every_code_is_in_a_test() {
        const std::string cases = contents_below("tests/cases");
        const Codes tested = words(cases + contents_below("tests/system", "_test.cc"));
        for (const codes::CodeRow& kind : codes::of_answers()) {
            const bool found = tested.contains(std::string(kind.name)) || is_in_fault_tests(kind.status);
            CPPUNIT_ASSERT_MESSAGE(std::string(kind.name), found);
        }
    }

private:
    /// Returns true if `status` is 500 or higher and stands in a file `*faults_test.cc`. The tests in these
    /// files compare only the status of an answer, so the name of the answer's code is not found there.
    static bool is_in_fault_tests(int status) {
        return status >= 500 && matches(contents_below("tests/system", "faults_test.cc"), "\\b(50[0-9])\\b")
                                    .contains(std::to_string(status));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(CodesTest);

}  // namespace data_import::tests

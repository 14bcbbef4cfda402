// Checks the form of each line in tests/mutants/list. The text that a line replaces has to stand exactly once
// in the file that the line names. The test has to run in the top directory of the source tree.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <string>

namespace data_import::tests {

namespace {

std::string text_of(const std::string& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::size_t times(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

}  // namespace

class MutantsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(MutantsTest);
    CPPUNIT_TEST(each_has_its_place);
    CPPUNIT_TEST_SUITE_END();

public:
    void each_has_its_place() {
        static const std::regex form(R"((\S+) \| (.+) \| (.*) \| (unit|check)( [A-Za-z0-9_:./-]+)+)");
        std::ifstream list("tests/mutants/list");
        int mutants = 0;
        for (std::string line; std::getline(list, line);) {
            if (line.empty() || line.front() == '#') continue;
            ++mutants;
            std::smatch part;
            CPPUNIT_ASSERT_MESSAGE(line, std::regex_match(line, part, form));
            CPPUNIT_ASSERT_MESSAGE(line, part[2] != part[3] && !part[1].str().ends_with(".h"));
            CPPUNIT_ASSERT_EQUAL_MESSAGE(line, std::size_t{1}, times(text_of(part[1]), part[2]));
        }
        CPPUNIT_ASSERT(mutants > 40);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(MutantsTest);

}  // namespace data_import::tests

// Tests the shell scripts below tests/. This test program has to be started in the top folder of the source
// tree.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

namespace data_import::tests {

class ScriptsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(ScriptsTest);
    CPPUNIT_TEST(pipes_are_read_to_their_end);
    CPPUNIT_TEST_SUITE_END();

public:
    /// Scripts must not pipe into `grep --quiet`, but into `grep >/dev/null`, which reads to the end.
    ///
    /// Because `grep --quiet` ends at the first match, a program that still writes into the pipe fails, which
    /// happens under load. With pipefail, the whole check then fails.
    void pipes_are_read_to_their_end() {
        static const std::regex leaves_early(R"([^|]\|\s*grep\b[^|]*\s(--quiet|-[a-zA-Z]*q[a-zA-Z]*)\s)");
        int scripts = 0;
        for (const auto& entry : std::filesystem::recursive_directory_iterator("tests")) {
            if (!entry.is_regular_file()) continue;
            std::ifstream file(entry.path());
            std::string line;
            if (!std::getline(file, line) || line.find("sh") == std::string::npos || line.front() != '#')
                continue;
            ++scripts;
            while (std::getline(file, line))
                CPPUNIT_ASSERT_MESSAGE(entry.path().string() + ": " + line,
                                       !std::regex_search(line, leaves_early));
        }
        CPPUNIT_ASSERT(scripts > 20);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(ScriptsTest);

}  // namespace data_import::tests

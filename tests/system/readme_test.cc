// README.md and CONTRIBUTING.md: their commands do what is said of them.
#include <cppunit/extensions/HelperMacros.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "../support/command.h"
#include "../support/stack.h"

namespace data_import::tests {

namespace {

std::string text_of(const std::string& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// The lines of a section that are indented as commands, without the indent.
std::string commands_of(const std::string& document, const std::string& section) {
    std::istringstream lines(document);
    std::string commands;
    bool is_inside = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("## ")) is_inside = line == "## " + section;
        if (is_inside && line.starts_with("    ")) commands += line.substr(4) + "\n";
    }
    return commands;
}

std::set<std::string> matches_of(const std::string& text, const std::regex& form) {
    std::set<std::string> found;
    for (std::sregex_iterator match(text.begin(), text.end(), form), end; match != end; ++match)
        found.insert((*match)[1]);
    return found;
}

}  // namespace

class ReadmeTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(ReadmeTest);
    CPPUNIT_TEST(commands_of_use_do_what_is_said);
    CPPUNIT_TEST(targets_of_make_are_there);
    CPPUNIT_TEST_SUITE_END();

public:
    void commands_of_use_do_what_is_said() {
        std::string commands = commands_of(text_of("README.md"), "Use it");
        const std::string environment = ". .run/env";
        const std::size_t place = commands.find(environment);
        CPPUNIT_ASSERT(place != std::string::npos);
        const PrivateStack stack;
        const std::string directory = shell_word(stack->run_directory().string());
        commands.replace(place, environment.size(), ". " + directory + "/env");
        const CommandResult result = run_command("set -eu -o pipefail; mkdir " + directory + "/readme; cd " +
                                                 directory + "/readme\n" + commands);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(result.output + result.errors, 0, result.status);
        for (const char* said :
             {"import supplier ACME created", "imported as A-", "NOTE_CREATION_SUCCESS", "1 line: 1 accepted",
              "staged again", "notes                        2", "nginx site"})
            CPPUNIT_ASSERT_MESSAGE(said + (" in " + result.output),
                                   result.output.find(said) != std::string::npos);
    }

    void targets_of_make_are_there() {
        const std::set<std::string> known =
            matches_of(must_run("make --no-print-directory help") + "\n", std::regex("  ([a-z-]+) +[^ ]"));
        const std::set<std::string> named = matches_of(text_of("README.md") + text_of("CONTRIBUTING.md"),
                                                       std::regex("(?:`|    |[0-9] )make ([a-z-]+)"));
        CPPUNIT_ASSERT(named.size() >= 8);
        for (const std::string& target : named)
            CPPUNIT_ASSERT_MESSAGE("make " + target, known.contains(target));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(ReadmeTest);

}  // namespace data_import::tests

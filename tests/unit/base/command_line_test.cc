// Command lines of programs that have options and no commands.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <sstream>
#include <string>
#include <vector>

#include "../../table.h"
#include "base/command_line/help.h"
#include "base/config/daemon.h"

namespace data_import {

namespace {

struct WrongLine {
    std::vector<std::string> words;
    std::string sentence;
};

const std::vector<WrongLine> wrong_lines = {
    {{"--frob"}, "there is no option --frob"},
    {{"--check-cofnig"}, "there is no option --check-cofnig; did you mean --check-config?"},
    {{"x"}, "\"x\" is one argument too many"},
    {{"help"}, "\"help\" is one argument too many"},
    {{"--config"}, "--config needs a value, FILE"},
    {{"--config", "--version"}, "--config needs a value, FILE; write --config=FILE if it begins with -"},
    {{"--config="}, "--config is empty"},
    {{"--config", "a", "--config", "b"}, "--config is given twice"},
    {{"--version=1"}, "--version takes no value"},
    {{"--check-config", "--sample-config"}, "--check-config and --sample-config exclude each other"},
};

command_line::Invocation parsed(const std::vector<std::string>& words) {
    return command_line::parse(config::daemon(), words);
}

std::string answer_to(const std::vector<std::string>& words) {
    std::ostringstream output;
    return command_line::answer(parsed(words), output) ? output.str() : "none";
}

}  // namespace

class CommandLineTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(CommandLineTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_wrong_lines);
    CPPUNIT_TEST(tells_the_wanted_action);
    CPPUNIT_TEST(helps_before_all_else);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_wrong_lines(TestSuiteBuilderContextType& context) {
        for (const WrongLine& row : wrong_lines) {
            tests::add_row(context, "refuses: " + row.sentence, [row] {
                try {
                    static_cast<void>(config::wanted_action(parsed(row.words)));
                } catch (const command_line::UsageError& error) {
                    CPPUNIT_ASSERT_EQUAL(row.sentence +
                                             "; usage: data-importd [--config FILE] [--check-config | "
                                             "--print-config] (see --help)",
                                         std::string(error.what()));
                    return;
                }
                CPPUNIT_FAIL("taken");
            });
        }
    }

    void tells_the_wanted_action() {
        CPPUNIT_ASSERT_EQUAL(std::string(), config::wanted_action(parsed({"--config=/x"})));
        CPPUNIT_ASSERT_EQUAL(std::string("/x"), parsed({"--config=/x"}).option("--config").value());
        CPPUNIT_ASSERT(!parsed({"--version"}).option("--version"));
        CPPUNIT_ASSERT_EQUAL(std::string("--print-config"),
                             config::wanted_action(parsed({"--print-config", "--print-config"})));
    }

    void helps_before_all_else() {
        for (const char* help : {"--help", "-h"}) {
            CPPUNIT_ASSERT(
                answer_to({"--version", help, "--check-config"}).starts_with("Usage: data-importd "));
        }
        CPPUNIT_ASSERT(answer_to({"--version"}).starts_with("data-importd "));
        CPPUNIT_ASSERT_EQUAL(std::string("none"), answer_to({"--check-config"}));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(CommandLineTest);

}  // namespace data_import

// Command lines for people to paste.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>
#include <vector>

#include "../../table.h"
#include "base/util/shell_command.h"

namespace data_import {

namespace {

struct Row {
    std::vector<std::string> arguments;
    std::string options;
    std::string command;
};

const std::vector<Row> rows = {
    {{}, "", "account show"},
    {{}, " --yes", "account show --yes"},
    {{"ACME", "4711/a.b"}, " --yes", "account show ACME 4711/a.b --yes"},
    {{"Stadtwerke Süd", ""}, "", "account show 'Stadtwerke Süd' ''"},
    {{"it's", "$(id);\"`"}, "", "account show 'it'\\''s' '$(id);\"`'"},
    {{"~", "#1", "a*"}, "", "account show '~' '#1' 'a*'"},
    {{"ACME", "DE-12-3\u200B"}, "", "account show ACME $'DE-12-3\\U0000200B'"},
    {{"it's \\ \u00A0"
      "1 "},
     "",
     "account show $'it\\'s \\\\ \\U000000A01 '"},
    {{" 4711"}, "", "account show ' 4711'"},
    {{"ACME", "-5"}, "", "account show -- ACME -5"},
    {{"ACME", "- 5"}, " --reason TEXT", "account show --reason TEXT -- ACME '- 5'"},
};

}  // namespace

class ShellCommandTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(ShellCommandTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(remarks_stand_behind_the_command);
    CPPUNIT_TEST_SUITE_END();

public:
    void remarks_stand_behind_the_command() {
        const std::string once = util::with_remark("df -h", "make room");
        CPPUNIT_ASSERT_EQUAL(std::string("df -h   # make room"), once);
        CPPUNIT_ASSERT_EQUAL(std::string("df -h   # make room; or not"), util::with_remark(once, "or not"));
    }

    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : rows) {
            tests::add_row(context, row.command, [row] {
                CPPUNIT_ASSERT_EQUAL(row.command,
                                     util::shell_command("account show", row.arguments, row.options));
            });
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(ShellCommandTest);

}  // namespace data_import

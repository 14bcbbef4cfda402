// data-importctl: every command answers programs with JSON if --json stands after it, and people with lines
// of at most 100 columns, however long the values are.
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <set>
#include <sstream>

#include "../../support/command.h"
#include "../../support/stack.h"
#include "../../support/world.h"
#include "base/command_line/help.h"
#include "base/util/text.h"
#include "data/json/reader.h"
#include "tools/ctl/command.h"

namespace data_import::tests {

namespace {

/// A command line of data-importctl. Each line is run with --json, as programs run it, and without --json, as
/// people run it.
struct Line {
    std::string command;
    /// The arguments, with placeholders that run_line() replaces: `%` by a code that no other supplier or
    /// consumer has, and words in capitals by values, such as NUMBER by an external account number.
    std::string arguments;
    int status = 0;  ///< the expected exit status
};

// Earlier lines make the data of later ones.
const std::vector<Line> lines = {
    {"db setup", ""},
    {"db migrate", ""},
    {"db check", ""},
    {"db distribute", "", 1},
    {"config check", ""},
    {"config show", ""},
    {"supplier create", "% --name LONG"},
    {"supplier remove", "%"},
    {"supplier create", "% --name LONG --document-root PATH"},
    {"supplier set", "% --name LONG"},
    {"supplier list", ""},
    {"supplier show", "%"},
    {"key create", "--organisation LONG --supplier %"},
    {"key list", ""},
    {"key set", "ID --supplier %"},
    {"signing-key list", ""},
    {"signing-key rotate", ""},
    {"signing-key remove", "KID"},
    {"audit", ""},
    {"account stage", "% NUMBER"},
    {"account begin", "% NUMBER"},
    {"account fail", "% NUMBER --reason LONG"},
    {"supplier acknowledge", "% --reason LONG"},
    {"account stage", "% NUMBER"},
    {"account begin", "% NUMBER"},
    {"account complete", "% NUMBER"},
    {"account show", "% NUMBER"},
    {"account load", "% FILE"},
    {"account list", "%"},
    {"account retry", "%"},
    {"reconcile", "% TOTALS"},
    {"recount", "%"},
    {"report", "% --signed-by LONG", 1},  // status 1: the supplier has not declared its totals
    {"report", "% --signed-by LONG --draft --output DIR"},
    {"report verify", "FILE", 1},
    {"export", "% --output DIR/export"},
    {"drain", ""},
    {"drain", "--off"},
    {"statement open", "% NUMBER 2024-05-01:2024-05-31"},
    {"statement close", "% NUMBER"},
    {"consumer add", "% --from beginning"},
    {"consumer declare", "crm % FILE", 1},          // status 1: there is no consumer crm
    {"consumer accept", "crm % --reason LONG", 1},  // status 1: there is no consumer crm
    {"consumer list", ""},
    {"consumer remove", "%"},
    {"account reset", "% NUMBER"},
    {"account hold", "% NUMBER"},
    {"account hold", "% NUMBER --off"},
    {"account erase", "% NUMBER"},
    {"supplier erase", "%", 1},  // status 1: the supplier does not have the status Complete
    {"token issue", "--key ID"},
    {"import log", ""},
    {"request show", "00000000000000000000000000000000", 1},
    {"operator add", "jane --role signer --supplier %"},
    {"operator list", ""},
    {"operator remove", "jane"},
    {"metrics", ""},
    {"doctor", "", 1},  // status 1: the doctor finds that simulated vendors misbehave
    {"nginx disable", ""},
    {"nginx enable", ""},
    {"key revoke", "ID"},
};

/// The operators' sites use the upstreams of the service's site, so nginx refuses to disable the service's
/// site before the operators' sites.
void disable_sites_of_operators(const Stack& stack) {
    for (const auto& site :
         std::filesystem::directory_iterator(stack.run_directory() / "nginx/sites-enabled"))
        if (site.path().filename().string().starts_with("operators")) std::filesystem::remove(site);
}

}  // namespace

class CtlOutputTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(CtlOutputTest);
    CPPUNIT_TEST(has_a_line_for_every_command);
    CPPUNIT_TEST(answers_programs);
    CPPUNIT_TEST(answers_people);
    CPPUNIT_TEST(has_colours_on_a_terminal_only);
    CPPUNIT_TEST(ends_quietly_where_nobody_reads);
    CPPUNIT_TEST_SUITE_END();

public:
    void has_a_line_for_every_command() {
        for (const ctl::Command& command : ctl::commands()) {
            const std::string name = command_line::command_name(command);
            const bool is_there = std::any_of(lines.begin(), lines.end(),
                                              [&](const Line& line) { return line.command == name; });
            CPPUNIT_ASSERT_MESSAGE(name + " is not tried", is_there);
        }
    }

    void answers_programs() {
        PrivateStack stack({}, "", "off", "all");
        disable_sites_of_operators(*stack);
        std::string wrong;
        for (const Line& line : lines) {
            const CommandResult result = run_line(*stack, "CODE-FOR-PROGRAMS", line, " --json");
            try {
                if (result.status == 0 || !result.output.empty())
                    static_cast<void>(json::read(trimmed(result.output)));
            } catch (const json::SyntaxError& error) {
                wrong += "\n" + line.command + ": " + error.what() + ": " + result.output;
            }
            if (result.status != line.status) wrong += "\n" + line.command + ": " + result.errors;
        }
        CPPUNIT_ASSERT_MESSAGE(wrong, wrong.empty());
    }

    void answers_people() {
        PrivateStack stack({}, "", "off", "all");
        disable_sites_of_operators(*stack);
        std::string wrong;
        for (const Line& line : lines) {
            const CommandResult result = run_line(*stack, std::string(64, 'S'), line, "");
            if (result.status != line.status) wrong += "\n" + line.command + ": " + result.errors;
            wrong += cut_words_in(line, result.output);
        }
        CPPUNIT_ASSERT_MESSAGE(wrong, wrong.empty());
    }

    void has_colours_on_a_terminal_only() {
        const std::string ctl = world().stack().value("CTL");  // has suppliers
        const auto is_coloured = [&](const std::string& environment, const std::string& command) {
            const CommandResult result = run_command(environment + command);
            CPPUNIT_ASSERT_MESSAGE(result.output + result.errors, !result.output.empty());
            return result.output.find("\x1b[") != std::string::npos;
        };
        for (const char* words : {" supplier list", " nonsense 2>&1"}) {
            const std::string on_terminal =
                "script --quiet --command " + shell_word(ctl + words) + " /dev/null";
            CPPUNIT_ASSERT(is_coloured("TERM=xterm NO_COLOR= ", on_terminal));
            CPPUNIT_ASSERT(!is_coloured("TERM=xterm NO_COLOR=1 ", on_terminal));
            CPPUNIT_ASSERT(!is_coloured("TERM=dumb NO_COLOR= ", on_terminal));
            CPPUNIT_ASSERT(!is_coloured("TERM=xterm NO_COLOR= ", ctl + words));
        }
    }

    // Programs end quietly when the reader of their output ends early, as `| head -1` does. A full disk is an
    // error.
    void ends_quietly_where_nobody_reads() {
        const std::string ctl = world().stack().value("CTL");
        const std::string programs = build_directory().string();
        for (const std::string& command :
             {ctl + " --help", ctl + " supplier list", ctl + " account list ACME --csv",
              ctl + " account list ACME --json", programs + "/data-importd --help",
              programs + "/data-import-load --help"}) {
            const CommandResult unread = run_command("exec > >(exit); wait $!; exec " + command);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(command, 128 + SIGPIPE, unread.status);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(command, std::string(), unread.errors);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(command, 1, run_command("exec >/dev/full; exec " + command).status);
        }
    }

private:
    static std::string trimmed(std::string text) {
        while (!text.empty() && text.back() == '\n') text.pop_back();
        return text;
    }

    /// Returns a message if the output has an ellipsis, or a code or number that is not in full in one line.
    /// Returns an empty text otherwise.
    static std::string cut_words_in(const Line& line, const std::string& output) {
        for (const std::string& id : {std::string(64, 'S'), std::string(128, 'n')}) {
            const bool is_shown = output.find(id.substr(0, 8)) != std::string::npos;
            if (is_shown && output.find(id) == std::string::npos) return "\n" + line.command + ": " + output;
        }
        return output.find("…") == std::string::npos ? "" : "\n" + line.command + ": " + output;
    }

    static void replace(std::string& text, const std::string& word, const std::string& value) {
        const std::size_t at = text.find(word);
        if (at != std::string::npos) text.replace(at, word.size(), value);
    }

    static CommandResult run_line(const Stack& stack, const std::string& code, const Line& line,
                                  const std::string& more) {
        const std::string ctl = stack.value("CTL");
        const std::string file = (stack.run_directory() / "accounts.csv").string();
        must_run(
            "printf '%s\\n' "
            "external_account_number,state,service_account_number,account_created_at,statement_from,"
            "statement_to one,staged,,,, >" +
            file);
        const std::string totals = (stack.run_directory() / "totals.csv").string();
        must_run("echo external_account_number,kind,records,amount >" + totals);
        std::string arguments = line.arguments;
        replace(arguments, "%", code);
        replace(arguments, "LONG", "'" + std::string(200, 'x') + " ü'");
        replace(arguments, "PATH", std::string(200, 'p'));
        replace(arguments, "DIR", stack.run_directory().string());
        replace(arguments, "NUMBER", std::string(128, 'n'));
        replace(arguments, "FILE", file);
        replace(arguments, "TOTALS", totals);
        if (arguments.find("KID") != std::string::npos)
            replace(
                arguments, "KID",
                must_run(
                    ctl +
                    " signing-key list --json | grep -o '[0-9T]*[.][0-9]*Z-[0-9a-f]*' | sort | head -n 1"));
        else if (arguments.find("ID") == 0 || arguments.find(" ID") != std::string::npos)
            replace(arguments, "ID",
                    must_run(ctl + " key list --json | grep -o '\"id\":\"*[0-9]*' | grep -o '[0-9]*' | sort "
                                   "-n | tail -n 1"));
        return run_command(ctl + " " + line.command + " " + arguments + more);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(CtlOutputTest);

}  // namespace data_import::tests

// Completion in bash: the words that the program offers, and the script's use of them.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "../../runner.h"
#include "../../table.h"
#include "../scratch_file.h"
#include "base/command_line/completion.h"
#include "base/config/daemon.h"
#include "tools/client/options.h"
#include "tools/console/bounded.h"
#include "tools/ctl/command.h"

namespace data_import {

namespace {

using namespace std::chrono_literals;

const std::string script = "src/base/texts/completion.bash";

struct Row {
    std::string line;  ///< the word after the last blank is not complete
    std::vector<std::string> offered;
    std::string not_offered;
};

/// Command lines, each with words that completion has to offer and with a word that completion must not
/// offer. Names such as suppliers' codes come from a database, which this test does not have. In place of the
/// names, a row has the question to the database. For example, `EXTERNAL of 'ACME' '47'` asks for the account
/// numbers of the supplier ACME that begin with 47. The word `files` stands for names of files.
const std::vector<Row> rows = {
    {"data-importctl ", {"supplier", "account", "doctor", "metrics", "help"}, "stage"},
    {"data-importctl su", {"supplier"}, "account"},
    {"data-importctl account ", {"stage", "begin", "complete", "fail", "show", "load"}, "create"},
    {"data-importctl --json account ", {"stage"}, "create"},
    {"data-importctl --config /x account ", {"stage"}, "create"},
    {"data-importctl help ", {"supplier"}, "help"},
    {"data-importctl help account ", {"stage"}, "supplier"},
    {"data-importctl report ", {"verify"}, "CODE of '' ''"},
    {"data-importctl report A", {"CODE of '' 'A'"}, "verify"},
    {"data-importctl account complete ACME 1 --", {"--service-account-number", "--json"}, "--reason"},
    {"data-importctl account complete ACME 1 -- --", {}, "--json"},
    {"data-importctl doctor --", {"--json", "--config"}, "--reason"},
    {"data-importctl supplier set ACME --status ", {"Ongoing", "Paused", "Complete"}, "--json"},
    {"data-importctl supplier show ", {"CODE of '' ''"}, "EXTERNAL of '' ''"},
    {"data-importctl --config /x supplier show AC", {"CODE of '' 'AC'"}, ""},
    {"data-importctl key create --organisation Acme --supplier AC", {"CODE of '' 'AC'"}, ""},
    {"data-importctl account show ACME 47", {"EXTERNAL of 'ACME' '47'"}, ""},
    {"data-importctl account complete --created-at T ACME ", {"EXTERNAL of 'ACME' ''"}, ""},
    {"data-importctl request show ID --supplier ACME --account 4", {"EXTERNAL of 'ACME' '4'"}, ""},
    {"data-importctl request show ID --supplier=ACME --account=4", {"--account=EXTERNAL of 'ACME' '4'"}, ""},
    {"data-importctl account show ACME 4711 ", {}, "4711"},
    {"data-importctl account list --config=/x ACME --state=f", {"--state=failed"}, "--state=staged"},
    {"data-importctl account show help help", {"EXTERNAL of 'help' 'help'"}, ""},
    {"data-importctl account load ACME ", {"files"}, ""},
    {"data-importctl --config=", {"files"}, ""},
    {"data-importctl --json=", {}, "files"},
    {"data-importctl nothing ", {}, "files"},
    {"data-import-load --", {"--url", "--json", "--check", "--dry-run", "--journal"}, "--reason"},
    {"data-import-load --json a ", {"files"}, ""},
    {"data-import-load --rejects ", {"files"}, ""},
    {"data-import-load --url ", {}, "files"},
    {"data-importd --c", {"--config", "--check-config"}, "--help"},
};

command_line::Program with_asked_names(command_line::Program program) {
    program.names = [](std::string_view value, const std::string& beginning,
                       const command_line::Invocation& before) -> std::vector<std::string> {
        if (value != "CODE" && value != "EXTERNAL") return {};
        const std::string supplier =
            before.optional_argument("CODE").value_or(before.option("--supplier").value_or(""));
        return {std::string(value) + " of '" + supplier + "' '" + beginning + "'"};
    };
    return program;
}

const command_line::Program& program_named(const std::string& name) {
    static const command_line::Program ctl = with_asked_names(ctl::program());
    if (name == "data-import-load") return client::program_table();
    return name == ctl.name ? ctl : config::daemon();
}

std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words;
    std::istringstream blanks(line);
    for (std::string word; std::getline(blanks, word, ' ');) words.push_back(word);
    if (line.ends_with(' ')) words.emplace_back();
    return words;
}

}  // namespace

class CompletionTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(CompletionTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(answers_the_script_alone);
    CPPUNIT_TEST(script_is_accepted_by_shellcheck);
    CPPUNIT_TEST(script_asks_and_quotes);
    CPPUNIT_TEST(script_finds_files);
    CPPUNIT_TEST(script_goes_on_behind_separators);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : rows) tests::add_row(context, "completes " + row.line, [row] { check(row); });
    }

    void answers_the_script_alone() {
        std::ostringstream output;
        CPPUNIT_ASSERT(!command_line::complete(config::daemon(), {"--help"}, output));
        CPPUNIT_ASSERT(!command_line::complete(config::daemon(), {}, output));
        CPPUNIT_ASSERT_EQUAL(std::string(), output.str());
        CPPUNIT_ASSERT(command_line::complete(config::daemon(), {"--complete", "--p"}, output));
        CPPUNIT_ASSERT_EQUAL(std::string("words\n--print-config\n"), output.str());
    }

    void script_is_accepted_by_shellcheck() {
        const console::ProgramResult result =
            console::run_program({"shellcheck", "--shell=bash", script}, 30s);
        if (result.status == 127) tests::skip("shellcheck is not installed");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(result.output, 0, result.status);
    }

    void script_asks_and_quotes() {
        CPPUNIT_ASSERT_EQUAL(std::string("--complete/supplier/show/A|"),
                             completed(R"(printf 'words\n%s\n' "$*" | tr ' ' /)", "supplier show 'A"));
        CPPUNIT_ASSERT_EQUAL(std::string("\\$\\(echo\\ X\\)|a\\ b|\\*|"),
                             completed(R"(printf '%s\n' words '$(echo X)' 'a b' '*')", "supplier show "));
        CPPUNIT_ASSERT_EQUAL(std::string("|"), completed(":", "frobnicate "));
    }

    void script_finds_files() {
        CPPUNIT_ASSERT_EQUAL(script + "|", completed("echo files", script.substr(0, script.size() - 1)));
        CPPUNIT_ASSERT_EQUAL("--config=" + script + "|", completed("echo files", "--config=" + script));
    }

    // Tests with an interactive bash, because bash decides what it does with the script's answers.
    void script_goes_on_behind_separators() {
        const std::vector<std::pair<std::string, std::string>> typed = {
            {"account show ACME 47:1", "account|show|ACME|47:11|"},
            {"account show ACME 47:", "account|show|ACME|47:11|"},
            {"account show ACME a=b:", "account|show|ACME|a=b:c@d|"},
            {"account show ACME a=b:c@", "account|show|ACME|a=b:c@d|"},
            {"account show ACME \"47:1", "account|show|ACME|47:11|"},
            {"account show ACME 9\\(", "account|show|ACME|9(:1)|"},
            {"request show 1 --supplier=ACME --account=47:1",
             "request|show|1|--supplier=ACME|--account=47:11|"},
        };
        for (const auto& [line, words] : typed) {
            const tests::ScratchFile input(
                ". " + script +
                "\ndata-importctl() { case $1 in --complete) local last=${@: -1} option=''; "
                "[[ $last != --account=* ]] || option=--account=; echo words; "
                "printf -- \"$option%s\\n\" '47:11' 'a=b:c@d' '9(:1)' | grep --fixed-strings -- \"$last\" ;; "
                "*) printf '%s|' \"$@\" >&3 ;; esac; }\ndata-importctl " +
                line + "\t\nexit\n");
            const tests::ScratchFile heard("");
            const console::ProgramResult result = console::run_program(
                {"bash", "-c", "bash --norc --noprofile -i 3>" + heard.path() + " <" + input.path()}, 30s);
            std::ifstream stream(heard.path());
            const std::string said{std::istreambuf_iterator<char>(stream), {}};
            CPPUNIT_ASSERT_EQUAL_MESSAGE(result.output, words, said);
        }
    }

private:
    static void check(const Row& row) {
        std::vector<std::string> words = words_of(row.line);
        const command_line::Program& program = program_named(words.front());
        words.erase(words.begin());
        command_line::Candidates found = command_line::candidates(program, words);
        if (found.are_files) found.words.emplace_back("files");
        std::string all;
        for (const std::string& word : found.words) all += word + '\n';
        for (const std::string& word : row.offered)
            CPPUNIT_ASSERT_MESSAGE(all + "lacks " + word, std::ranges::count(found.words, word) == 1);
        CPPUNIT_ASSERT_MESSAGE(all, std::ranges::count(found.words, row.not_offered) == 0);
        CPPUNIT_ASSERT_MESSAGE(all, !row.offered.empty() || found.words.empty());
    }

    /// Returns the answers of the script, each followed by a bar. The commands in `program` run in the place
    /// of data-importctl.
    static std::string completed(const std::string& program, const std::string& line) {
        const std::string commands = ". " + script + "; data-importctl() { " + program +
                                     "; }; COMP_LINE=\"data-importctl " + line +
                                     "\"; read -ra COMP_WORDS <<<\"$COMP_LINE\"; "
                                     "[[ $COMP_LINE != *' ' ]] || COMP_WORDS+=(''); "
                                     "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _data_import; "
                                     "printf '%s|' \"${COMPREPLY[@]}\"";
        return console::run_program({"bash", "-c", commands}, 30s).output;
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(CompletionTest);

}  // namespace data_import

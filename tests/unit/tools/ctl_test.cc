// ctl: command lines, usage errors, values, tables for people.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "../../table.h"
#include "base/command_line/help.h"
#include "data/proof/account_totals.h"
#include "tools/console/context.h"
#include "tools/console/text_table.h"
#include "tools/ctl/columns.h"
#include "tools/ctl/values.h"

namespace data_import {

namespace {

struct WrongLine {
    std::vector<std::string> words;
    std::string begins;  ///< the beginning of the only line of the message
};

const std::vector<WrongLine> wrong_lines = {
    {{}, "the command is missing; usage: data-importctl COMMAND"},
    {{"--json"}, "the command is missing"},
    {{"auditing"}, "there is no command \"auditing\"; usage: "},
    {{"auidt"}, "there is no command \"auidt\"; did you mean audit?; usage: "},
    {{"supllier", "list"}, "there is no command \"supllier\"; did you mean supplier?; usage: "},
    {{"stage", "A", "1"}, "there is no command \"stage\"; did you mean account stage?; usage: "},
    {{"account", "sho"}, "there is no command \"account sho\"; did you mean account show?; usage: "},
    {{"account", "destroy"}, "there is no command \"account destroy\"; usage: "},
    {{"supplier", "set", "A", "--statsu", "Paused"},
     "there is no option --statsu here; did you mean --status?; usage: "},
    {{"supplier", "list", "--jsno"}, "there is no option --jsno here; did you mean --json?; usage: "},
    {{"audit", "all"}, "\"all\" is one argument too many; usage: data-importctl audit [--since T]"},
    {{"audit", "--since"}, "--since needs a value, T"},
    {{"audit", "--since", "yesterday"}, "--since has to be a time like"},
    {{"signing-key", "remove"}, "KID is missing"},
    {{"account"}, "\"account\" needs another word; usage: data-importctl account stage|begin|"},
    {{"account", "frob"}, "there is no command \"account frob\""},
    {{"account", "stage"}, "CODE is missing; usage: data-importctl account stage CODE EXTERNAL"},
    {{"account", "stage", "A"}, "EXTERNAL is missing"},
    {{"account", "stage", "A", "1", "2"}, "\"2\" is one argument too many"},
    {{"account", "stage", "", "1"}, "CODE is empty"},
    {{"account", "stage", " ", "1"}, "CODE is blank"},
    {{"account", "stage", "A\nB", "1"}, "CODE holds a control character"},
    {{"account", "stage",
      "A\xC2\x9B"
      "31m",
      "1"},
     "CODE holds a control character"},
    {{"supplier", "create", "A", "--name", "A\xC2\x85"}, "--name holds a control character"},
    {{"supplier", "create", "A", "--name",
      "\xE2\x80\xAE"
      "emcA"},
     "--name holds an invisible character that changes the direction of text"},
    {{"key", "create", "--supplier", "A", "--organisation", "A\xE2\x81\xA6"},
     "--organisation holds an invisible character that changes the direction of text"},
    {{"account", "stage", "\xFF", "1"}, "CODE is not UTF-8"},
    {{"account", "stage", std::string(65, 'x'), "1"}, "CODE is longer than 64 characters"},
    {{"account", "stage", "A", std::string(129, 'x')}, "EXTERNAL is longer than 128 characters"},
    {{"account", "stage", "A", "1", "--frob"}, "there is no option --frob here; usage: "},
    {{"account", "show", "A", "-4711"},
     "there is no option -4711 here; if it is EXTERNAL, put -- before it: -- -4711; usage: "},
    {{"account", "show", "-A"},
     "there is no option -A here; if it is CODE, put -- before it: -- -A; usage: "},
    {{"supplier", "create", "--A=B"},
     "there is no option --A here; if it is CODE, put -- before it: -- --A=B; usage: "},
    {{"reconcile", "A", "-a.csv"},
     "there is no option -a.csv here; if it is FILE.csv, put -- before it: -- -a.csv; usage: "},
    {{"account", "stage", "A", "1", "--json=1"}, "--json takes no value"},
    {{"account", "stage", "A", "1", "--config"}, "--config needs a value, FILE"},
    {{"account", "stage", "A", "1", "--config="}, "--config is empty"},
    {{"--frob", "account", "stage", "A", "1"}, "option --frob is before its command"},
    {{"account", "fail", "A", "1"}, "--reason is missing"},
    {{"account", "fail", "A", "1", "--reason", ""}, "--reason is empty"},
    {{"account", "fail", "A", "1", "--reason", "--json"}, "--reason needs a value, TEXT"},
    {{"account", "fail", "A", "1", "--reason", "x", "--reason", "y"}, "--reason is given twice"},
    {{"account", "complete", "A", "1", "--created-at", "2024-05-31"}, "--created-at has to be a time like"},
    {{"account", "complete", "A", "1", "--statement-period", "2024-05-31"},
     "--statement-period has to be two dates"},
    {{"account", "complete", "A", "1", "--statement-period", "2024-05-31:2024-05-30"},
     "--statement-period ends before it begins"},
    {{"supplier", "create", "A"},
     "--name is missing; usage: data-importctl supplier create CODE --name NAME"},
    {{"supplier", "create", "A", "--name", "x", "--status", "ongoing"},
     "--status has to be Ongoing, Paused or Complete"},
    {{"supplier", "create", "A", "--name", "x", "--document-root", "a/../b"},
     "--document-root holds a segment"},
    {{"supplier", "set", "A"}, "there is nothing to change"},
    {{"key", "create", "--organisation", "x"}, "--supplier is missing"},
    {{"key", "revoke", "0"}, "ID has to be the number of a key"},
    {{"key", "revoke", "07"}, "ID has to be the number of a key"},
    {{"key", "revoke", "9223372036854775808"}, "ID has to be the number of a key"},
    {{"key", "revoke", "1x"}, "ID has to be the number of a key"},
    {{"account", "list", "A", "--state", "done"},
     "--state has to be staged, in_progress, failed or imported"},
    {{"account", "list", "A", "--stuck", "0"}, "--stuck has to be a whole number from 1 to 87600"},
    {{"account", "list", "A", "--stuck", "87601"}, "--stuck has to be a whole number"},
    {{"account", "list", "A", "--stuck", "1h"}, "--stuck has to be a whole number"},
    {{"account", "list", "A", "--without", "note"}, "--without has to be notes, transactions,"},
    {{"account", "list", "A", "--csv=1"}, "--csv takes no value"},
    {{"account", "retry", "A", "--reason-like", " "}, "--reason-like is blank"},
    {{"report", "--signed-by", "", "--", "A"}, "--signed-by is empty"},
    {{"token", "issue"}, "--key is missing; usage: data-importctl token issue --key ID"},
};

struct Period {
    std::string text;
    bool is_right;
};

const std::vector<Period> periods = {{"2024-01-01:2024-01-31", true},
                                     {"2024-02-29:2024-02-29", true},
                                     {"2024-01-31:2024-01-01", false},
                                     {"2023-02-29:2023-03-01", false},
                                     {"2024-01-01", false},
                                     {"2024-01-01:", false},
                                     {":2024-01-01", false},
                                     {"2024-1-1:2024-1-31", false},
                                     {"2024-01-01:2024-01-31:", false},
                                     {"", false},
                                     {"2024-01-01 :2024-01-31", false}};

ctl::Invocation parsed(const std::vector<std::string>& words) {
    return command_line::parse(ctl::program(), words);
}

std::string joined(const std::vector<std::string>& words) {
    std::string text = "data-importctl";
    for (const std::string& word : words) text += " " + (word.size() > 30 ? word.substr(0, 30) : word);
    return text;
}

std::vector<std::string> split(std::string_view example) {
    std::vector<std::string> words;
    std::string word;
    bool quoted = false;
    for (const char byte : std::string(example) + " ") {
        if (byte == '"') {
            quoted = !quoted;
        } else if (byte == ' ' && !quoted) {
            words.push_back(std::exchange(word, ""));
        } else {
            word += byte;
        }
    }
    return words;
}

}  // namespace

class CtlTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(CtlTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_wrong_lines);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_periods);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_examples);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_commands);
    CPPUNIT_TEST(takes_options_anywhere);
    CPPUNIT_TEST(has_the_time_of_a_snapshot_for_long_work);
    CPPUNIT_TEST(takes_commands_without_a_verb);
    CPPUNIT_TEST(helps_by_the_word_as_by_the_option);
    CPPUNIT_TEST(keeps_help_to_the_line_width);
    CPPUNIT_TEST(takes_repeated_options_in_their_order);
    CPPUNIT_TEST(takes_arguments_with_dashes_behind_two_dashes);
    CPPUNIT_TEST(helps_on_everything_a_group_and_a_command);
    CPPUNIT_TEST(keeps_the_text_of_a_command_below_it);
    CPPUNIT_TEST(never_cuts_tables);
    CPPUNIT_TEST(never_breaks_words_of_properties);
    CPPUNIT_TEST(says_that_a_table_is_empty);
    CPPUNIT_TEST(shows_columns_to_people_and_programs);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_wrong_lines(TestSuiteBuilderContextType& context) {
        for (const WrongLine& row : wrong_lines) {
            tests::add_row(context, "refuses " + ctl::in_one_line(joined(row.words)), [row] {
                try {
                    static_cast<void>(parsed(row.words));
                } catch (const command_line::UsageError& error) {
                    CPPUNIT_ASSERT_EQUAL(row.begins, std::string(error.what()).substr(0, row.begins.size()));
                    CPPUNIT_ASSERT(std::string(error.what()).find("; usage: data-importctl ") !=
                                   std::string::npos);
                    return;
                }
                CPPUNIT_FAIL("taken");
            });
        }
    }

    static void add_periods(TestSuiteBuilderContextType& context) {
        for (const Period& row : periods) {
            tests::add_row(context, "period " + row.text, [row] {
                CPPUNIT_ASSERT_EQUAL(row.is_right, !ctl::check_period(row.text).has_value());
                const auto [first_day, last_day] = ctl::parse_period(row.text);
                if (row.is_right) CPPUNIT_ASSERT_EQUAL(row.text, first_day + ':' + last_day);
            });
        }
    }

    // examples of --help have to work as they stand there
    static void add_examples(TestSuiteBuilderContextType& context) {
        for (const command_line::Command& command : ctl::program().commands) {
            tests::add_row(context, "example " + std::string(command.example), [&command] {
                const ctl::Invocation invocation = parsed(split(command.example));
                CPPUNIT_ASSERT(invocation.command() == &command);
            });
        }
    }

    // adds a test for each command: it tries faulty command lines, which it makes from the example, the
    // arguments and the options that ctl::program() has for the command
    static void add_commands(TestSuiteBuilderContextType& context) {
        for (const command_line::Command& command : ctl::program().commands) {
            tests::add_row(context, "wrong usage of " + command_line::command_name(command),
                           [&command] { check_wrong_usage(command); });
        }
    }

    void takes_commands_without_a_verb() {
        const auto invocation = parsed({"doctor", "--json"});
        CPPUNIT_ASSERT_EQUAL(std::string("doctor"), command_line::command_name(*invocation.command()));
        CPPUNIT_ASSERT(invocation.has("--json"));
        CPPUNIT_ASSERT_EQUAL(std::string("data-importctl doctor [--commands]"),
                             command_line::usage_line(ctl::program(), invocation.command(), "doctor"));
    }

    void helps_by_the_word_as_by_the_option() {
        for (const command_line::Command& command : ctl::program().commands) {
            std::vector<std::string> words{"help", std::string(command.group)};
            if (!command.verb.empty()) words.emplace_back(command.verb);
            const ctl::Invocation invocation = parsed(words);
            CPPUNIT_ASSERT(invocation.wanted() == ctl::Invocation::Wanted::help);
            CPPUNIT_ASSERT(invocation.command() == &command);
            const std::string text =
                command_line::help(ctl::program(), invocation.command(), invocation.group());
            CPPUNIT_ASSERT(text.find("\nExample:\n    data-importctl " + std::string(command.example)) !=
                           std::string::npos);
        }
        CPPUNIT_ASSERT(parsed({"help"}).command() == nullptr);
        CPPUNIT_ASSERT_EQUAL(std::string("key"), parsed({"help", "key"}).group());
        CPPUNIT_ASSERT_THROW(static_cast<void>(parsed({"help", "frob"})), command_line::UsageError);
        CPPUNIT_ASSERT_THROW(static_cast<void>(parsed({"help", "help"})), command_line::UsageError);
    }

    void keeps_help_to_the_line_width() {
        for (const command_line::Command& command : ctl::program().commands) {
            std::istringstream lines(command_line::help(ctl::program(), &command, command.group));
            for (std::string line; std::getline(lines, line);) {
                const bool is_to_paste =
                    line.starts_with("data-importctl ") || line.starts_with("    data-importctl ");
                CPPUNIT_ASSERT_MESSAGE(line, is_to_paste || line.size() <= ctl::line_width + 20);
            }
        }
    }

    /// Long work may take as long as a snapshot may last (proof::longest_snapshot), because reading all
    /// records of a large book can take days.
    void has_the_time_of_a_snapshot_for_long_work() {
        const auto left = ctl::Context::late() - std::chrono::steady_clock::now();
        CPPUNIT_ASSERT(left > proof::longest_snapshot - std::chrono::minutes(1));
        CPPUNIT_ASSERT(proof::longest_snapshot >= std::chrono::hours(7 * 24));
    }

    void takes_options_anywhere() {
        for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
                 {"--json", "--config", "/f", "account", "fail", "A", "1", "--reason", "why"},
                 {"account", "--config=/f", "fail", "--reason=why", "A", "--json", "1"},
                 {"account", "fail", "--json", "A", "1", "--reason", "why", "--config", "/f"}}) {
            const ctl::Invocation invocation = parsed(words);
            CPPUNIT_ASSERT(invocation.has("--json"));
            CPPUNIT_ASSERT_EQUAL(std::string("/f"), invocation.option("--config").value());
            CPPUNIT_ASSERT_EQUAL(std::string("A"), invocation.argument("CODE"));
            CPPUNIT_ASSERT_EQUAL(std::string("1"), invocation.argument("EXTERNAL"));
            CPPUNIT_ASSERT_EQUAL(std::string("why"), invocation.option("--reason").value());
        }
    }

    void takes_repeated_options_in_their_order() {
        const auto invocation = parsed({"key", "set", "3", "--supplier", "B", "--supplier", "A"});
        CPPUNIT_ASSERT((std::vector<std::string>{"B", "A"} == invocation.options("--supplier")));
    }

    void takes_arguments_with_dashes_behind_two_dashes() {
        const auto invocation = parsed({"account", "show", "A", "--json", "--", "--4711"});
        CPPUNIT_ASSERT_EQUAL(std::string("--4711"), invocation.argument("EXTERNAL"));
        CPPUNIT_ASSERT(invocation.has("--json"));
    }

    void helps_on_everything_a_group_and_a_command() {
        for (const auto& words : std::vector<std::vector<std::string>>{
                 {"--help"}, {"key", "--help"}, {"key", "create", "--help"}, {"key", "-h"}}) {
            const ctl::Invocation invocation = parsed(words);
            CPPUNIT_ASSERT(invocation.wanted() == ctl::Invocation::Wanted::help);
            const std::string text =
                command_line::help(ctl::program(), invocation.command(), invocation.group());
            CPPUNIT_ASSERT(text.find("Example") != std::string::npos);
            CPPUNIT_ASSERT(text.find("key create") != std::string::npos);
        }
    }

    void keeps_the_text_of_a_command_below_it() {
        std::istringstream lines(command_line::help(ctl::program(), nullptr, "account"));
        int commands = 0;
        for (std::string line; std::getline(lines, line) && !line.starts_with("The help of");) {
            if (line.empty() || line.starts_with("    ")) {
                commands += line.starts_with("    account ") ? 1 : 0;
            } else {
                CPPUNIT_ASSERT_MESSAGE(line, commands == 0);
            }
        }
        CPPUNIT_ASSERT(commands > 0);
        std::string call;
        CPPUNIT_ASSERT(std::getline(lines, call));
        CPPUNIT_ASSERT_EQUAL(std::string("    data-importctl account stage --help"), call);
    }

    void never_cuts_tables() {
        ctl::Table table({"CODE", "REASON"});
        table.add({"A\nB", std::string(60, 'x') + ' ' + std::string(60, 'y')});
        table.add({std::string(64, 'c'), std::string(300, 'z')});
        const std::string indent(66, ' ');
        const std::string heading = "CODE" + std::string(62, ' ') + "REASON\n";
        const std::string first = "A B" + std::string(63, ' ');
        CPPUNIT_ASSERT_EQUAL(heading + first + std::string(60, 'x') + ' ' + std::string(60, 'y') + '\n' +
                                 std::string(64, 'c') + "  " + std::string(300, 'z') + '\n',
                             table.text("none", false));
        CPPUNIT_ASSERT_EQUAL(heading + first + std::string(60, 'x') + '\n' + indent + std::string(60, 'y') +
                                 '\n' + std::string(64, 'c') + "  " + std::string(300, 'z') + '\n',
                             table.text("none", true));
    }

    void never_breaks_words_of_properties() {
        const std::string long_word(150, 'x');
        CPPUNIT_ASSERT_EQUAL("name  " + long_word + " ü\n", ctl::property_list({{"name", long_word + " ü"}}));
        CPPUNIT_ASSERT_EQUAL(std::string("a  b\nc  -\n"), ctl::property_list({{"a", "b"}, {"c", ""}}));
        CPPUNIT_ASSERT_EQUAL("b\n  " + long_word, ctl::wrapped("b " + long_word, 2, false));
    }

    void says_that_a_table_is_empty() {
        CPPUNIT_ASSERT_EQUAL(std::string("none\n"), ctl::Table({"CODE"}).text("none"));
    }

    void shows_columns_to_people_and_programs() {
        struct Row {
            std::optional<std::string> name;
            std::int64_t count;
            std::vector<std::string> parts;
        };
        const ctl::Columns<Row> columns = {
            {"name", "NAME", &Row::name, {}, 1},
            {"count", "COUNT", &Row::count, [](const Row& row) { return std::to_string(row.count) + "!"; }},
            {"parts", "PARTS", &Row::parts, {}, 1},
            {"is_one", "", [](const Row& row) { return row.count == 1; }},
            {"", "FOR PEOPLE", [](const Row&) { return "x"; }, {}, 1},
        };
        const std::vector<Row> rows = {{"A", 1, {"b", "c"}}, {std::nullopt, 2, {}}};
        CPPUNIT_ASSERT_EQUAL(std::string("COUNT  NAME  PARTS  FOR PEOPLE\n"
                                         "1!     A     b, c   x\n"
                                         "2!     -     -      x\n"),
                             columns.text(rows, "none"));
        CPPUNIT_ASSERT_EQUAL(std::string(R"([{"name":"A","count":1,"parts":["b","c"],"is_one":true},)"
                                         R"({"name":null,"count":2,"parts":[],"is_one":false}])"
                                         "\n"),
                             columns.json(rows));
    }

private:
    /// Checks that the command line is refused with status 2 and one line that names the right form.
    static void check_refused(const command_line::Command& command, const std::vector<std::string>& words) {
        try {
            static_cast<void>(parsed(words));
        } catch (const command_line::UsageError& error) {
            const std::string line = error.what();
            CPPUNIT_ASSERT_MESSAGE(line, line.find('\n') == std::string::npos);
            CPPUNIT_ASSERT_MESSAGE(
                line, line.ends_with("; usage: " +
                                     command_line::usage_line(ctl::program(), &command, command.group)));
            return;
        }
        CPPUNIT_FAIL("taken: " + joined(words));
    }

    static void check_wrong_usage(const command_line::Command& command) {
        const std::vector<std::string> right = split(command.example);
        const auto with = [&](std::vector<std::string> more) {
            more.insert(more.begin(), right.begin(), right.end());
            return more;
        };
        if (command.arguments.empty() || !command.arguments.back().is_list)
            check_refused(command, with({"one too many"}));
        check_refused(command, with({"--frob"}));
        check_refused(command, with({"--config"}));
        check_refused(command, with({"--json=yes"}));
        check_arguments(command);
        for (const ctl::Option& option : command.options) check_option(command, option, right);
    }

    static void check_arguments(const command_line::Command& command) {
        std::vector<std::string> words{std::string(command.group)};
        if (!command.verb.empty()) words.emplace_back(command.verb);
        const std::vector<std::string> right = split(command.example);
        for (std::size_t position = 0; position < command.arguments.size(); ++position) {
            if (!command.arguments[position].is_optional) check_refused(command, words);
            std::vector<std::string> with_empty = words;
            with_empty.emplace_back("");
            check_refused(command, with_empty);
            words.push_back(right.at(words.size()));
        }
    }

    static void check_option(const command_line::Command& command, const ctl::Option& option,
                             const std::vector<std::string>& right) {
        const std::string name(option.name);
        std::vector<std::string> words = right;
        words.push_back(name);
        if (!option.value.empty()) check_refused(command, words);
        words.back() = name + "=\x01";
        check_refused(command, words);
        const auto place = std::find(right.begin(), right.end(), name);
        if (place == right.end()) return;
        words = right;
        words.insert(words.end(), {name, *std::next(place)});
        if (!option.is_list && !option.value.empty()) check_refused(command, words);
        words = right;
        words.erase(words.begin() + (place - right.begin()), words.begin() + (place - right.begin()) + 2);
        if (option.required && std::count(right.begin(), right.end(), name) == 1)
            check_refused(command, words);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(CtlTest);

}  // namespace data_import

// The manual pages and bash's completion: nothing missing, nothing that renders wrong.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "../runner.h"
#include "../table.h"
#include "config/settings.h"
#include "ctl/account_rows.h"
#include "ctl/bounded.h"
#include "ctl/command.h"
#include "ctl/usage.h"
#include "manual/client_help.h"
#include "manual/pages.h"
#include "metrics/metric_table.h"

namespace data_import {

namespace {

using namespace std::chrono_literals;

constexpr std::string_view date = "2024-01-31";

std::string source_of(const std::string& file_name) {
    static const std::vector<manual::Page> all = manual::pages();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const manual::Page& page) { return page.file_name() == file_name; });
    CPPUNIT_ASSERT_MESSAGE(file_name, found != all.end());
    return found->source(date);
}

void check_holds(const std::string& page, std::string_view text) {
    CPPUNIT_ASSERT_MESSAGE(page + " lacks " + std::string(text),
                           source_of(page).find(manual::escaped(text)) != std::string::npos);
}

/// A file for as long as a test runs.
class ScratchFile {
public:
    explicit ScratchFile(const std::string& text) {
        std::string pattern = (std::filesystem::temp_directory_path() / "data-import-manual-XXXXXX").string();
        const int file = mkstemp(pattern.data());
        CPPUNIT_ASSERT(file >= 0);
        close(file);
        path_ = pattern;
        std::ofstream(path_) << text;
    }
    ~ScratchFile() { std::filesystem::remove(path_); }
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

ctl::ProgramResult run_or_skip(const std::vector<std::string>& words) {
    ctl::ProgramResult result = ctl::run_program(words, 30s);
    if (result.status == 127) tests::skip(words.front() + " is not installed");
    return result;
}

bool is_heading(const std::string& line) {
    return line.starts_with(".SH ") || line.starts_with(".SS ");
}

bool begins_a_part(const std::string& line) {
    return is_heading(line) || line == ".PP" || line == ".TP" || line.starts_with(".RS");
}

struct Completion {
    std::string line;
    std::vector<std::string> offered;
    std::string not_offered;
};

const std::vector<Completion> completions = {
    {"data-importctl ", {"supplier", "account", "doctor", "metrics", "help"}, "stage"},
    {"data-importctl su", {"supplier"}, "account"},
    {"data-importctl account ", {"stage", "begin", "complete", "fail", "show", "load"}, "create"},
    {"data-importctl --json account ", {"stage"}, "create"},
    {"data-importctl --config /x account ", {"stage"}, "create"},
    {"data-importctl help ", {"supplier"}, "stage"},
    {"data-importctl help account ", {"stage"}, "supplier"},
    {"data-importctl account complete ACME 1 --", {"--service-account-number", "--json"}, "--reason"},
    {"data-importctl doctor --", {"--json", "--config"}, "--reason"},
    {"data-importctl supplier set ACME --status ", {"Ongoing", "Paused", "Complete"}, "--json"},
    {"data-importctl supplier show ", {"=complete=", "=suppliers="}, "=accounts="},
    {"data-importctl --config /x supplier show AC",
     {"=--config=", "=/x=", "=--=", "=suppliers=", "=AC="},
     "=="},
    {"data-importctl key create --organisation Acme --supplier AC", {"=suppliers=", "=AC="}, "=Acme="},
    {"data-importctl account show ACME 47", {"=accounts=", "=ACME=", "=47="}, "=suppliers="},
    {"data-importctl account complete --created-at T ACME ", {"=accounts=", "=ACME="}, "=T="},
    {"data-importctl request show ID --supplier ACME --account 4", {"=accounts=", "=ACME=", "=4="}, "=ID="},
    {"data-importctl account show ACME 4711 ", {}, "=4711="},
    {"data-importctl account list --config=/x ACME --state=f", {"--state=failed"}, "--state=staged"},
    {"data-importctl account show help help", {"=accounts=", "=help="}, "=suppliers="},
    {"data-import-load --", {"--url", "--json", "--check", "--dry-run", "--journal"}, "--reason"},
};

}  // namespace

class ManualTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(ManualTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_pages);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_completions);
    CPPUNIT_TEST(has_a_date_and_no_empty_paragraph);
    CPPUNIT_TEST(describes_every_command_with_its_options_and_example);
    CPPUNIT_TEST(describes_every_setting);
    CPPUNIT_TEST(describes_every_metric);
    CPPUNIT_TEST(describes_every_option_of_the_daemon);
    CPPUNIT_TEST(describes_every_option_of_the_client);
    CPPUNIT_TEST(describes_every_column);
    CPPUNIT_TEST(completion_is_accepted_by_shellcheck);
    CPPUNIT_TEST(completion_expands_nothing_in_names);
    CPPUNIT_TEST(completion_goes_on_behind_what_parts_words);
    CPPUNIT_TEST(escapes_what_roff_would_obey);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_pages(TestSuiteBuilderContextType& context) {
        for (const manual::Page& page : manual::pages()) {
            tests::add_row(context, "renders " + page.file_name(), [page] {
                const ScratchFile file(page.source(date));
                const ctl::ProgramResult result =
                    run_or_skip({"groff", "-man", "-Tutf8", "-ww", "-z", file.path()});
                CPPUNIT_ASSERT_EQUAL_MESSAGE(result.output, 0, result.status);
                CPPUNIT_ASSERT_EQUAL(std::string(), result.output);
            });
        }
    }

    static void add_completions(TestSuiteBuilderContextType& context) {
        for (const Completion& row : completions) {
            tests::add_row(context, "completes " + row.line, [row] { check_completion(row); });
        }
    }

    /// A paragraph is empty in front of another one, of a heading and at the end; behind a heading it begins anyway.
    void has_a_date_and_no_empty_paragraph() {
        for (const manual::Page& page : manual::pages()) {
            std::istringstream lines(page.source(date));
            std::string line, before;
            bool is_in_example = false;
            std::getline(lines, line);
            CPPUNIT_ASSERT_MESSAGE(line, line.find(" \"2024-01-31\" ") != std::string::npos);
            while (std::getline(lines, line)) {
                const std::string place = page.file_name() + ": " + before + ", then " + line;
                is_in_example = line == ".nf" || (is_in_example && line != ".fi");
                CPPUNIT_ASSERT_MESSAGE(place, is_in_example || !line.empty());
                CPPUNIT_ASSERT_MESSAGE(place, before != ".PP" || !begins_a_part(line));
                CPPUNIT_ASSERT_MESSAGE(place, line != ".PP" || !is_heading(before));
                before = line;
            }
            CPPUNIT_ASSERT_MESSAGE(page.file_name(), before != ".PP");
        }
    }

    void describes_every_command_with_its_options_and_example() {
        for (const ctl::Command& command : ctl::commands()) {
            check_holds("data-importctl.1", ctl::usage_line(&command, command.group).substr(15));
            check_holds("data-importctl.1", command.example);
            for (const ctl::Option& option : command.options)
                check_holds("data-importctl.1", option.sentence);
        }
        for (const ctl::Option& option : ctl::common_options()) check_holds("data-importctl.1", option.name);
    }

    void describes_every_setting() {
        for (const config::SettingDescription& setting : config::describe()) {
            check_holds("data-import.conf.5", setting.name);
            check_holds("data-import.conf.5", setting.sentence);
            check_holds("data-import.conf.5", setting.range);
        }
    }

    void describes_every_metric() {
        for (const metrics::Metric& metric : metrics::table()) {
            check_holds("data-importd.8", metric.name);
            check_holds("data-importd.8", metric.sentence);
        }
    }

    void describes_every_option_of_the_daemon() {
        const auto program =
            std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "data-importd";
        std::istringstream help(ctl::run_program({program.string(), "--help"}, 10s).output);
        int options = 0;
        for (std::string line; std::getline(help, line);) {
            if (!line.starts_with("  --")) continue;
            check_holds("data-importd.8", line.substr(2, line.find(' ', 2) - 2));
            ++options;
        }
        CPPUNIT_ASSERT(options >= 6);
    }

    void describes_every_option_of_the_client() {
        CPPUNIT_ASSERT(manual::client_options().size() >= 8);
        for (const auto& option : manual::client_options()) check_holds("data-import-load.1", option.term);
        CPPUNIT_ASSERT(manual::client_example().starts_with("data-import-load --url"));
        const std::string page = source_of("data-import-load.1");
        CPPUNIT_ASSERT(page.find("A COMPLETE SESSION") < page.find("DESCRIPTION"));
    }

    void describes_every_column() {
        for (const std::string_view column : ctl::account_columns) check_holds("data-import-csv.5", column);
    }

    void completion_is_accepted_by_shellcheck() {
        const ScratchFile file(manual::ctl_completion() + manual::load_completion());
        const ctl::ProgramResult result = run_or_skip({"shellcheck", "--shell=bash", file.path()});
        CPPUNIT_ASSERT_EQUAL_MESSAGE(result.output, 0, result.status);
    }

    void completion_expands_nothing_in_names() {
        const ScratchFile file(manual::ctl_completion());
        const std::string script = ". " + file.path() +
                                   "; data-importctl() { printf '%s\\n' '$(echo X)' 'a b' '*'; }; "
                                   "COMP_LINE='data-importctl supplier show '; "
                                   "COMP_WORDS=(data-importctl supplier show ''); COMP_CWORD=3; "
                                   "_data_importctl; printf '%s|' \"${COMPREPLY[@]}\"";
        const ctl::ProgramResult result = ctl::run_program({"bash", "-c", script}, 30s);
        CPPUNIT_ASSERT_EQUAL(std::string("\\$\\(echo\\ X\\)|a\\ b|\\*|"), result.output);
    }

    // Typed at a prompt: what bash makes of the answers is its own affair.
    void completion_goes_on_behind_what_parts_words() {
        const ScratchFile file(manual::ctl_completion());
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
            const ScratchFile input(
                ". " + file.path() +
                "\ndata-importctl() { case $1 in complete) printf '%s\\n' '47:11' 'a=b:c@d' "
                "'9(:1)' | grep --fixed-strings -- \"${@: -1}\" ;; "
                "*) printf '%s|' \"$@\" >&3 ;; esac; }\ndata-importctl " +
                line + "\t\nexit\n");
            const ScratchFile heard("");
            const ctl::ProgramResult result = ctl::run_program(
                {"bash", "-c", "bash --norc --noprofile -i 3>" + heard.path() + " <" + input.path()}, 30s);
            std::ifstream stream(heard.path());
            const std::string said{std::istreambuf_iterator<char>(stream), {}};
            CPPUNIT_ASSERT_EQUAL_MESSAGE(result.output, words, said);
        }
    }

    void escapes_what_roff_would_obey() {
        CPPUNIT_ASSERT_EQUAL(std::string("\\&.SH a\\-b\\ec\n\\&\\(aqx\\(aq"),
                             manual::escaped(".SH a-b\\c\n'x'"));
    }

private:
    static void check_completion(const Completion& row) {
        const ScratchFile file(manual::ctl_completion() + manual::load_completion());
        const std::string script =
            // the program itself is not asked: what it would be called with is offered
            ". " + file.path() + "; data-importctl() { printf '=%s=\\n' \"$@\"; }; line='" + row.line +
            "'; COMP_LINE=$line; read -ra COMP_WORDS <<<\"$line\"; [[ $line != *' ' ]] || COMP_WORDS+=(''); "
            "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
            "case $line in data-importctl*) _data_importctl ;; *) _data_import_load ;; esac; "
            "printf ' %b ' \"${COMPREPLY[@]}\"";
        const ctl::ProgramResult result = ctl::run_program({"bash", "-c", script}, 30s);
        for (const std::string& word : row.offered)
            CPPUNIT_ASSERT_MESSAGE(result.output + "lacks " + word,
                                   result.output.find(" " + word + " ") != std::string::npos);
        CPPUNIT_ASSERT_MESSAGE(result.output,
                               result.output.find(" " + row.not_offered + " ") == std::string::npos);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(ManualTest);

}  // namespace data_import

// The manual pages: nothing is missing, and nothing renders wrong.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "../runner.h"
#include "../table.h"
#include "base/command_line/help.h"
#include "base/config/daemon.h"
#include "base/config/setting_table.h"
#include "scratch_file.h"
#include "service/metrics/exposition.h"
#include "tools/client/options.h"
#include "tools/console/bounded.h"
#include "tools/ctl/account_rows.h"
#include "tools/ctl/command.h"
#include "tools/manual/pages.h"

namespace data_import {

namespace {

using namespace std::chrono_literals;

constexpr std::string_view date = "2024-01-31";

std::string source_of(const std::string& file_name) {
    static const std::vector<manual::Page> all = manual::pages(metrics::described_table());
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const manual::Page& page) { return page.file_name() == file_name; });
    CPPUNIT_ASSERT_MESSAGE(file_name, found != all.end());
    return found->source(date);
}

void check_holds(const std::string& page, std::string_view text) {
    CPPUNIT_ASSERT_MESSAGE(page + " lacks " + std::string(text),
                           source_of(page).find(manual::escaped(text)) != std::string::npos);
}

console::ProgramResult run_or_skip(const std::vector<std::string>& words) {
    console::ProgramResult result = console::run_program(words, 30s);
    if (result.status == 127) tests::skip(words.front() + " is not installed");
    return result;
}

bool is_heading(const std::string& line) {
    return line.starts_with(".SH ") || line.starts_with(".SS ");
}

bool begins_a_part(const std::string& line) {
    return is_heading(line) || line == ".PP" || line == ".TP" || line == ".IP" || line.starts_with(".RS");
}

}  // namespace

class ManualTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(ManualTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_pages);
    CPPUNIT_TEST(has_a_date_and_no_empty_paragraph);
    CPPUNIT_TEST(describes_every_command_with_its_options_and_example);
    CPPUNIT_TEST(describes_every_setting);
    CPPUNIT_TEST(describes_every_metric);
    CPPUNIT_TEST(describes_every_option_of_the_daemon);
    CPPUNIT_TEST(describes_every_option_of_the_client);
    CPPUNIT_TEST(describes_every_column);
    CPPUNIT_TEST(reads_blocks_of_a_text);
    CPPUNIT_TEST(escapes_commands_of_roff);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_pages(TestSuiteBuilderContextType& context) {
        for (const manual::Page& page : manual::pages(metrics::described_table())) {
            tests::add_row(context, "renders " + page.file_name(), [page] {
                const tests::ScratchFile file(page.source(date));
                const console::ProgramResult result =
                    run_or_skip({"groff", "-man", "-Tutf8", "-ww", "-z", file.path()});
                CPPUNIT_ASSERT_EQUAL_MESSAGE(result.output, 0, result.status);
                CPPUNIT_ASSERT_EQUAL(std::string(), result.output);
            });
        }
    }

    /// A page has the mark of a paragraph (.PP) only where it has an effect. It has none after a heading, nor
    /// before another mark, before a heading or at the end.
    void has_a_date_and_no_empty_paragraph() {
        for (const manual::Page& page : manual::pages(metrics::described_table())) {
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
        for (const auto& command : ctl::program().commands) {
            check_holds("data-importctl.1", command_line::command_form(command));
            check_holds("data-importctl.1", command.example);
            for (const auto& option : command.options) check_holds("data-importctl.1", option.sentence);
        }
        for (const auto& option : ctl::program().common_options) check_holds("data-importctl.1", option.name);
    }

    void describes_every_setting() {
        for (const config::Setting& setting : config::table()) {
            check_holds("data-import.conf.5", setting.name);
            check_holds("data-import.conf.5", setting.sentence);
            check_holds("data-import.conf.5", allowed(setting));
        }
    }

    void describes_every_metric() {
        for (const metrics::Metric& metric : metrics::table()) {
            check_holds("data-importd.8", metric.name);
            check_holds("data-importd.8", metric.sentence);
        }
    }

    void describes_every_option_of_the_daemon() {
        for (const auto& option : config::daemon().commands.front().options)
            check_holds("data-importd.8", option.sentence);
    }

    void describes_every_option_of_the_client() {
        for (const auto& option : client::program_table().commands.front().options)
            check_holds("data-import-load.1", option.sentence);
        const std::string page = source_of("data-import-load.1");
        CPPUNIT_ASSERT(page.find("A COMPLETE SESSION") < page.find("DESCRIPTION"));
    }

    void describes_every_column() {
        for (const std::string_view column : ctl::account_columns) check_holds("data-import-csv.5", column);
    }

    void reads_blocks_of_a_text() {
        const manual::Page page(
            "# some-page(7): says -this\n\n## HEAD\n\na\nb\n\nc\n\n    x\n\n      y\n\nd\n\nTERM\n: what\n  "
            "it is\n\n  and more\n\n### SUB\n");
        CPPUNIT_ASSERT_EQUAL(std::string("some-page.7"), page.file_name());
        const std::string source = page.source(date);
        CPPUNIT_ASSERT_EQUAL(
            std::string(
                ".SH \"NAME\"\nsome\\-page \\- says \\-this\n.SH \"HEAD\"\na b\n.PP\nc\n.RS 4\n.PP\n.nf\n"
                "x\n\n  y\n.fi\n.RE\n.PP\nd\n.TP\n\\fBTERM\\fR\nwhat it is\n.IP\nand more\n"
                ".SS \"SUB\"\n"),
            source.substr(source.find('\n') + 1));
        CPPUNIT_ASSERT_THROW(manual::Page("no title"), std::invalid_argument);
    }

    void escapes_commands_of_roff() {
        CPPUNIT_ASSERT_EQUAL(std::string("\\&.SH a\\-b\\ec\n\\&\\(aqx\\(aq"),
                             manual::escaped(".SH a-b\\c\n'x'"));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(ManualTest);

}  // namespace data_import

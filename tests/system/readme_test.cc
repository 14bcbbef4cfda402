// README.md and CONTRIBUTING.md: their commands do what the text says. They run in a copy of the sources with
// the built programs.
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "../support/command.h"
#include "../support/stack.h"
#include "base/command_line/help.h"
#include "tools/ctl/command.h"

namespace data_import::tests {

namespace {

/// Commands of the documents that this test does not run, with the reason or the place where they are run.
const std::map<std::string, std::string> run_elsewhere = {
    {"make check", "is what runs this test"},
    {"make check NAMES=\"notes removal\"", "is what runs this test"},
    {"make check FAILED=1", "is what runs this test"},
    {"make check CHANGED=1", "is what runs this test"},
    {"tests/check migration", "`make check` does"},
    {"tests/check releases", "`make check` does"},
    {"tests/check schemas", "`make check` does"},
    {"tests/check citus", "`make check` does, with CITUS_BIN"},
    {"tests/check recipes", "`make check` does"},
    {"make soak MINUTES=20", "`make check` does, for half a minute"},
    {"make fuzz SECONDS=60", "compiles all with clang: whoever changes what reads input"},
    {"make check-ha",
     "takes minutes, root and the machine: whoever changes what happens when a host is lost"},
    {"make mutants NUMBERS=\"3 17\"", "takes an hour: whoever changes tests"},
    {"make package", "compiles all once more: `make package-check` does"},
    {"make package-check", "takes minutes and root: whoever changes the packages"},
    {"make repository SIGNING_KEY=ADDRESS", "`make package-check` does"},
    {"make lint", "`make check` does"},
    {"make format", "would write all sources anew: `make lint`, which compares them, is run"},
    {"make bench", "wants the machine for itself: whoever measures"},
    {"make attacks", "wants the machine for itself: whoever measures"},
    {"make steady", "wants the machine for itself: whoever measures"},
    {"tests/bench/vendor-isolation", "wants the machine for itself: whoever measures"},
};

std::string text_of(const std::filesystem::path& file) {
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

std::set<std::string> matches_of(const std::string& text, const std::string& form) {
    std::set<std::string> found;
    const std::regex pattern(form);
    for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
        found.insert((*match)[1]);
    return found;
}

void check_says(const CommandResult& result, const std::vector<std::string>& sentences) {
    CPPUNIT_ASSERT_EQUAL_MESSAGE(result.output + result.errors, 0, result.status);
    for (const std::string& sentence : sentences)
        CPPUNIT_ASSERT_MESSAGE(sentence + " in " + result.output + result.errors,
                               result.output.find(sentence) != std::string::npos);
}

/// A copy of the sources with the built programs, so that make finds nothing to do. Its destructor takes down
/// the services that its commands started.
class SourceCopy {
public:
    SourceCopy() {
        std::string pattern = (std::filesystem::temp_directory_path() / "data-import-readme-XXXXXX").string();
        path_ = mkdtemp(pattern.data());
        std::filesystem::permissions(path_, std::filesystem::perms(0755));
        must_run(
            "cp -a CHANGELOG.md CONTRIBUTING.md LICENSE Makefile README.md debian etc nginx sql src tests " +
            path_ + "; ln -s " + shell_word(build_directory().string()) + " " + path_ + "/build");
    }
    ~SourceCopy() {
        static_cast<void>(
            run_command("cd " + path_ + "; RUN_DIR=.run tests/stack/down --destroy; rm -rf " + path_));
    }
    SourceCopy(const SourceCopy&) = delete;
    SourceCopy& operator=(const SourceCopy&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }

    /// Runs the commands in the folder of the sources, with free ports instead of 8443 and 9443.
    [[nodiscard]] CommandResult type(const std::string& commands) const {
        const std::string pages =
            std::filesystem::exists(build_directory() / "docs/index.html") ? "" : "DOCS=no ";
        return run_command("cd " + path_ +
                           "; for name in $(compgen -e); do case $name in PATH|PWD|HOME|TMPDIR|CCACHE*|DOCS) "
                           ";; *) unset $name "
                           "2>/dev/null;; esac; done; export " +
                           pages + "PORT=" + std::to_string(port_) + "\nset -eu -o pipefail\n" +
                           std::regex_replace(commands, std::regex("9443"), std::to_string(port_)));
    }

    /// The running processes that have the folder in their command lines.
    [[nodiscard]] std::string running() const {
        // the brackets keep the pattern from matching its own command line
        const std::string name = std::filesystem::path(path_).filename().string();
        return run_command("grep --files-with-matches --no-messages --text '[" + name.substr(0, 1) + "]" +
                           name.substr(1) + "' /proc/[0-9]*/cmdline")
            .output;
    }

private:
    std::string path_;
    std::uint16_t port_ = free_port();
};

/// Returns shell commands that start `command`, a call of `make`, in the background, and wait until its
/// output contains `said`. The shell commands then run `meanwhile`, send SIGTERM to `make`, and wait for its
/// end. They fail if `make` ends before, or if `said` does not come within 240 seconds.
///
/// Because `said` may stand in the output of the previous run, the shell commands empty run.log first.
std::string run_until(const std::string& command, const std::string& said, const std::string& meanwhile) {
    return ": >run.log\n" + command +
           " >>run.log 2>&1 & make=$!\n"
           "until grep --quiet " +
           shell_word(said) +
           " run.log; do\n"
           "    kill -0 $make && ((SECONDS < 240)) || { cat run.log; exit 1; }\n"
           "    sleep 0.1\n"
           "done\n" +
           meanwhile + "\nkill -TERM $make; wait $make || true; cat run.log\n";
}

}  // namespace

class ReadmeTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(ReadmeTest);
    CPPUNIT_TEST(commands_of_use_do_as_documented);
    CPPUNIT_TEST(a_wrong_key_is_told_and_is_no_token);
    CPPUNIT_TEST(make_run_does_as_documented);
    CPPUNIT_TEST(commands_of_maintainers_do_as_documented);
    CPPUNIT_TEST(every_command_is_run);
    CPPUNIT_TEST(commands_that_are_named_are_there);
    CPPUNIT_TEST_SUITE_END();

    const std::string readme_ = text_of("README.md");
    const std::string documents_ = readme_ + text_of("CONTRIBUTING.md");
    /// The commands of the documents that the tests below run, word for word. The blocks of "Use it" are run
    /// as a whole.
    const std::set<std::string> run_here_ = {"make run",
                                             "PORT=9443 make run",
                                             "DOCS=no make run",
                                             "make up",
                                             "make down",
                                             "make help",
                                             "make sample-config",
                                             "make error-pages",
                                             "make compile_commands.json",
                                             "make up VENDORS=all",
                                             "OPERATORS=2 make migration up",
                                             "data-importctl --help",
                                             "data-importctl COMMAND --help",
                                             "data-import-load --help"};

public:
    void commands_of_use_do_as_documented() {
        const SourceCopy copy;
        const bool has_pages = std::filesystem::exists(build_directory() / "migration/suppliers.html");
        const CommandResult result = copy.type(
            "make up\n" + commands_of(readme_, "Use it") + "\nmake up VENDORS=all; ls .run/vendors.d\n" +
            (has_pages ? "OPERATORS=2 make migration up" : "make up") + "\nmake down\n");
        check_says(result,
                   {"data-import is up at", "import supplier ACME created", "imported as A-",
                    "NOTE_CREATION_SUCCESS", "1 request: 1 accepted", "notes                        2",
                    "nginx site", "EQUAL: 1 account", "ACME: EQUAL", "report on ACME", "simulator-hangs.conf",
                    "nginx is already running", "nginx stopped"});
        CPPUNIT_ASSERT_EQUAL(std::string(), copy.running());
    }

    void a_wrong_key_is_told_and_is_no_token() {
        const std::string commands = commands_of(readme_, "Use it");
        const std::size_t begin = commands.find("ANSWER=");
        const std::size_t end = commands.find('\n', commands.find("test -n"));
        CPPUNIT_ASSERT(begin < end && end != std::string::npos);
        const Stack& stack = Stack::shared();
        const CommandResult result =
            run_command("KEY=dik_" + std::string(43, 'x') + "; BASE_URL=" + stack.value("BASE_URL") +
                        " CA_FILE=" + stack.value("CA_FILE") + "\n" + commands.substr(begin, end - begin) +
                        "\necho \"token <$TOKEN>\"");
        check_says(result, {"\"errors\":[{", "token <>"});
    }

    void make_run_does_as_documented() {
        const SourceCopy copy;
        // the test pastes the commands that `make run` prints
        check_says(copy.type(run_until("PORT=9443 make run", "Ctrl-C takes everything down",
                                       "bash -c \"$(sed -n '/^  curl/,/create.$/p' run.log)\"")),
                   {"2000 accounts created", "NOTE_CREATION_SUCCESS", "taking everything down",
                    "PostgreSQL stopped"});
        CPPUNIT_ASSERT_EQUAL(std::string(), copy.running());
        check_says(copy.type(run_until("DOCS=no make run", "data-import is up at", "")),
                   {"PostgreSQL stopped"});
        CPPUNIT_ASSERT_EQUAL(std::string(), copy.running());
    }

    void commands_of_maintainers_do_as_documented() {
        const SourceCopy copy;
        check_says(copy.type("make help; make sample-config; make error-pages"), {"check-ha"});
        for (const char* file : {"etc/data-import.conf", "nginx/errors.conf"})
            CPPUNIT_ASSERT_EQUAL_MESSAGE(file, text_of(file), text_of(copy.path() + "/" + file));
        // compile_commands.json is JSON that names every source of the service
        check_says(copy.type("make compile_commands.json; python3 -m json.tool compile_commands.json"),
                   {"src/service/data-importd.cc", "src/data/store/"});
        const std::string programs = "PATH=$PWD/build:$PATH; ";
        check_says(copy.type(programs + "data-importctl --help; data-import-load --help"),
                   {"data-importctl", "Usage: data-import-load"});
        std::string help_of_all = programs;
        for (const ctl::Command& command : ctl::commands())
            help_of_all +=
                "data-importctl " + command_line::command_name(command) + " --help | grep --quiet Example; ";
        check_says(copy.type(help_of_all), {});
    }

    void every_command_is_run() {
        std::set<std::string> accounted = run_here_;
        for (const auto& [command, reason] : run_elsewhere) accounted.insert(command);
        std::set<std::string> named = matches_of(
            documents_,
            "(?:`|\n    )((?:[A-Z]+=[^ `]+ )?(?:make|tests/(?:check|bench/[a-z-]+))(?: [^`\n]+)?)[`\n]");
        for (const std::string& command : matches_of(documents_, "`(data-import[a-z-]* [^`]*--help)`"))
            named.insert(command);
        CPPUNIT_ASSERT_EQUAL(std::string("\n"),
                             difference_of(named, accounted) + "\n" + difference_of(accounted, named));
    }

    /// Commands that the documents only name, such as `key list` and `make soak`.
    void commands_that_are_named_are_there() {
        const std::set<std::string> targets =
            matches_of(must_run("make --no-print-directory help") + "\n", "  ([a-z_.-]+) +[^ ]");
        for (const std::string& target : matches_of(documents_, "(?:`|    |[0-9] )make ([a-z_.-]+)"))
            CPPUNIT_ASSERT_MESSAGE("make " + target, targets.contains(target));
        std::set<std::string> groups;
        std::set<std::string> commands;
        for (const ctl::Command& command : ctl::commands()) {
            groups.emplace(command.group);
            commands.insert(command_line::command_name(command));
        }
        std::set<std::string> named = matches_of(documents_, "`(?:data-importctl )?([a-z-]+ [a-z-]+)[` ]");
        for (const std::string& alone : matches_of(documents_, "`data-importctl ([a-z-]+)`"))
            named.insert(alone);
        std::erase_if(named, [&](const std::string& words) {
            return !groups.contains(words.substr(0, words.find(' ')));
        });
        CPPUNIT_ASSERT(named.size() >= 4);
        CPPUNIT_ASSERT_EQUAL(std::string(), difference_of(named, commands));
    }

private:
    static std::string difference_of(const std::set<std::string>& left, const std::set<std::string>& right) {
        std::string text;
        for (const std::string& item : left) {
            if (!right.contains(item)) text += item + "; ";
        }
        return text;
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(ReadmeTest);

}  // namespace data_import::tests

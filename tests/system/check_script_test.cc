// The command tests/check: what it says at the end, and which tests it runs again. Scripts stand in for the
// test programs.
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "../support/command.h"

namespace data_import::tests {

namespace {

/// A build without system tests, whose unit tests print this text and end with this status.
class PlayedBuild {
public:
    PlayedBuild(const std::string& text, int status) {
        std::string pattern = (std::filesystem::temp_directory_path() / "played-build-XXXXXX").string();
        path_ = mkdtemp(pattern.data());
        std::filesystem::create_directory(path_ / "tests");
        write("unit-tests", "printf '%s' " + shell_word(text) + "; exit " + std::to_string(status));
        write("system-tests", "");
    }
    ~PlayedBuild() { std::filesystem::remove_all(path_); }
    PlayedBuild(const PlayedBuild&) = delete;
    PlayedBuild& operator=(const PlayedBuild&) = delete;

    /// Runs `tests/check NAME` with this build, `name` being NAME. What a failed run leaves is in the
    /// directory of the build, which the destructor removes.
    [[nodiscard]] CommandResult check(const std::string& name) const {
        return run_command("BUILD=" + path_.string() + " TMPDIR=" + path_.string() + " tests/check " + name);
    }
    [[nodiscard]] std::string failed() const {
        std::ifstream file(path_ / "failed");
        return {std::istreambuf_iterator<char>(file), {}};
    }

private:
    void write(const std::string& program, const std::string& commands) const {
        const std::filesystem::path file = path_ / "tests" / program;
        std::ofstream(file) << "#!/usr/bin/env bash\n" << commands << '\n';
        std::filesystem::permissions(file, std::filesystem::perms(0755));
    }

    std::filesystem::path path_;
};

std::set<std::string> reached_by(const std::string& files) {
    std::istringstream lines(must_run("tests/reached " + files));
    std::set<std::string> names;
    for (std::string line; std::getline(lines, line);) names.insert(line);
    return names;
}

bool holds_all(const std::set<std::string>& all, const std::set<std::string>& some) {
    return std::ranges::includes(all, some);
}

}  // namespace

class CheckScriptTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(CheckScriptTest);
    CPPUNIT_TEST(the_slowest_and_the_failed_tests_are_named);
    CPPUNIT_TEST(a_run_that_passes_leaves_no_names);
    CPPUNIT_TEST(a_crash_is_repeated_with_everything);
    CPPUNIT_TEST(a_wing_reaches_its_units_and_whatever_runs_programs);
    CPPUNIT_TEST(a_test_reaches_itself);
    CPPUNIT_TEST(what_many_rest_on_reaches_everything);
    CPPUNIT_TEST_SUITE_END();

public:
    void the_slowest_and_the_failed_tests_are_named() {
        const PlayedBuild build(
            "data_import::QuickTest::waits: 1200 ms\ndata_import::SlowTest::waits: 12500 ms\n"
            "FAILED: data_import::(anonymous namespace)::SlowTest::fails\n    x.cc:1 \n"
            "FAILED: notes/create.case: a note\n    x.cc:1\n1 passed, 2 failed, 0 skipped\n",
            1);
        const CommandResult result = build.check("SlowTest");
        CPPUNIT_ASSERT_EQUAL(1, result.status);
        CPPUNIT_ASSERT_MESSAGE(
            result.output,
            result.output.find("the slowest tests:\n12500 ms  unit-tests: data_import::SlowTest::waits\n"
                               "1200 ms  unit-tests: data_import::QuickTest::waits\n") != std::string::npos);
        CPPUNIT_ASSERT_MESSAGE(result.output, result.output.ends_with("\n1 passed, 2 failed, 0 skipped\n"));
        CPPUNIT_ASSERT_EQUAL(std::string("SlowTest::fails\nnotes/create.case:\n"), build.failed());
    }

    void a_run_that_passes_leaves_no_names() {
        const PlayedBuild build("1 passed, 0 failed, 0 skipped\n", 0);
        const CommandResult result = build.check("SlowTest");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(result.output, 0, result.status);
        CPPUNIT_ASSERT_EQUAL(std::string(), build.failed());
    }

    void a_crash_is_repeated_with_everything() {
        const PlayedBuild build("FAILED: data_import::SlowTest::fails\n    x.cc:1 \n", 134);
        CPPUNIT_ASSERT_EQUAL(1, build.check("SlowTest").status);
        CPPUNIT_ASSERT_EQUAL(std::string("everything\n"), build.failed());
    }

    void a_wing_reaches_its_units_and_whatever_runs_programs() {
        const std::set<std::string> names = reached_by("src/service/http/pipeline.cc");
        CPPUNIT_ASSERT(holds_all(
            names, {"lint",      "releases",   "LayersTest", "WordsTest", "ContractTest", "WorkerTest",
                    "BulkTest",  "DoctorTest", "ReadmeTest", "cases",     "walk",         "hostile",
                    "foreign",   "citus",      "clients",    "export",    "fuzz",         "graphql",
                    "migration", "openapi",    "platform",   "recipes",   "schemas",      "soak"}));
        for (const char* other : {"everything", "DecimalTest", "CompletionTest"})
            CPPUNIT_ASSERT_MESSAGE(other, !names.contains(other));
        CPPUNIT_ASSERT(holds_all(reached_by("src/tools/ctl/key.cc"), {"CompletionTest", "BulkTest", "soak"}));
    }

    void a_test_reaches_itself() {
        CPPUNIT_ASSERT(holds_all(
            reached_by("tests/unit/base/decimal_test.cc tests/cases/notes/create.case "
                       "tests/system/tools/report_test.cc tests/soak/book.cc README.md"),
            {"DecimalTest", "notes/create.case:", "ReportSystemTest", "openapi", "soak", "ReadmeTest"}));
        CPPUNIT_ASSERT(!reached_by("tests/unit/base/decimal_test.cc").contains("BulkTest"));
    }

    void what_many_rest_on_reaches_everything() {
        for (const char* file : {"src/base/util/text.h", "src/data/store/notes.cc",
                                 "sql/schema/10-imports.sql", "Makefile", "tests/support/world.cc",
                                 "tests/unit/scratch_file.h", "nginx/data-import.conf.in", "no/such/file"})
            CPPUNIT_ASSERT_MESSAGE(file, reached_by(file).contains("everything"));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(CheckScriptTest);

}  // namespace data_import::tests

// Tests of scripts that people start by hand: those that start and stop a stack (`make up`, `make down`),
// also where a port is taken or nobody reads the output, and those that measure (tests/bench/).
#include <cppunit/extensions/HelperMacros.h>
#include <unistd.h>

#include <filesystem>

#include "../runner.h"
#include "../support/command.h"
#include "../support/stack.h"

namespace data_import::tests {

namespace {

/// The directory of a stack that a test starts itself. Its destructor stops the stack and removes the
/// directory.
class RunDirectory {
public:
    RunDirectory() {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "data-import-scripts-XXXXXX").string();
        path_ = mkdtemp(pattern.data());
        std::filesystem::permissions(path_, std::filesystem::perms(0755));
    }
    ~RunDirectory() {
        static_cast<void>(run_command("RUN_DIR=" + path_ + " tests/stack/down; rm -rf " + path_));
    }
    RunDirectory(const RunDirectory&) = delete;
    RunDirectory& operator=(const RunDirectory&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

/// The command lines in /proc that name the directory.
std::string running(const RunDirectory& directory) {
    // the brackets keep the pattern from matching its own command line
    const std::string name = std::filesystem::path(directory.path()).filename().string();
    return run_command("grep --files-with-matches --no-messages --text '[" + name.substr(0, 1) + "]" +
                       name.substr(1) + "' /proc/[0-9]*/cmdline")
        .output;
}

std::string up(const RunDirectory& directory, std::uint16_t port) {
    return "env -u DATABASE_URL -u PLAIN_PORT -u WORKERS VENDORS=none BUILD=" + build_directory().string() +
           " RUN_DIR=" + directory.path() + " PORT=" + std::to_string(port) + " tests/stack/up";
}

}  // namespace

class StackScriptsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(StackScriptsTest);
    CPPUNIT_TEST(a_taken_port_leaves_nothing_running);
    CPPUNIT_TEST(addresses_of_a_stack_that_has_ended_do_not_stay);
    CPPUNIT_TEST(a_repeated_start_leaves_the_configuration_alone);
    CPPUNIT_TEST(a_stack_without_a_terminal_is_taken_down_as_well);
    CPPUNIT_TEST(a_postgresql_whose_package_is_replaced_goes_on);
    CPPUNIT_TEST(npm_is_not_installed_without_the_pages);
    CPPUNIT_TEST(measurements_explain_themselves);
    CPPUNIT_TEST(measurements_work_in_the_temporary_directory);
    CPPUNIT_TEST(a_build_with_blanks_in_its_path_is_refused);
    CPPUNIT_TEST_SUITE_END();

public:
    void a_taken_port_leaves_nothing_running() {
        const RunDirectory directory;
        const CommandResult result = run_command(up(directory, Stack::shared().port()));
        CPPUNIT_ASSERT_EQUAL_MESSAGE(result.output, 1, result.status);
        CPPUNIT_ASSERT_MESSAGE(result.errors,
                               result.errors.find("is in use by another program: choose others "
                                                  "with PORT=") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(std::string(), running(directory));
        CPPUNIT_ASSERT(!std::filesystem::exists(directory.path() + "/postgresql/data"));
    }

    void addresses_of_a_stack_that_has_ended_do_not_stay() {
        const RunDirectory directory;
        must_run("echo BASE_URL=https://of-another-stack >" + directory.path() + "/env");
        CPPUNIT_ASSERT_EQUAL(1, run_command(up(directory, Stack::shared().port())).status);
        CPPUNIT_ASSERT(!std::filesystem::exists(directory.path() + "/env"));
    }

    // If a start changed the configuration file, the doctor would report that the service has not read the
    // file yet.
    void a_repeated_start_leaves_the_configuration_alone() {
        const RunDirectory directory;
        const std::string start = up(directory, free_port());
        const std::string time_of_change = "stat --format=%y " + directory.path() + "/data-import.conf";
        must_run(start);
        const std::string before = must_run(time_of_change);
        must_run(start);
        CPPUNIT_ASSERT_EQUAL(before, must_run(time_of_change));
    }

    /// `down` takes the stack down even if it cannot write its output: /dev/full takes nothing, or the reader
    /// of the pipe has ended. The same happens to people if Ctrl-C also ends the program that reads the
    /// output, or if they close the terminal.
    void a_stack_without_a_terminal_is_taken_down_as_well() {
        const RunDirectory directory;
        for (const char* deaf : {">/dev/full", "> >(exit)"}) {
            must_run(up(directory, free_port()));
            CPPUNIT_ASSERT(!running(directory).empty());
            const CommandResult down =
                run_command("env --default-signal=PIPE bash -c " +
                            shell_word(std::string("exec ") + deaf +
                                       "; wait $!; RUN_DIR=" + directory.path() + " tests/stack/down"));
            CPPUNIT_ASSERT_EQUAL_MESSAGE(deaf + down.errors, 0, down.status);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(deaf, std::string(), running(directory));
        }
    }

    // Runs in a mount namespace of its own, so that only this stack sees the replaced package.
    void a_postgresql_whose_package_is_replaced_goes_on() {
        if (geteuid() != 0 || run_command("unshare --mount true").status != 0)
            skip("root has to make a mount namespace for it");
        const RunDirectory directory;
        const std::string start = up(directory, free_port());
        const CommandResult result = run_command(
            "unshare --mount --propagation private bash -euo pipefail -c " +
            shell_word("installed=$(pg_config --pkglibdir); copy=" + directory.path() +
                       "/copy; cp -a $installed $copy; mount --bind $copy $installed\n" + start + "\n" +
                       "echo of another version >$installed/new; mv $installed/new $installed/plpgsql.so\n" +
                       ". " + directory.path() +
                       "/env; psql \"$DATABASE_URL\" --command 'DO $$BEGIN END$$'\n" + start +
                       "; RUN_DIR=" + directory.path() + " tests/stack/down"));
        CPPUNIT_ASSERT_EQUAL_MESSAGE(result.output + result.errors, 0, result.status);
        CPPUNIT_ASSERT_MESSAGE(result.output,
                               result.output.find("PostgreSQL is already running") != std::string::npos);
    }

    // Replaces apt-get and sudo. This apt-get says that npm has to be installed unless the build profile
    // leaves it out, and fails to install anything; this sudo always fails.
    void npm_is_not_installed_without_the_pages() {
        const RunDirectory directory;
        const std::string packages =
            "PATH=" + directory.path() +
            ":$PATH; printf '%s\\n' '#!/bin/sh' "
            "'case \"$*\" in *nopages*) ;; *--simulate*) echo; echo Inst npm ;; *) exit 9 ;; esac' "
            ">" +
            directory.path() + "/apt-get; printf '%s\\n' '#!/bin/sh' 'exit 9' >" + directory.path() +
            "/sudo; chmod 755 " + directory.path() + "/apt-get " + directory.path() +
            "/sudo; tests/stack/packages";
        const CommandResult without = run_command("export DOCS=no; " + packages);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(without.output + without.errors, 0, without.status);
        CPPUNIT_ASSERT_EQUAL(std::string(), without.output);
        CPPUNIT_ASSERT_EQUAL(9, run_command("export DOCS=yes; " + packages).status);
        // the build profile that tests/stack/packages uses has to be the one that leaves npm out in
        // debian/control
        const std::string of_npm =
            "grep --quiet '^ npm .*!pkg.data-import.nopages' debian/control && "
            "grep --quiet -- '--build-profiles=pkg.data-import.nopages' tests/stack/packages";
        CPPUNIT_ASSERT_EQUAL(0, run_command(of_npm).status);
    }

    void measurements_explain_themselves() {
        for (const char* script : {"run", "attacks", "steady", "vendor-isolation"}) {
            const CommandResult help = run_command(std::string("cd tests/bench && ./") + script + " --help");
            CPPUNIT_ASSERT_EQUAL_MESSAGE(script + help.errors, 0, help.status);
            CPPUNIT_ASSERT_MESSAGE(script,
                                   help.output.find("Settings, from the environment:") != std::string::npos);
            const CommandResult wrong = run_command(std::string("tests/bench/") + script + " nonsense");
            CPPUNIT_ASSERT_EQUAL_MESSAGE(script, 2, wrong.status);
            CPPUNIT_ASSERT_EQUAL(std::string("usage: "), wrong.errors.substr(0, 7));
        }
    }

    // Sets TMPDIR to a directory that does not exist. Each script fails there, which shows that it uses
    // TMPDIR.
    void measurements_work_in_the_temporary_directory() {
        for (const char* script : {"run", "attacks", "steady", "vendor-isolation"}) {
            const CommandResult result = run_command(
                "mkdir -p $TMPDIR/no-build/tests; ln -sf /bin/true $TMPDIR/no-build/tests/attack; "
                "ln -sf /bin/true $TMPDIR/no-build/tests/vendor-simulator; BUILD=$TMPDIR/no-build "
                "TMPDIR=$TMPDIR/nowhere tests/bench/" +
                std::string(script));
            CPPUNIT_ASSERT_EQUAL_MESSAGE(script + result.errors, 1, result.status);
            CPPUNIT_ASSERT_MESSAGE(script + result.errors,
                                   result.errors.find("nowhere/data-import-") != std::string::npos);
        }
    }

    void a_build_with_blanks_in_its_path_is_refused() {
        for (const char* command :
             {"make BUILD=$TMPDIR/'a b' help", "BUILD=$TMPDIR/'a b' tests/stack/up",
              "mkdir -p $TMPDIR/'a b/tests'; ln -sf /bin/true $TMPDIR/'a b/tests/unit-tests'; "
              "ln -sf /bin/true $TMPDIR/'a b/tests/system-tests'; BUILD=$TMPDIR/'a b' tests/check openapi"}) {
            const CommandResult result = run_command("TMPDIR=${TMPDIR:-/tmp}; " + std::string(command));
            CPPUNIT_ASSERT_MESSAGE(command, result.status != 0);
            CPPUNIT_ASSERT_MESSAGE(result.output + result.errors,
                                   (result.output + result.errors).find("BUILD is '") != std::string::npos);
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(StackScriptsTest);

}  // namespace data_import::tests

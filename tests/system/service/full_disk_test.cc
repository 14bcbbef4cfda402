// PostgreSQL on a full file system: answers to clients, balancers and operators, and recovery when there is
// room again.
#include <cppunit/extensions/HelperMacros.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <random>

#include "../../runner.h"
#include "../../support/answer_check.h"
#include "../../support/command.h"
#include "../../support/disk_filler.h"
#include "../../support/json_match.h"
#include "../../support/playground.h"
#include "../../support/processes.h"

namespace data_import::tests {

namespace {

/// A file system in memory that replaces the folder of a PostgreSQL server and takes its files.
class SmallDisk {
public:
    /// Stops the PostgreSQL server with the process id `server`, and puts a file system of 400 MiB with the
    /// same files in the place of the server's folder `folder`. Skips the test if no file system can be
    /// mounted here.
    SmallDisk(const std::string& folder, pid_t server) : folder_(shell_word(folder)) {
        kill(server, SIGINT);
        CPPUNIT_ASSERT(wait_until([&] { return !is_running(server); }, 60s));
        const std::string before = shell_word(folder + ".before");
        must_run("mv " + folder_ + " " + before + " && mkdir " + folder_);
        const CommandResult mounted = run_command("mount -t tmpfs -o size=400m data-import-test " + folder_);
        if (mounted.status != 0) skip("a small file system cannot be mounted here: " + mounted.errors);
        is_mounted_ = true;
        must_run("cp -a " + before + "/. " + folder_);
    }
    /// Stops the server that runs in the folder now.
    ~SmallDisk() {
        if (!is_mounted_) return;
        static_cast<void>(run_command("if server=$(head -n 1 " + folder_ +
                                      "/data/postmaster.pid); then kill -QUIT $server; "
                                      "while kill -0 $server; do sleep 0.1; done; fi; umount --lazy " +
                                      folder_));
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

private:
    std::string folder_;  ///< quoted as a word of the shell
    bool is_mounted_ = false;
};

/// A text that needs pages of its own, however well PostgreSQL compresses it.
std::string large_text() {
    std::mt19937_64 random(1);
    std::string text;
    while (text.size() < 60000) text += std::to_string(random());
    return text;
}

}  // namespace

class FullDiskTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(FullDiskTest);
    CPPUNIT_TEST(a_full_disk_is_told_and_heals);
    CPPUNIT_TEST_SUITE_END();

public:
    void a_full_disk_is_told_and_heals() {
        if (geteuid() != 0) skip("only root can give the database a small file system");
        Playground playground;
        playground.prepare();
        PrivateStack& stack = playground.stack();
        const std::string folder = playground.database().value("SHOW unix_socket_directories");
        const SmallDisk disk(folder, stack->pid("POSTGRES_PID"));
        stack.bring_up();
        CPPUNIT_ASSERT(wait_until([&] { return playground.post_note("before").status == 201; }, 20s));
        must_run("(umask 077; " + stack->value("CTL") + " key create --organisation Load --supplier ACME >" +
                 key_file(playground) + ")");
        check_load(playground, "before", "1 request: 1 accepted");
        // begins a new WAL file, so that it has room for the writes while the disk is full
        playground.database().rows("CHECKPOINT");
        playground.database().rows("SELECT pg_switch_wal()");
        CPPUNIT_ASSERT_EQUAL(201, playground.post_note("also before").status);
        {
            DiskFiller filler(folder);
            check_full(playground, filler);
        }
        CPPUNIT_ASSERT(wait_until([&] { return playground.status_of("/readyz") == 200; }, 20s));
        CPPUNIT_ASSERT_EQUAL(201, playground.post_note(large_text()).status);
        check_load(playground, "after", "1 request: 1 accepted");
        const CommandResult doctor = run_command(stack->value("CTL") + " doctor");
        CPPUNIT_ASSERT_MESSAGE(doctor.output, doctor.output.find("53100") == std::string::npos);
        CPPUNIT_ASSERT_MESSAGE("PostgreSQL was started again", is_running(stack->pid("POSTGRES_PID")));
        CPPUNIT_ASSERT_EQUAL(5L, playground.database().count("SELECT count(*) FROM data_import.note"));
    }

private:
    static void check_full(Playground& playground, DiskFiller& filler) {
        Answer refused;
        CPPUNIT_ASSERT_MESSAGE(shown(refused), wait_until(
                                                   [&] {
                                                       filler.fill();
                                                       refused = playground.post_note(large_text());
                                                       return refused.status == 503;
                                                   },
                                                   20s));
        check_any_answer(refused);
        CPPUNIT_ASSERT_EQUAL(
            std::string("The service cannot store now; nothing was stored. Repeat the request as it is."),
            parse_error_body(refused.body).detail);
        CPPUNIT_ASSERT(wait_until(
            [&] {
                filler.fill();
                return playground.status_of("/readyz") == 503;
            },
            20s));
        check_load(playground, "meanwhile", "The service cannot store now");
        filler.fill();
        const CommandResult doctor = run_command(playground.stack()->value("CTL") + " doctor");
        for (const char* said : {"cannot do what imports need: 53100",
                                 "pg_lsclusters; df -h   # make room where the data directory lies",
                                 "has 0 MiB (0%)", "# make room, or enlarge it"})
            CPPUNIT_ASSERT_MESSAGE(said + (" in " + doctor.output),
                                   doctor.output.find(said) != std::string::npos);
    }

    static std::string key_file(Playground& playground) {
        return playground.stack()->run_directory() / "key";
    }

    /// Runs data-import-load with a file of one request, which imports a note that begins with `beginning`.
    /// Repeats this until the output of data-import-load contains `said`, because the database may be away
    /// for a moment; fails after 20 s.
    static void check_load(Playground& playground, const std::string& beginning, const std::string& said) {
        const std::string file = playground.stack()->run_directory() / "book.ndjson";
        std::ofstream(file)
            << R"({"path": "/v1/data-import/notes/create/", "body": {"import_supplier": "ACME", )"
            << R"("external_account_number": ")" << playground.account() << R"(", "notes": [{"body": ")"
            << beginning << large_text() << "\"}]}}\n";
        std::string output;
        const bool is_said = wait_until(
            [&] {
                const CommandResult result = run_command(playground.stack()->value("LOAD") +
                                                         " --retries 1 --no-journal --api-key-file " +
                                                         key_file(playground) + " " + file);
                output = result.output + result.errors;
                return output.find(said) != std::string::npos;
            },
            20s);
        CPPUNIT_ASSERT_MESSAGE(output, is_said);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(FullDiskTest);

}  // namespace data_import::tests

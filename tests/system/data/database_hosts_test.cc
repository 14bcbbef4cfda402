// Several hosts of the database: the doctor's findings for each, and a set-up that begins while none takes
// writes.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <csignal>
#include <fstream>
#include <future>
#include <optional>
#include <thread>

#include "../../support/command.h"
#include "../../support/processes.h"
#include "../../support/standby.h"
#include "data/json/reader.h"

namespace data_import::tests {

class DatabaseHostsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(DatabaseHostsTest);
    CPPUNIT_TEST(doctor_tells_of_each_host);
    CPPUNIT_TEST(doctor_finds_a_standby_that_is_away);
    CPPUNIT_TEST(doctor_finds_no_synchronous_replication);
    CPPUNIT_TEST(setup_reads_the_primary_and_no_lagging_standby);
    CPPUNIT_TEST(setup_waits_for_a_host_that_takes_writes);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override {
        if (stack_) return;
        stack_.emplace();
        standby_.emplace(**stack_);
        std::ofstream(directory() / "conf.d/hosts.conf")
            << "database = " << standby_->both_hosts("data-import", "data-import")
            << "\nadmin_database = " << standby_->both_hosts("data-import", "postgres") << '\n';
    }

    void doctor_tells_of_each_host() {
        const std::string said = doctor();
        expect(said, "ok", "database host", standby_->name() + " is a standby, 0 MB behind");
        expect(said, "ok", "database host", ":5432 accepts writes");
        expect(said, "ok", "replication", "commits wait for *; walreceiver (synchronous, 0 MB behind)");
    }

    void doctor_finds_a_standby_that_is_away() {
        standby_->stop();
        const std::string said = doctor();
        standby_->start();
        expect(said, "fault", "replication", "none is connected: every import hangs");
        expect(said, "warning", "database host", standby_->name() + " does not let the service log in");
    }

    void doctor_finds_no_synchronous_replication() {
        AdminSession primary((*stack_)->value("DATABASE_URL"));
        const auto set = [&](const std::string& setting) {
            primary.rows("ALTER SYSTEM " + setting);
            primary.rows("SELECT pg_reload_conf()");
        };
        set("RESET synchronous_standby_names");
        set("SET synchronous_commit = local");
        CPPUNIT_ASSERT(wait_until([&] { return primary.value("SHOW synchronous_commit") == "local"; }, 10s));
        const std::string said = doctor();
        set("RESET synchronous_commit");
        set("SET synchronous_standby_names = '*'");
        expect(said, "warning", "replication", "commits wait for no standby; walreceiver");
        expect(said, "warning", "replication", "synchronous_commit is local");
    }

    void setup_reads_the_primary_and_no_lagging_standby() {
        AdminSession replay(standby_->both_hosts("postgres", "postgres"));
        CPPUNIT_ASSERT_EQUAL(1L, replay.count("SELECT pg_is_in_recovery()::integer"));
        replay.rows("SELECT pg_wal_replay_pause()");
        const CommandResult result = set_up("behind");
        replay.rows("SELECT pg_wal_replay_resume()");
        expect_complete(result);
    }

    /// This test is the last one, because the stack's own server does not come back.
    void setup_waits_for_a_host_that_takes_writes() {
        const pid_t server = (*stack_)->pid("POSTGRES_PID");
        kill(server, SIGQUIT);
        CPPUNIT_ASSERT(wait_until([&] { return !is_running(server); }, 30s));
        auto result = std::async(std::launch::async, [] { return set_up("later"); });
        std::this_thread::sleep_for(2s);
        CPPUNIT_ASSERT(result.wait_for(0s) == std::future_status::timeout);
        standby_->promote();
        expect_complete(result.get());
        tokens_are_decided_on("behind");
    }

private:
    static std::filesystem::path directory() { return (*stack_)->run_directory(); }

    static std::string doctor() { return run_command((*stack_)->value("CTL") + " doctor --json").output; }

    /// Fails unless the doctor has a finding of this subject, with this health and this text somewhere.
    static void expect(const std::string& said, const std::string& health, const std::string& subject,
                       const std::string& text) {
        const json::Document document = json::read(said);
        for (const json::Value finding : document.root().items()) {
            if (finding.at("health").text() == health && finding.at("subject").text() == subject &&
                finding.at("finding").text().find(text) != std::string::npos)
                return;
        }
        CPPUNIT_FAIL(health + ", " + subject + ": " + text + "\nwas not said:\n" + said);
    }

    /// Fails unless the promoted host can decide on a request for a token. The decision reads and writes the
    /// table token_request, which is not replicated and begins empty on this host.
    static void tokens_are_decided_on(const std::string& database) {
        const std::string conninfo = standby_->both_hosts(database, "postgres");
        CPPUNIT_ASSERT(wait_until(
            [&] { return AdminSession(conninfo).value("SHOW transaction_read_only") == "off"; }, 10s));
        CPPUNIT_ASSERT_EQUAL(
            1L, AdminSession(conninfo).count(
                    "SELECT count(*) FROM data_import.request_token('192.0.2.1', sha256('wrong'), "
                    "NULL, 10, now(), '10 minutes')"));
    }

    static CommandResult set_up(const std::string& database) {
        const std::filesystem::path file = directory() / database / "data-import.conf";
        std::filesystem::create_directory(file.parent_path());
        std::ofstream(file) << "admin_database = " << standby_->both_hosts(database, "postgres")
                            << "\nadmin_user =\nsql_directory = " << std::filesystem::absolute("sql").string()
                            << '\n';
        return run_command((build_directory() / "data-importctl").string() + " --config " + file.string() +
                           " db setup");
    }

    static void expect_complete(const CommandResult& result) {
        CPPUNIT_ASSERT_EQUAL_MESSAGE(result.errors, 0, result.status);
        CPPUNIT_ASSERT_MESSAGE(result.output,
                               result.output.find("schema data_import: made") != std::string::npos);
        CPPUNIT_ASSERT_MESSAGE(result.output,
                               result.output.find("tables: made, version ") != std::string::npos);
    }

    static inline std::optional<PrivateStack> stack_;
    static inline std::optional<Standby> standby_;
};

CPPUNIT_TEST_SUITE_REGISTRATION(DatabaseHostsTest);

}  // namespace data_import::tests

// PostgreSQL that goes away, breaks off, hangs, or is not migrated.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <csignal>
#include <thread>

#include "answer_check.h"
#include "playground.h"
#include "processes.h"
#include "world.h"

namespace data_import::tests {

class DatabaseFaultsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(DatabaseFaultsTest);
    CPPUNIT_TEST(a_stopped_server_is_503_at_once_and_heals_by_itself);
    CPPUNIT_TEST(a_killed_server_is_503_at_once_and_heals_by_itself);
    CPPUNIT_TEST(killed_backends_lose_and_double_nothing);
    CPPUNIT_TEST(a_crashing_server_loses_and_doubles_nothing);
    CPPUNIT_TEST(a_hanging_server_is_given_up_at_the_deadline);
    CPPUNIT_TEST(a_schema_that_is_not_migrated_is_told);
    CPPUNIT_TEST_SUITE_END();

    using Clock = std::chrono::steady_clock;

public:
    void setUp() override { playground().prepare(); }

    void a_stopped_server_is_503_at_once_and_heals_by_itself() { go_away_and_heal(SIGINT); }

    void a_killed_server_is_503_at_once_and_heals_by_itself() { go_away_and_heal(SIGKILL); }

    void killed_backends_lose_and_double_nothing() {
        AdminSession session = playground().database();
        Load load(*playground().stack(), playground().load(8, true));
        long killed = 0;
        const auto kill_some = [&] {
            std::this_thread::sleep_for(100ms);
            killed += session.count(
                "SELECT count(*) FILTER (WHERE pg_terminate_backend(pid)) FROM pg_stat_activity "
                "WHERE usename = 'data-import' AND datname = current_database()");
            return killed > 30 && load.answered() > 300;
        };
        CPPUNIT_ASSERT_MESSAGE("too few answers", wait_until(kill_some, 15s));
        load.stop();
        check_only_503(load);
        playground().check_stored(load, false);
    }

    /// One backend killed with SIGKILL makes PostgreSQL restart all of them and recover.
    void a_crashing_server_loses_and_doubles_nothing() {
        Load load(*playground().stack(), playground().load(8, true));
        std::this_thread::sleep_for(300ms);
        kill(some_backend(), SIGKILL);
        CPPUNIT_ASSERT(wait_until([&] { return playground().status_of("/readyz") == 200; }, 20s));
        std::this_thread::sleep_for(500ms);
        load.stop();
        check_only_503(load);
        playground().check_stored(load, false);
    }

    void a_hanging_server_is_given_up_at_the_deadline() {
        playground().configure({"access_refresh = 1", "import_workers = 2", "request_timeout = 6"}, 2);
        std::string large;  // more than the socket takes from a sender whose reader hangs
        for (int count = 0; count < 65536; ++count) large += "\xF0\x9F\x98\x80";
        hang_during("while it hangs");
        hang_during(large);
    }

    void a_schema_that_is_not_migrated_is_told() {
        const std::uintmax_t log_end = playground().stack().log_size();
        playground().database().rows("DROP SCHEMA data_import CASCADE");
        CPPUNIT_ASSERT(wait_until([&] { return playground().status_of("/readyz") == 503; }, 3s));
        CPPUNIT_ASSERT_EQUAL(200, playground().status_of("/healthz"));
        const Answer ready = ask(*playground().stack(), get_request("/readyz"));
        check_any_answer(ready);
        const Answer refused = playground().post_note("without tables");
        check_any_answer(refused);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(refused), 503, refused.status);
        CPPUNIT_ASSERT_MESSAGE("the answer tells SQL",
                               refused.body.find("data_import.") == std::string::npos);
        const std::string log = playground().stack().log_from(log_end);
        CPPUNIT_ASSERT_MESSAGE(log, log.find("migrat") != std::string::npos);
        run_ctl(*playground().stack(), "db setup");
        run_ctl(*playground().stack(), "db migrate");
        CPPUNIT_ASSERT(wait_until([&] { return playground().status_of("/readyz") == 200; }, 5s));
        playground().prepare();
        check_healed();
    }

private:
    void hang_during(const std::string& body) {
        // as long as what follows: its pool has a session then
        CPPUNIT_ASSERT_EQUAL(201, playground().post_note("b" + body.substr(4)).status);
        const std::vector<pid_t> backends = service_backends();
        for (const pid_t backend : backends) kill(backend, SIGSTOP);
        const auto start = Clock::now();
        const Answer answer = playground().post_note(body);
        const auto took = Clock::now() - start;
        for (const pid_t backend : backends) kill(backend, SIGCONT);
        CPPUNIT_ASSERT_MESSAGE("status " + std::to_string(answer.status),
                               answer.status == 504 || answer.status == 503);
        check_any_answer(answer);
        CPPUNIT_ASSERT_MESSAGE("it took too long", took < 8s);
        check_healed();
    }

    static Playground& playground() { return Playground::shared(); }

    static void go_away_and_heal(int signal) {
        CPPUNIT_ASSERT_EQUAL(201, playground().post_note("before").status);
        const pid_t server = playground().stack()->pid("POSTGRES_PID");
        const pid_t master = playground().master();
        kill(server, signal);
        CPPUNIT_ASSERT(wait_until([&] { return !is_running(server); }, 10s));
        for (int count = 0; count < 12; ++count) check_refused_quickly(count);
        CPPUNIT_ASSERT_EQUAL(503, playground().status_of("/readyz"));
        CPPUNIT_ASSERT_EQUAL(200, playground().status_of("/healthz"));
        playground().stack().bring_up();
        CPPUNIT_ASSERT_EQUAL_MESSAGE("the service was restarted", master, playground().master());
        check_healed();
    }

    static void check_healed() {
        Answer last;
        const auto post = [&] { return (last = playground().post_note("healed")).status == 201; };
        if (!wait_until(post, 5s)) CPPUNIT_FAIL("notes are still refused: " + shown(last));
    }

    static void check_refused_quickly(int number) {
        const auto start = Clock::now();
        const Answer answer = playground().post_note("while away " + std::to_string(number));
        const auto took = Clock::now() - start;
        check_any_answer(answer);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 503, answer.status);
        CPPUNIT_ASSERT_MESSAGE("the refusal took more than a second", took < 1s);
    }

    static void check_only_503(const Load& load) {
        CPPUNIT_ASSERT_MESSAGE("no note was acknowledged", !load.acknowledged().empty());
        for (const auto& [status, count] : load.failures())
            CPPUNIT_ASSERT_EQUAL_MESSAGE(load.examples(), 503, status);
    }

    static std::vector<pid_t> service_backends() {
        std::vector<pid_t> found;
        for (const auto& row :
             playground().database().rows("SELECT pid FROM pg_stat_activity WHERE usename = 'data-import'")) {
            found.push_back(static_cast<pid_t>(std::stol(row.at(0))));
        }
        return found;
    }

    static pid_t some_backend() { return service_backends().at(0); }
};

CPPUNIT_TEST_SUITE_REGISTRATION(DatabaseFaultsTest);

}  // namespace data_import::tests

// PostgreSQL that goes away, breaks off, hangs, or is not migrated.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <csignal>
#include <thread>

#include "../../support/answer_check.h"
#include "../../support/command.h"
#include "../../support/json_match.h"
#include "../../support/playground.h"
#include "../../support/processes.h"
#include "../../support/world.h"

namespace data_import::tests {

class DatabaseFaultsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(DatabaseFaultsTest);
    CPPUNIT_TEST(a_stopped_server_is_503_at_once_and_heals_by_itself);
    CPPUNIT_TEST(a_killed_server_is_503_at_once_and_heals_by_itself);
    CPPUNIT_TEST(killed_backends_lose_and_double_nothing);
    CPPUNIT_TEST(a_crashing_server_loses_and_doubles_nothing);
    CPPUNIT_TEST(a_hanging_server_is_given_up_at_the_deadline);
    CPPUNIT_TEST(a_frozen_server_is_given_up_for_its_silence);
    CPPUNIT_TEST(a_server_that_works_is_not_silent);
    CPPUNIT_TEST(the_host_that_takes_writes_is_found);
    CPPUNIT_TEST(a_cancelled_statement_is_rolled_back_and_its_session_kept);
    CPPUNIT_TEST(a_hanging_server_leaves_an_outcome_unknown_that_is_told);
    CPPUNIT_TEST(a_session_whose_plans_do_not_fit_any_more_is_replaced);
    CPPUNIT_TEST(a_drained_host_is_not_ready_and_goes_on);
    CPPUNIT_TEST(a_schema_that_is_not_migrated_is_told);
    CPPUNIT_TEST(a_newer_schema_can_be_used_and_not_migrated);
    CPPUNIT_TEST(an_outcome_that_is_unknown_is_told_to_operators);
    CPPUNIT_TEST(a_database_that_cannot_write_is_not_ready);
    CPPUNIT_TEST(a_server_whose_new_sessions_fail_is_not_ready);
    CPPUNIT_TEST(a_server_without_room_for_more_sessions_is_ready);
    CPPUNIT_TEST(a_missing_right_is_not_looked_for_at_each_probe);
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
        CPPUNIT_ASSERT_MESSAGE("too few answers", wait_until(kill_some, 60s));
        load.stop();
        check_only_503(load);
        playground().check_stored(load, false);
    }

    /// One backend killed with SIGKILL makes PostgreSQL restart all of them and recover.
    void a_crashing_server_loses_and_doubles_nothing() {
        Load load(*playground().stack(), playground().load(8, true));
        std::this_thread::sleep_for(300ms);
        kill(some_backend(), SIGKILL);
        CPPUNIT_ASSERT(wait_until([&] { return playground().status_of("/readyz") == 200; }, 60s));
        std::this_thread::sleep_for(500ms);
        load.stop();
        check_only_503(load);
        playground().check_stored(load, false);
    }

    void a_hanging_server_is_given_up_at_the_deadline() {
        playground().configure({"access_refresh = 1", "import_workers = 2", "request_timeout = 6"}, 2);
        std::string large;  // more than a socket takes while its reader hangs
        for (int count = 0; count < 65536; ++count) large += "\xF0\x9F\x98\x80";
        hang_during("while it hangs");
        hang_during(large);
    }

    /// All processes of PostgreSQL stand still, as on a frozen host. The answer comes long before the
    /// request's deadline.
    void a_frozen_server_is_given_up_for_its_silence() {
        playground().configure({"access_refresh = 1", "import_workers = 2", "database_silence = 2"}, 2);
        CPPUNIT_ASSERT_EQUAL(201, playground().post_note("before").status);
        const pid_t server = playground().stack()->pid("POSTGRES_PID");
        std::vector<pid_t> frozen = children_of(server);
        frozen.push_back(server);
        for (const pid_t process : frozen) kill(process, SIGSTOP);
        const auto start = Clock::now();
        const Answer answer = playground().post_note("while it is frozen");
        const auto took = Clock::now() - start;
        for (const pid_t process : frozen) kill(process, SIGCONT);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 503, answer.status);
        check_any_answer(answer);
        CPPUNIT_ASSERT_MESSAGE("it took too long", took < 30s);  // request_timeout is 55 s
        check_healed();
        Answer repeated;
        CPPUNIT_ASSERT(wait_until(
            [&] { return (repeated = playground().post_note("while it is frozen")).status == 201; }, 20s));
        CPPUNIT_ASSERT_EQUAL(1L,
                             playground().database().count(
                                 "SELECT count(*) FROM data_import.note WHERE body = 'while it is frozen'"));
    }

    /// A statement waits for a table longer than the database may be silent.
    void a_server_that_works_is_not_silent() {
        playground().configure({"access_refresh = 1", "import_workers = 2", "database_silence = 2"}, 2);
        const std::uintmax_t log_end = playground().stack().log_size();
        AdminSession session = playground().database();
        session.rows("BEGIN");
        session.rows("LOCK TABLE data_import.note IN SHARE ROW EXCLUSIVE MODE");
        Answer answer;
        std::thread client([&] { answer = playground().post_note("waits"); });
        std::this_thread::sleep_for(7s);
        session.rows("ROLLBACK");
        client.join();
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 201, answer.status);
        const std::string log = playground().stack().log_from(log_end);
        CPPUNIT_ASSERT_MESSAGE(log, log.find("session lost") == std::string::npos);
    }

    void the_host_that_takes_writes_is_found() {
        const std::string cluster = playground().database().value("SHOW unix_socket_directories");
        const std::string nowhere = playground().stack()->run_directory() / "nowhere";
        playground().configure(
            {"access_refresh = 1", "import_workers = 2",
             "database = host=" + nowhere + ',' + cluster + " dbname=data-import user=data-import"},
            2);
        CPPUNIT_ASSERT_EQUAL(201, playground().post_note("through the second host").status);
        const std::uintmax_t log_end = playground().stack().log_size();
        const pid_t server = playground().stack()->pid("POSTGRES_PID");
        kill(server, SIGINT);
        CPPUNIT_ASSERT(wait_until([&] { return !is_running(server); }, 60s));
        CPPUNIT_ASSERT_EQUAL(503, playground().post_note("while it is away").status);
        std::string log;  // is read again and again, because the service writes its log after the answer
        const bool names_both = wait_until(
            [&] {
                log = playground().stack().log_from(log_end);
                return log.find(nowhere) != std::string::npos &&
                       log.find(cluster + "/.s.PGSQL") != std::string::npos;
            },
            5s);
        CPPUNIT_ASSERT_MESSAGE(log, names_both);
        playground().stack().bring_up();
        check_healed();
    }

    /// Cancels the statement of an import that would be stored twice if the service executed the statement
    /// again. The service keeps the session, because a cancelled statement has certainly stored nothing.
    void a_cancelled_statement_is_rolled_back_and_its_session_kept() {
        open_statement();
        CPPUNIT_ASSERT_EQUAL(201, post_transaction("before").status);
        const std::vector<pid_t> before = service_backends();
        AdminSession session = playground().database();
        session.rows("BEGIN");
        session.rows("LOCK TABLE data_import.financial_transaction IN SHARE ROW EXCLUSIVE MODE");
        Answer answer;
        std::thread client([&] { answer = post_transaction("cancelled"); });
        AdminSession other = playground().database();
        const bool cancelled = wait_until(
            [&] {
                return other.count(
                           "SELECT count(*) FILTER (WHERE pg_cancel_backend(pid)) FROM pg_stat_activity "
                           "WHERE usename = 'data-import' AND wait_event = 'relation'") > 0;
            },
            5s);
        client.join();
        session.rows("ROLLBACK");
        CPPUNIT_ASSERT(cancelled);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 504, answer.status);
        check_any_answer(answer);
        CPPUNIT_ASSERT_EQUAL(201, post_transaction("after").status);
        CPPUNIT_ASSERT_EQUAL(2L, stored_transactions());
        for (const pid_t backend : before)
            CPPUNIT_ASSERT_MESSAGE("a session was closed", is_running(backend));
    }

    void a_hanging_server_leaves_an_outcome_unknown_that_is_told() {
        playground().configure({"access_refresh = 1", "import_workers = 2", "request_timeout = 6"}, 2);
        open_statement();
        CPPUNIT_ASSERT_EQUAL(201, post_transaction("before").status);
        const std::vector<pid_t> frozen = freeze_sessions();
        const Answer answer = post_transaction("hangs");
        for (const pid_t process : frozen) kill(process, SIGCONT);
        // 503 comes from a worker that had no session yet, and so sent no statement
        CPPUNIT_ASSERT_MESSAGE(shown(answer), answer.status == 500 || answer.status == 503);
        if (answer.status == 500) CPPUNIT_ASSERT(answer.body.find("outcome is unknown") != std::string::npos);
        check_any_answer(answer);
        check_healed();
    }

    /// Makes a trigger that refuses the import in every session that is older than the trigger. PostgreSQL
    /// refuses statements in the same way after a change of the tables, because the plans that a session has
    /// kept do not fit any more.
    void a_session_whose_plans_do_not_fit_any_more_is_replaced() {
        CPPUNIT_ASSERT_EQUAL(201, playground().post_note("before").status);
        AdminSession session = playground().database();
        session.rows(
            "CREATE FUNCTION public.refuse_older() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ "
            "BEGIN "
            "IF (SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()) < "
            "TG_ARGV[0]::timestamptz THEN "
            "RAISE feature_not_supported USING MESSAGE = 'cached plan must not change result type'; "
            "END IF; RETURN NEW; END $$");
        session.rows(
            "CREATE TRIGGER refuse_older BEFORE INSERT ON data_import.note FOR EACH ROW EXECUTE FUNCTION "
            "public.refuse_older('" +
            session.value("SELECT clock_timestamp()") + "')");
        std::vector<int> statuses;
        for (int count = 0; count < 6; ++count)
            statuses.push_back(playground().post_note("after " + std::to_string(count)).status);
        session.rows("DROP FUNCTION public.refuse_older() CASCADE");
        for (const int status : statuses) CPPUNIT_ASSERT_EQUAL(201, status);
    }

    void a_drained_host_is_not_ready_and_goes_on() {
        const std::string control = playground().stack()->value("CTL");
        CPPUNIT_ASSERT_EQUAL(0, run_command(control + " drain").status);
        const CommandResult again = run_command(control + " drain");
        const Answer ready = ask(*playground().stack(), get_request("/readyz"));
        const int alive = playground().status_of("/healthz");
        const int stored = playground().post_note("while drained").status;
        const CommandResult doctor = run_command(control + " doctor");
        CPPUNIT_ASSERT_EQUAL(0, run_command(control + " drain --off").status);
        CPPUNIT_ASSERT_MESSAGE(again.output, again.output.find("as it was") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(503, ready.status);
        check_any_answer(ready);
        CPPUNIT_ASSERT_MESSAGE(ready.body, ready.body.find("drain --off") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(200, alive);
        CPPUNIT_ASSERT_EQUAL(201, stored);
        CPPUNIT_ASSERT_MESSAGE(doctor.output, doctor.output.find("is drained") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(200, playground().status_of("/readyz"));
    }

    void a_schema_that_is_not_migrated_is_told() {
        const std::uintmax_t log_end = playground().stack().log_size();
        playground().database().rows("DROP SCHEMA data_import, platform CASCADE");
        CPPUNIT_ASSERT(wait_until([&] { return playground().status_of("/readyz") == 503; }, 60s));
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
        CPPUNIT_ASSERT(wait_until([&] { return playground().status_of("/readyz") == 200; }, 60s));
        playground().prepare();
        check_healed();
    }

    /// The database has the tables of a newer version, as after a downgrade.
    void a_newer_schema_can_be_used_and_not_migrated() {
        const std::string control = playground().stack()->value("CTL");
        AdminSession session = playground().database();
        session.rows(
            "INSERT INTO data_import.schema_migration (version, name, sha256) VALUES (999, 'next', '')");
        const CommandResult check = run_command(control + " db check");
        const CommandResult json = run_command(control + " db check --json");
        const CommandResult migrate = run_command(control + " db migrate");
        session.rows("DELETE FROM data_import.schema_migration WHERE version = 999");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(check.errors, 0, check.status);
        CPPUNIT_ASSERT_MESSAGE(
            check.output, check.output.find("999 next; it works with the tables of the version after it") !=
                              std::string::npos);
        CPPUNIT_ASSERT_EQUAL(0, json.status);
        CPPUNIT_ASSERT_MESSAGE(json.output, json.output.find(R"("newer":[999])") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(1, migrate.status);
        CPPUNIT_ASSERT_MESSAGE(migrate.errors, migrate.errors.find("downgrade refused") != std::string::npos);
    }

    /// The session is lost in the commit. A repeat of the command would find the rows of the first attempt,
    /// and would say that there was nothing to do.
    void an_outcome_that_is_unknown_is_told_to_operators() {
        AdminSession session = playground().database();
        session.rows(
            "CREATE FUNCTION public.end_session() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ "
            "BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$");
        for (const char* table : {"account_action", "erased_account", "account_step", "statement_period"})
            session.rows("CREATE CONSTRAINT TRIGGER end_session AFTER INSERT ON data_import." +
                         std::string(table) +
                         " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.end_session()");
        CPPUNIT_ASSERT_EQUAL(201, playground().post_note("to be taken out").status);
        const std::string account = "ACME " + playground().account();
        std::vector<CommandResult> results;
        for (const std::string& command :
             {"account reset " + account, "account hold " + account, "account erase " + account,
              "account stage " + account + "-new", "statement open " + account + " 2024-01-01:2024-01-31"})
            results.push_back(run_command(playground().stack()->value("CTL") + " " + command));
        session.rows("DROP FUNCTION public.end_session() CASCADE");
        for (const CommandResult& result : results) {
            CPPUNIT_ASSERT_EQUAL_MESSAGE(result.output, 1, result.status);
            for (const std::string& part :
                 {"whether it was done is unknown: data-importctl account show " + account,
                  std::string(" tells, and the command can be run again")})
                CPPUNIT_ASSERT_MESSAGE(result.errors, result.errors.find(part) != std::string::npos);
        }
    }

    /// An operator or a failover makes the database read-only while sessions are open.
    void a_database_that_cannot_write_is_not_ready() {
        AdminSession session = playground().database();
        session.rows("ALTER SYSTEM SET default_transaction_read_only = on");
        session.rows("SELECT pg_reload_conf()");
        const bool told = becomes(503);
        const Answer ready = ask(*playground().stack(), get_request("/readyz"));
        const bool metric_told = is_up("0");
        session.rows("SET default_transaction_read_only = off");
        session.rows("ALTER SYSTEM RESET default_transaction_read_only");
        session.rows("SELECT pg_reload_conf()");
        CPPUNIT_ASSERT(told);
        check_any_answer(ready);
        CPPUNIT_ASSERT_EQUAL(std::string("service_unavailable"), parse_error_body(ready.body).code);
        CPPUNIT_ASSERT(metric_told);
        CPPUNIT_ASSERT(becomes(200));
        CPPUNIT_ASSERT(is_up("1"));
    }

    /// New sessions have no room for a temporary file, as on a full disk. The workers' sessions go on,
    /// because settings of a role hold for new sessions only.
    void a_server_whose_new_sessions_fail_is_not_ready() {
        CPPUNIT_ASSERT_EQUAL(201, playground().post_note("before").status);
        AdminSession session = playground().database();
        session.rows("ALTER ROLE \"data-import\" SET temp_file_limit = 0");
        const bool told = becomes(503);
        const Answer ready = ask(*playground().stack(), get_request("/readyz"));
        const Answer answer = playground().post_note("in an old session");
        const CommandResult doctor = run_command(playground().stack()->value("CTL") + " doctor");
        const bool metric_told = is_up("0");
        session.rows("ALTER ROLE \"data-import\" RESET temp_file_limit");
        CPPUNIT_ASSERT(told);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 201, answer.status);
        CPPUNIT_ASSERT(metric_told);
        CPPUNIT_ASSERT_MESSAGE(shown(ready), ready.body.find("cannot store now") != std::string::npos);
        CPPUNIT_ASSERT_MESSAGE(doctor.output,
                               doctor.output.find("cannot do what imports need: 53400") != std::string::npos);
        CPPUNIT_ASSERT_MESSAGE(doctor.output,
                               doctor.output.find("RESET temp_file_limit") != std::string::npos);
        CPPUNIT_ASSERT(becomes(200));
    }

    void a_server_without_room_for_more_sessions_is_ready() {
        CPPUNIT_ASSERT_EQUAL(201, playground().post_note("before").status);
        CPPUNIT_ASSERT(becomes(200));
        AdminSession session = playground().database();
        session.rows("ALTER ROLE \"data-import\" CONNECTION LIMIT 1");
        bool stays = true;
        for (int probe = 0; probe < 12; ++probe) {
            stays = stays && playground().status_of("/readyz") == 200;
            std::this_thread::sleep_for(500ms);
        }
        session.rows("ALTER ROLE \"data-import\" CONNECTION LIMIT -1");
        CPPUNIT_ASSERT(stays);
    }

    /// Each check of the missing right opens a session, so the test counts sessions.
    void a_missing_right_is_not_looked_for_at_each_probe() {
        constexpr int probes = 40;
        AdminSession session = playground().database();
        session.rows("REVOKE SELECT ON data_import.account FROM \"data-import\"");
        const bool told = becomes(503);
        const auto sessions = [&] {
            return session.count("SELECT sessions FROM pg_stat_database WHERE datname = current_database()");
        };
        const long before = sessions();
        for (int probe = 0; probe < probes; ++probe) static_cast<void>(playground().status_of("/readyz"));
        std::this_thread::sleep_for(500ms);  // statistics of ended sessions come late
        const long opened = sessions() - before;
        session.rows("GRANT SELECT ON data_import.account TO \"data-import\"");
        CPPUNIT_ASSERT(told);
        CPPUNIT_ASSERT_LESS(static_cast<long>(probes / 2), opened);
        CPPUNIT_ASSERT(becomes(200));
    }

private:
    /// Waits for several answers in a row with this status, because each worker checks for itself, every few
    /// seconds.
    static bool becomes(int status) {
        const auto all_are = [&] {
            for (int probe = 0; probe < 12; ++probe) {
                if (playground().status_of("/readyz") != status) return false;
            }
            return true;
        };
        return wait_until(all_are, 15s);
    }

    static bool is_up(const std::string& value) {
        return wait_until(
            [&] {
                const CommandResult metrics = run_command(playground().stack()->value("CTL") + " metrics");
                return metrics.output.find("\ndata_import_database_up " + value + "\n") != std::string::npos;
            },
            10s);
    }

    void hang_during(const std::string& body) {
        // posts a body of the same length first, so that the pool that takes `body` has a session
        CPPUNIT_ASSERT_EQUAL(201, playground().post_note("b" + body.substr(4)).status);
        const std::vector<pid_t> frozen = freeze_sessions();
        const auto start = Clock::now();
        const Answer answer = playground().post_note(body);
        const auto took = Clock::now() - start;
        for (const pid_t process : frozen) kill(process, SIGCONT);
        CPPUNIT_ASSERT_MESSAGE("status " + std::to_string(answer.status),
                               answer.status == 504 || answer.status == 503);
        check_any_answer(answer);
        CPPUNIT_ASSERT_MESSAGE("it took too long", took < 40s);
        check_healed();
    }

    static void open_statement() {
        run_ctl(*playground().stack(),
                "statement open ACME " + playground().account() + " 2024-01-01:2024-12-31");
    }

    /// Posts a transaction. The service stores it as often as the request arrives, because the request has
    /// `check_previously_added=false`.
    static Answer post_transaction(const std::string& id) {
        return ask(
            *playground().stack(),
            {.method = "POST",
             .target = "/v1/data-import/transactions/create/?check_previously_added=false",
             .headers = {{"Host", "localhost"},
                         {"Content-Type", "application/json"},
                         {"Authorization", "Token " + playground().token()}},
             .body = R"({"import_supplier":"ACME","external_account_number":")" + playground().account() +
                     R"(","transactions":[{"type":"CHARGE","transaction_id":")" + id +
                     R"(","transaction_date":"2024-02-01","amount":"1.00","reason":"FEE"}]})"});
    }

    static long stored_transactions() {
        return playground().database().count(
            "SELECT count(*) FROM data_import.financial_transaction "
            "WHERE account_key = data_import.account_key('ACME', $1)",
            {playground().account()});
    }

    /// Ends PostgreSQL by the signal. Fails unless requests are refused quickly meanwhile, and work again
    /// after a restart. Waits until all backends have ended, because they go on storing until then.
    static void go_away_and_heal(int signal) {
        CPPUNIT_ASSERT_EQUAL(201, playground().post_note("before").status);
        const pid_t server = playground().stack()->pid("POSTGRES_PID");
        std::vector<pid_t> processes = children_of(server);
        processes.push_back(server);
        const pid_t master = playground().master();
        kill(server, signal);
        CPPUNIT_ASSERT(
            wait_until([&] { return std::none_of(processes.begin(), processes.end(), is_running); }, 60s));
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
        if (!wait_until(post, 60s)) CPPUNIT_FAIL("notes are still refused: " + shown(last));
    }

    static void check_refused_quickly(int number) {
        const auto start = Clock::now();
        const Answer answer = playground().post_note("while away " + std::to_string(number));
        const auto took = Clock::now() - start;
        check_any_answer(answer);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 503, answer.status);
        CPPUNIT_ASSERT_MESSAGE("the refusal took too long", took < 20s);  // request_timeout is 55 s
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

    /// Stops the sessions of the service. Also stops the process that opens new ones, because a worker
    /// without a session would open one.
    static std::vector<pid_t> freeze_sessions() {
        std::vector<pid_t> frozen = service_backends();
        frozen.push_back(playground().stack()->pid("POSTGRES_PID"));
        for (const pid_t process : frozen) kill(process, SIGSTOP);
        return frozen;
    }

    static pid_t some_backend() { return service_backends().at(0); }
};

CPPUNIT_TEST_SUITE_REGISTRATION(DatabaseFaultsTest);

}  // namespace data_import::tests

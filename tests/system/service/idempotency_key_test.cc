// Idempotency-Key, as far as the cases of tests/cases cannot test it: requests at the same time, killed
// workers and sessions, answers older than a day, and tokens of another scope.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "../../support/answer_check.h"
#include "../../support/json_match.h"
#include "../../support/playground.h"
#include "../../support/processes.h"
#include "../../support/world.h"

namespace data_import::tests {

class IdempotencyKeyTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(IdempotencyKeyTest);
    CPPUNIT_TEST(a_request_that_runs_is_409_for_others);
    CPPUNIT_TEST(a_worker_that_dies_leaves_nothing_claimed);
    CPPUNIT_TEST(an_answer_is_forgotten_after_its_time);
    CPPUNIT_TEST(a_kept_answer_needs_the_scope_it_was_given_in);
    CPPUNIT_TEST(kept_answers_have_a_limit_for_each_organisation);
    CPPUNIT_TEST(workers_share_the_measurement_of_kept_answers);
    CPPUNIT_TEST(killed_backends_double_nothing);
    CPPUNIT_TEST(a_repeat_after_unknown_commits_counts_once);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override { playground().prepare(); }

    void a_request_that_runs_is_409_for_others() {
        AdminSession session = playground().database();
        hold_notes(session);
        Answer first;
        std::thread client([&] { first = post("same", "k-running"); });
        const bool waiting = wait_until([&] { return somebody_waits(session); }, 60s);
        const Answer second = post("same", "k-running");
        session.rows("COMMIT");
        client.join();
        CPPUNIT_ASSERT(waiting);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(second), 409, second.status);
        check_any_answer(second);
        CPPUNIT_ASSERT_EQUAL(std::string("request_in_progress"), parse_error_body(second.body).code);
        CPPUNIT_ASSERT(second.header("Retry-After").has_value());
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(first), 201, first.status);
        CPPUNIT_ASSERT_EQUAL(first.body, post("same", "k-running").body);
    }

    void a_worker_that_dies_leaves_nothing_claimed() {
        AdminSession session = playground().database();
        hold_notes(session);
        Answer broken;
        std::thread client([&] { broken = post("killed", "k-killed"); });
        const bool waiting = wait_until([&] { return somebody_waits(session); }, 60s);
        for (const pid_t worker : playground().workers()) kill(worker, SIGKILL);
        client.join();
        session.rows("COMMIT");
        CPPUNIT_ASSERT(waiting);
        // 502: nginx gave up; 409 and 504: nginx sent the request to another worker. That worker answers 409
        // if the session of the killed worker is still at work, or 504 because it waits for the table that
        // this test has locked.
        CPPUNIT_ASSERT_MESSAGE(shown(broken),
                               broken.status == 502 || broken.status == 409 || broken.status == 504);
        Answer again;
        CPPUNIT_ASSERT(wait_until([&] { return (again = post("killed", "k-killed")).status == 201; }, 60s));
        CPPUNIT_ASSERT_MESSAGE(shown(again), again.body.find("NOTE_CREATION_SUCCESS") != std::string::npos);
    }

    void an_answer_is_forgotten_after_its_time() {
        CPPUNIT_ASSERT_EQUAL(201, post("kept", "k-old").status);
        CPPUNIT_ASSERT(post("kept", "k-old").header("Idempotency-Replayed") == "true");
        AdminSession session = playground().database();
        session.rows("UPDATE data_import.idempotency_key SET kept_at = kept_at - interval '86399 seconds'");
        CPPUNIT_ASSERT(post("kept", "k-old").header("Idempotency-Replayed") == "true");
        session.rows("UPDATE data_import.idempotency_key SET kept_at = kept_at - interval '1 second'");
        const Answer later = post("kept", "k-old");
        CPPUNIT_ASSERT(!later.header("Idempotency-Replayed"));
        CPPUNIT_ASSERT_MESSAGE(shown(later), later.body.find("NOTE_ALREADY_EXISTS") != std::string::npos);
    }

    void a_kept_answer_needs_the_scope_it_was_given_in() {
        CPPUNIT_ASSERT_EQUAL(201, post("scoped", "k-scope").status);
        CPPUNIT_ASSERT_EQUAL(400, post("", "k-scope-refused").status);
        AdminSession session = playground().database();
        if (session.count("SELECT count(*) FROM data_import.import_supplier WHERE code = 'NARROW'") == 0)
            run_ctl(*playground().stack(), "supplier create NARROW --name Narrow");
        const std::string narrow = token_for(*playground().stack(), "Acme", "NARROW");
        Answer refused;
        const auto sees_key = [&] { return (refused = post("scoped", "k-scope", narrow)).status != 401; };
        CPPUNIT_ASSERT(wait_until(sees_key, 60s));
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(refused), 404, refused.status);
        CPPUNIT_ASSERT_EQUAL(std::string("account_not_found"), parse_error_body(refused.body).code);
        const Answer not_valid = post("", "k-scope-refused", narrow);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(not_valid), 400, not_valid.status);
        CPPUNIT_ASSERT_MESSAGE(shown(not_valid), !not_valid.header("Idempotency-Replayed"));
        CPPUNIT_ASSERT(post("", "k-scope-refused").header("Idempotency-Replayed") == "true");
    }

    void kept_answers_have_a_limit_for_each_organisation() {
        AdminSession session = playground().database();
        CPPUNIT_ASSERT_EQUAL(201, post("measured", "k-measured").status);
        // removes old answers, which other tests have made and housekeeping may delete at any moment
        session.rows("DELETE FROM data_import.idempotency_key WHERE kept_at < now() - interval '1 hour'");
        session.rows("DELETE FROM data_import.kept_answers_of_minute");
        measure_kept_answers(session);
        CPPUNIT_ASSERT_EQUAL(
            1L,
            session.count("SELECT count(*) FROM data_import.kept_answers WHERE organisation = 'Acme' AND "
                          "bytes = (SELECT sum(pg_column_size(body) + 300) FROM data_import.idempotency_key "
                          "WHERE organisation = 'Acme' AND kept_at >= now() - interval '1 day')"));
        session.rows(
            "INSERT INTO data_import.kept_answers_of_minute (organisation, minute, bytes) "
            "VALUES ('Acme', date_trunc('minute', now() - interval '1 hour'), 1073741824)");
        measure_kept_answers(session);
        const Answer refused = post("beyond", "k-beyond");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(refused), 429, refused.status);
        check_any_answer(refused);
        CPPUNIT_ASSERT_EQUAL(std::string("throttled"), parse_error_body(refused.body).code);
        CPPUNIT_ASSERT_MESSAGE(shown(refused), refused.body.find("1 GiB") != std::string::npos);
        CPPUNIT_ASSERT(post("measured", "k-measured").header("Idempotency-Replayed") == "true");
        CPPUNIT_ASSERT_EQUAL(422, post("another", "k-measured").status);
        CPPUNIT_ASSERT_EQUAL(
            201, ask(*playground().stack(),
                     notes_request(playground().token(), "ACME", playground().account(), {{"no key"}}))
                     .status);
        session.rows("DELETE FROM data_import.kept_answers_of_minute WHERE bytes = 1073741824");
        measure_kept_answers(session);
        const Answer later = post("beyond", "k-beyond");
        CPPUNIT_ASSERT_MESSAGE(shown(later), later.body.find("NOTE_CREATION_SUCCESS") != std::string::npos);
    }

    /// A second measurement finds what the first one has found, until some seconds have passed.
    void workers_share_the_measurement_of_kept_answers() {
        const char* const bytes =
            "SELECT coalesce(sum(bytes), 0) FROM data_import.kept_answers WHERE organisation = 'Acme'";
        AdminSession session = playground().database();
        CPPUNIT_ASSERT_EQUAL(201, post("shared", "k-shared").status);
        session.rows("BEGIN");
        lock_housekeeping(session);
        session.rows("UPDATE data_import.kept_answers SET measured_at = now() - interval '1 minute'");
        session.rows("SELECT data_import.measure_kept_answers('1 day')");
        const long before = session.count(bytes);
        session.rows(
            "INSERT INTO data_import.kept_answers_of_minute (organisation, minute, bytes) "
            "VALUES ('Acme', date_trunc('minute', now() - interval '1 hour'), 1000)");
        session.rows("SELECT data_import.measure_kept_answers('1 day')");
        const long soon = session.count(bytes);
        session.rows("UPDATE data_import.kept_answers SET measured_at = now() - interval '1 minute'");
        session.rows("SELECT data_import.measure_kept_answers('1 day')");
        const long later = session.count(bytes);
        session.rows("ROLLBACK");
        CPPUNIT_ASSERT(before > 0);
        CPPUNIT_ASSERT_EQUAL(before, soon);
        CPPUNIT_ASSERT_EQUAL(before + 1000, later);
    }

    /// Each request has a key of its own and is repeated until it is answered, also after a 500 that calls
    /// its outcome unknown. Each acknowledged transaction is then stored once.
    void killed_backends_double_nothing() {
        std::atomic<bool> stop = false;
        std::thread killer([&] {
            AdminSession session = playground().database();
            while (!stop) {
                session.rows(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'data-import'");
                std::this_thread::sleep_for(150ms);
            }
        });
        std::string unanswered;
        for (int number = 0; number < 60; ++number) {
            const std::string name = "kb-" + std::to_string(number);
            Answer answer;
            const auto answered = [&] {
                answer = post_transaction(name);
                return answer.status != 503 && answer.status != 500 && answer.status != 409;
            };
            if (!wait_until(answered, 60s) || answer.status != 201) unanswered = shown(answer);
            if (!unanswered.empty()) break;
        }
        stop = true;
        killer.join();
        CPPUNIT_ASSERT_EQUAL(std::string(), unanswered);
        CPPUNIT_ASSERT_EQUAL(
            60L, playground().database().count("SELECT count(*) FROM data_import.financial_transaction "
                                               "WHERE account_key = data_import.account_key('ACME', $1)",
                                               {playground().account()}));
    }

    /// The first two commits of each request lose their session. The third attempt is answered, and the
    /// refusal is counted only once.
    void a_repeat_after_unknown_commits_counts_once() {
        CPPUNIT_ASSERT_EQUAL(201, post_transaction("differs").status);
        AdminSession session = playground().database();
        wait_for_earlier_refusals(session);
        const long blank = counted(session, "blank");
        const long differs = counted(session, "transaction_differs");
        break_commits(session, 2);
        const Answer refused = post("", "k-refused-thrice");
        const long broken = session.count("SELECT last_value FROM public.commits");
        break_commits(session, 2);
        const Answer differing = post_transaction("differs", "k-differs-thrice", "2.00", "true");
        session.rows("DROP FUNCTION public.break_commit CASCADE");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(refused), 400, refused.status);
        CPPUNIT_ASSERT_EQUAL(3L, broken);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(differing), 201, differing.status);
        CPPUNIT_ASSERT(wait_until([&] { return counted(session, "blank") > blank; }, 20s));
        CPPUNIT_ASSERT(wait_until([&] { return counted(session, "transaction_differs") > differs; }, 20s));
        CPPUNIT_ASSERT_EQUAL(blank + 1, counted(session, "blank"));
        CPPUNIT_ASSERT_EQUAL(differs + 1, counted(session, "transaction_differs"));
    }

private:
    static void lock_housekeeping(AdminSession& session) {
        session.rows("SELECT pg_advisory_xact_lock(data_import.lock_number('housekeeping', ''))");
    }

    /// Measures the kept answers under the lock of housekeeping, because the service's housekeeping measures
    /// them, too.
    static void measure_kept_answers(AdminSession& session) {
        session.rows("BEGIN");
        lock_housekeeping(session);
        session.rows("UPDATE data_import.kept_answers SET measured_at = now() - interval '1 minute'");
        session.rows("SELECT data_import.measure_kept_answers('1 day')");
        session.rows("COMMIT");
    }

    /// Waits until earlier refusals are counted, also those of other tests, because workers count a refusal a
    /// second or more after its answer.
    static void wait_for_earlier_refusals(AdminSession& session) {
        long before = -1;
        CPPUNIT_ASSERT(wait_until(
            [&] {
                const long now =
                    session.count("SELECT coalesce(sum(count), 0) FROM data_import.refused_request");
                const bool is_settled = now == before;
                before = now;
                if (!is_settled) std::this_thread::sleep_for(3s);
                return is_settled;
            },
            60s));
    }

    /// Breaks the sessions of the next `commits` transactions that store a kept answer, each during its
    /// COMMIT.
    static void break_commits(AdminSession& session, int commits) {
        session.rows("DROP FUNCTION IF EXISTS public.break_commit CASCADE");
        session.rows("DROP SEQUENCE IF EXISTS public.commits");
        session.rows("CREATE SEQUENCE public.commits");
        session.rows(
            "CREATE FUNCTION public.break_commit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ "
            "BEGIN IF nextval('public.commits') <= " +
            std::to_string(commits) +
            " THEN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(5); END IF; "
            "RETURN NULL; END $$");
        session.rows(
            "CREATE CONSTRAINT TRIGGER break_commit AFTER INSERT ON data_import.idempotency_key "
            "DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.break_commit()");
    }

    static long counted(AdminSession& session, const std::string& item_code) {
        return session.count(
            "SELECT coalesce(sum(count), 0) FROM data_import.refused_request WHERE item_code = $1",
            {item_code});
    }

    static Answer post(const std::string& body, const std::string& key, const std::string& token = "") {
        HttpRequest request = notes_request(token.empty() ? playground().token() : token, "ACME",
                                            playground().account(), {{body}});
        request.headers.emplace_back("Idempotency-Key", key);
        return ask(*playground().stack(), request);
    }

    /// Posts a transaction with the id `name` under the Idempotency-Key `key`, or under the key `name` if
    /// `key` is empty, and returns the answer. As long as `check_previously_added` is `false`, each repeat
    /// adds the transaction once more, unless the Idempotency-Key prevents it.
    static Answer post_transaction(const std::string& name, const std::string& key = "",
                                   const std::string& amount = "1.00",
                                   const std::string& check_previously_added = "false") {
        static std::string open_for;
        if (open_for != playground().account()) {
            open_for = playground().account();
            run_ctl(*playground().stack(), "statement open ACME " + open_for + " 2024-01-01:2024-12-31");
        }
        return ask(
            *playground().stack(),
            {.method = "POST",
             .target =
                 "/v1/data-import/transactions/create/?check_previously_added=" + check_previously_added,
             .headers = {{"Host", "localhost"},
                         {"Content-Type", "application/json"},
                         {"Authorization", "Token " + playground().token()},
                         {"Idempotency-Key", key.empty() ? name : key}},
             .body = R"({"import_supplier":"ACME","external_account_number":")" + playground().account() +
                     R"(","transactions":[{"type":"CHARGE","transaction_id":")" + name +
                     R"(","transaction_date":"2024-02-01","reason":"FEE","amount":")" + amount + R"("}]})"});
    }

    /// Imports of notes wait until the session's transaction ends.
    static void hold_notes(AdminSession& session) {
        session.rows("BEGIN");
        session.rows("LOCK TABLE data_import.note IN SHARE ROW EXCLUSIVE MODE");
    }

    static bool somebody_waits(AdminSession& session) {
        return session.count("SELECT count(*) FROM pg_locks WHERE locktype = 'relation' AND NOT granted") > 0;
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(IdempotencyKeyTest);

}  // namespace data_import::tests

// A synchronous standby that stands still: no answer says "stored" about rows that the standby does not have.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <csignal>
#include <future>
#include <thread>

#include "../../support/answer_check.h"
#include "../../support/mutation.h"
#include "../../support/playground.h"
#include "../../support/processes.h"
#include "../../support/standby.h"
#include "../../support/world.h"
#include "service/api/routes.h"
#include "service/openapi/prose.h"

namespace data_import::tests {

namespace {

/// Keeps the standby from receiving anything while this object lives.
class StandStill {
public:
    explicit StandStill(const Standby& standby) : receiver_(standby.receiver()) { kill(receiver_, SIGSTOP); }
    ~StandStill() { kill(receiver_, SIGCONT); }
    StandStill(const StandStill&) = delete;
    StandStill& operator=(const StandStill&) = delete;

private:
    pid_t receiver_;
};

}  // namespace

class StandbyTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(StandbyTest);
    CPPUNIT_TEST(a_lost_session_is_no_way_around_the_standby);
    CPPUNIT_TEST(a_cancelled_wait_is_no_way_around_the_standby);
    CPPUNIT_TEST(an_idempotency_key_is_no_way_around_the_standby);
    CPPUNIT_TEST(a_batch_is_no_way_around_the_standby);
    CPPUNIT_TEST(the_outcome_of_an_unrepeatable_import_is_unknown);
    CPPUNIT_TEST(a_refusal_is_counted_once_after_an_unknown_outcome);
    CPPUNIT_TEST(an_answer_already_stored_waits_for_the_standby);
    CPPUNIT_TEST(a_step_already_done_waits_for_the_standby);
    CPPUNIT_TEST(views_of_the_platform_can_be_read_on_the_standby);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override {
        playground().prepare();
        playground().configure({"access_refresh = 1", "import_workers = 1"}, 1);
        static_cast<void>(standby());
    }

    void a_lost_session_is_no_way_around_the_standby() {
        answered_when_the_standby_has_it({note()}, "pg_terminate_backend");
    }

    void a_cancelled_wait_is_no_way_around_the_standby() {
        answered_when_the_standby_has_it({note()}, "pg_cancel_backend");
    }

    void an_idempotency_key_is_no_way_around_the_standby() {
        for (const std::string disturb : {"pg_terminate_backend", "pg_cancel_backend"}) {
            const std::string account = further_account(disturb);
            HttpRequest request = notes_request(playground().token(), "ACME", account, {{"under a key"}});
            request.headers.emplace_back("Idempotency-Key", account);
            answered_when_the_standby_has_it({request}, disturb);
        }
    }

    void a_batch_is_no_way_around_the_standby() {
        for (const std::string disturb : {"pg_terminate_backend", "pg_cancel_backend"}) {
            std::vector<HttpRequest> requests;
            for (const char* name : {"a", "b", "c", "d"}) {
                requests.push_back(notes_request(playground().token(), "ACME",
                                                 further_account(disturb + name), {{"one of a batch"}}));
            }
            answered_when_the_standby_has_it(requests, disturb);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(
                "transactions", 1L,
                playground().database().count("SELECT count(DISTINCT note.xmin::text) FROM data_import.note "
                                              "NATURAL JOIN data_import.account WHERE " +
                                                  of_this_test,
                                              {playground().account() + disturb}));
        }
    }

    void the_outcome_of_an_unrepeatable_import_is_unknown() {
        run_ctl(*playground().stack(),
                "statement open ACME " + playground().account() + " 2024-01-01:2024-12-31");
        const std::string path = "/v1/data-import/transactions/create/?check_previously_added=false";
        std::future<Answer> asked;
        {
            const StandStill pause(standby());
            asked = ask_later(post(path, R"({"import_supplier":"ACME","external_account_number":")" +
                                             playground().account() +
                                             R"(","transactions":[{"type":"CHARGE","transaction_id":"1",)"
                                             R"("transaction_date":"2024-02-01","amount":"1.00",)"
                                             R"("reason":"FEE"}]})"));
            CPPUNIT_ASSERT(wait_until(
                [&] {
                    disturb_waiting("pg_cancel_backend");
                    return asked.wait_for(100ms) == std::future_status::ready;
                },
                10s));
        }
        const Answer answer = asked.get();
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 500, answer.status);
        CPPUNIT_ASSERT(answer.body.find("outcome is unknown") != std::string::npos);
    }

    /// The transaction that counts a refusal is cancelled while it waits for the standby. A further refusal
    /// then shows how often the first one was counted.
    void a_refusal_is_counted_once_after_an_unknown_outcome() {
        const HttpRequest refused = post("/v1/data-import/notes/create/", R"({"import_supplier":"ACME"})");
        {
            const StandStill pause(standby());
            CPPUNIT_ASSERT_EQUAL(400, ask(*playground().stack(), refused).status);
            CPPUNIT_ASSERT(wait_until(
                [&] {
                    disturb_waiting("pg_cancel_backend");
                    return counted_refusals("count > 0") == 1;
                },
                20s));
        }
        const std::string last = ask(*playground().stack(), refused).header("X-Request-Id").value();
        CPPUNIT_ASSERT(
            wait_until([&] { return counted_refusals("sample_request_id = '" + last + "'") == 1; }, 20s));
        CPPUNIT_ASSERT_EQUAL(1L, counted_refusals("count = 2"));
    }

    /// A repeat waits for the standby, too, because the rows of the first attempt may be on no standby. This
    /// holds for every kind of record.
    void an_answer_already_stored_waits_for_the_standby() {
        const std::vector<http::Endpoint> endpoints = api::endpoints({});
        for (const http::Endpoint& endpoint : endpoints) {
            if (endpoint.method != "POST" || !endpoint.needs_token || endpoint.takes_lines) continue;
            const HttpRequest request = post(std::string(endpoint.path), own_example(endpoint));
            const Answer first = ask(*playground().stack(), request);
            CPPUNIT_ASSERT_MESSAGE(shown(first), first.status == 200 || first.status == 201);
            std::future<Answer> asked;
            {
                const StandStill pause(standby());
                asked = ask_later(request);
                CPPUNIT_ASSERT_MESSAGE(std::string(endpoint.path), is_unanswered(asked));
            }
            const Answer again = asked.get();
            CPPUNIT_ASSERT_MESSAGE(shown(again), again.status == 200 || again.status == 201);
        }
    }

    /// Repeats calls of database functions and a command that have nothing left to do, and asks for the
    /// control totals. None of these stores anything. Each of them waits for the standby all the same.
    void a_step_already_done_waits_for_the_standby() {
        const std::string account = further_account("done");
        run_ctl(*playground().stack(), "key create --organisation Gone --supplier ACME");
        const std::string gone = playground().database().value(
            "SELECT max(id)::text FROM data_import.api_key WHERE organisation = 'Gone'");
        run_ctl(*playground().stack(), "account hold ACME " + account);
        run_ctl(*playground().stack(), "key revoke " + gone);
        const std::string name = "'ACME', '" + account + "'";
        for (const std::string& step : {"account_hold(" + name + ")", "account_complete(" + name + ")",
                                        "statement_close(" + name + ")"}) {
            const auto again = waits_for_the_standby(
                [&] { return playground().database().value("SELECT data_import." + step); });
            CPPUNIT_ASSERT_MESSAGE(step, again);
        }
        CPPUNIT_ASSERT(
            waits_for_the_standby([&] { return run_ctl(*playground().stack(), "key revoke " + gone); }));
        CPPUNIT_ASSERT(waits_for_the_standby([&] {
            return ask(*playground().stack(),
                       get_request("/v1/data-import/control-totals/ACME/", playground().token()))
                .body;
        }));
    }

    void views_of_the_platform_can_be_read_on_the_standby() {
        AdminSession reader(standby().both_hosts("data-import", "postgres"));
        CPPUNIT_ASSERT_EQUAL(std::string("t"), reader.value("SELECT pg_is_in_recovery()"));
        reader.rows("SET ROLE \"data-import-reader\"");
        for (const auto& view : reader.rows("SELECT oid::regclass FROM pg_class WHERE relkind = 'v' AND "
                                            "relnamespace = 'platform'::regnamespace"))
            static_cast<void>(reader.rows("SELECT * FROM " + view.at(0)));
        CPPUNIT_ASSERT(reader.count("SELECT count(*) FROM platform.account") > 0);
    }

private:
    /// True if the step waits while the standby stands still.
    template <typename Step>
    static bool waits_for_the_standby(const Step& step) {
        std::future<std::string> done;
        bool has_waited = false;
        {
            const StandStill pause(standby());
            done = std::async(std::launch::async, step);
            has_waited = done.wait_for(500ms) == std::future_status::timeout;
        }
        static_cast<void>(done.get());
        return has_waited;
    }

    /// Selects the accounts of the test, whose numbers begin with $1, the number of the playground's account.
    static inline const std::string of_this_test = "starts_with(external_account_number, $1)";

    /// The standby has a stack that no other test uses.
    static Playground& playground() {
        static Playground playground;
        return playground;
    }

    static const Standby& standby() {
        static const Standby standby(*playground().stack());
        return standby;
    }

    static HttpRequest post(const std::string& target, const std::string& body) {
        return {.method = "POST",
                .target = target,
                .headers = {{"Host", "localhost"},
                            {"Content-Type", "application/json"},
                            {"Authorization", "Token " + playground().token()}},
                .body = body};
    }

    static HttpRequest note() {
        return notes_request(playground().token(), "ACME", playground().account(), {{"a note"}});
    }

    static std::string further_account(const std::string& name) {
        AdminSession session = playground().database();
        const std::string prefix = playground().account() + name;
        import_accounts(session, "ACME", prefix, 1);
        return prefix + "00001";
    }

    static std::string own_example(const http::Endpoint& endpoint) {
        std::string example(openapi::example_of(endpoint));
        if (endpoint.supplier == http::SupplierIn::body)
            example = with_field(example, "external_account_number", '"' + playground().account() + '"');
        if (endpoint.path.ends_with("/transactions/create/")) {
            run_ctl(*playground().stack(),
                    "statement open ACME " + playground().account() + " 2000-01-01:2099-12-31");
        }
        return example;
    }

    static std::future<Answer> ask_later(const HttpRequest& request) {
        return std::async(std::launch::async, [request] { return ask(*playground().stack(), request); });
    }

    static bool is_unanswered(const std::future<Answer>& asked) {
        return asked.wait_for(300ms) == std::future_status::timeout;
    }

    /// Stops the workers until they have been sent all requests, which therefore share a batch.
    static std::vector<std::future<Answer>> ask_together(const std::vector<HttpRequest>& requests) {
        std::vector<std::future<Answer>> asked;
        const std::vector<pid_t> workers = playground().workers();
        for (const pid_t worker : workers) kill(worker, SIGSTOP);
        for (const HttpRequest& request : requests) asked.push_back(ask_later(request));
        std::this_thread::sleep_for(500ms);
        for (const pid_t worker : workers) kill(worker, SIGCONT);
        return asked;
    }

    static void disturb_waiting(const std::string& function) {
        playground().database().rows("SELECT " + function +
                                     "(pid) FROM pg_stat_activity WHERE usename = 'data-import' "
                                     "AND wait_event = 'SyncRep'");
    }

    /// Returns the number of rows of refused_request that stand for a missing account number and meet the SQL
    /// condition `condition`. Refusals of the same day, supplier, endpoint and error share a row.
    static long counted_refusals(const std::string& condition) {
        return playground().database().count(
            "SELECT count(*) FROM data_import.refused_request WHERE item_code = 'required' AND attr = "
            "'external_account_number' AND " +
            condition);
    }

    static long stored_notes() {
        return playground().database().count(
            "SELECT count(*) FROM data_import.note NATURAL JOIN data_import.account WHERE " + of_this_test,
            {playground().account()});
    }

    /// Fails unless the requests, which import notes, are answered only when the standby has the notes.
    /// `disturb` is the SQL function that ends a session's first wait for the standby, such as
    /// pg_cancel_backend. After that, other sessions can see the notes, but the standby does not have them.
    static void answered_when_the_standby_has_it(const std::vector<HttpRequest>& requests,
                                                 const std::string& disturb) {
        const long before = stored_notes();
        const auto are_stored = [&] { return stored_notes() == before + std::ssize(requests); };
        std::vector<std::future<Answer>> asked;
        {
            const StandStill pause(standby());
            asked = ask_together(requests);
            const auto become_visible = [&] {
                disturb_waiting(disturb);
                return wait_until(are_stored, 300ms);
            };
            CPPUNIT_ASSERT(wait_until(become_visible, 10s));
            for (const std::future<Answer>& one : asked)
                CPPUNIT_ASSERT_MESSAGE("answered before the standby has it", is_unanswered(one));
        }
        for (std::future<Answer>& one : asked) {
            const Answer answer = one.get();
            CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 201, answer.status);
        }
        CPPUNIT_ASSERT(are_stored());
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(StandbyTest);

}  // namespace data_import::tests

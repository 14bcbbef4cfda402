// Requests for other accounts are answered while one account is locked for long. A gate is a lock on a table,
// at which a worker has to wait.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <memory>
#include <thread>
#include <vector>

#include "../../support/answer_check.h"
#include "../../support/command.h"
#include "../../support/json_match.h"
#include "../../support/playground.h"
#include "../../support/processes.h"
#include "../../support/world.h"

namespace data_import::tests {

namespace {

/// A request in a thread of its own.
class Asked {
public:
    Asked(const Stack& stack, const HttpRequest& request)
        : thread_([this, &stack, request] {
              HttpConnection connection(stack.port(), stack.value("CA_FILE"));
              connection.send(to_bytes(request));
              is_sent_ = true;
              answer_ = connection.receive();
              is_answered_ = true;
          }) {}
    ~Asked() {
        if (thread_.joinable()) thread_.join();
    }

    [[nodiscard]] bool is_sent() const { return is_sent_; }
    [[nodiscard]] bool is_answered() const { return is_answered_; }
    [[nodiscard]] const Answer& answer() {
        if (thread_.joinable()) thread_.join();
        return answer_;
    }

private:
    std::atomic<bool> is_sent_ = false;
    std::atomic<bool> is_answered_ = false;
    Answer answer_;
    std::thread thread_;
};

}  // namespace

class LockedAccountTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(LockedAccountTest);
    CPPUNIT_TEST(requests_in_a_batch_do_not_wait_for_a_locked_account);
    CPPUNIT_TEST(requests_with_keys_do_not_wait_for_a_locked_account);
    CPPUNIT_TEST(a_locked_account_costs_its_own_requests_only);
    CPPUNIT_TEST(a_long_body_for_a_locked_account_holds_up_no_other_one);
    CPPUNIT_TEST(requests_for_one_locked_account_are_limited_beside_others);
    CPPUNIT_TEST(a_transaction_waits_for_no_locked_account);
    CPPUNIT_TEST(workers_step_in_for_one_that_waits);
    CPPUNIT_TEST(dry_runs_wait_for_a_locked_account);
    CPPUNIT_TEST(a_client_that_has_gone_is_no_error);
    CPPUNIT_TEST(a_request_without_a_waiting_client_is_not_executed);
    CPPUNIT_TEST(time_that_is_up_is_no_fault_of_the_database);
    CPPUNIT_TEST(a_request_waiting_during_a_pause_stores_nothing);
    CPPUNIT_TEST(an_import_outlives_the_worker_that_was_to_answer_it);
    CPPUNIT_TEST(a_request_that_adds_twice_is_not_sent_again);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override {
        playground().prepare();
        playground().configure({"access_refresh = 1", "import_workers = 1"}, 1);
        AdminSession session = playground().database();
        prefix_ = playground().account() + "-H";
        import_accounts(session, "ACME", prefix_, others + 2);
    }

    void requests_in_a_batch_do_not_wait_for_a_locked_account() { others_are_answered_meanwhile(false); }

    void requests_with_keys_do_not_wait_for_a_locked_account() { others_are_answered_meanwhile(true); }

    /// A transaction that waited for the account would delay other transactions. The test judges the shortest
    /// of several calls, because a single call may be slow for other reasons.
    void a_transaction_waits_for_no_locked_account() {
        AdminSession holder = playground().database();
        AdminSession session = playground().database();
        lock(holder, locked);
        const std::string import =
            "SELECT (data_import.begin_imports(ARRAY[data_import.account_key('ACME', $1)], "
            "'{ACME}'))[1]";
        double shortest_ms = 1000;
        for (int attempt = 0; attempt < 20; ++attempt) {
            const auto begun = std::chrono::steady_clock::now();
            CPPUNIT_ASSERT_EQUAL(std::string("account_locked"),
                                 session.rows(import, {name_of(locked)})[0][0]);
            const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begun;
            shortest_ms = std::min(shortest_ms, took.count());
        }
        holder.rows("COMMIT");
        CPPUNIT_ASSERT_LESS(10.0, shortest_ms);
    }

    /// Only one of the three workers takes requests at a time. While this worker waits at the gate, another
    /// worker takes new requests, so only the request at the gate is delayed.
    void workers_step_in_for_one_that_waits() {
        playground().configure({"access_refresh = 1", "import_workers = 3", "import_workers_at_once = 1"}, 3);
        AdminSession gatekeeper = playground().database();
        close_gate(gatekeeper, "historical_statement");
        Asked at_gate(*playground().stack(), statement(gate));
        const bool waits = wait_until([&] { return somebody_is_at_gate(gatekeeper); }, 60s);
        const Others innocent = ask_for_others(false);
        const bool answered = all_are_answered(innocent);
        const bool gate_is_answered = at_gate.is_answered();
        gatekeeper.rows("COMMIT");
        CPPUNIT_ASSERT(waits);
        CPPUNIT_ASSERT(answered);
        CPPUNIT_ASSERT(!gate_is_answered);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(at_gate.answer()), 201, at_gate.answer().status);
    }

    /// One key sends the only worker 24 requests of 1,000 notes for the locked account.
    void a_locked_account_costs_its_own_requests_only() {
        playground().forget_demands();
        AdminSession holder = playground().database();
        lock(holder, locked);
        std::vector<std::unique_ptr<Asked>> for_locked;
        for (int number = 0; number < 24; ++number)
            for_locked.push_back(std::make_unique<Asked>(*playground().stack(), many_notes(number)));
        const bool all_wait = wait_until([&] { return requests_in_flight() == 24; }, 60s);
        const Others innocent = ask_for_others(false);
        const bool answered = all_are_answered(innocent);
        const bool locked_is_answered =
            std::ranges::any_of(for_locked, [](const auto& asked) { return asked->is_answered(); });
        holder.rows("COMMIT");
        for (const auto& asked : innocent)
            CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(asked->answer()), 201, asked->answer().status);
        for (const auto& asked : for_locked)
            CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(asked->answer()), 201, asked->answer().status);
        CPPUNIT_ASSERT(all_wait);
        CPPUNIT_ASSERT(answered);
        CPPUNIT_ASSERT(!locked_is_answered);
        CPPUNIT_ASSERT_EQUAL(24'000L, stored("note"));
    }

    /// The only worker for long bodies has already taken the body for the locked account.
    void a_long_body_for_a_locked_account_holds_up_no_other_one() {
        AdminSession holder = playground().database();
        lock(holder, locked);
        Asked for_locked(*playground().stack(), long_note(locked));
        const bool waits = wait_until([&] { return requests_in_flight("bulk") == 1; }, 60s);
        const Answer other = ask(*playground().stack(), long_note(1));
        const bool locked_is_answered = for_locked.is_answered();
        holder.rows("COMMIT");
        CPPUNIT_ASSERT(waits);
        CPPUNIT_ASSERT(!locked_is_answered);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(other), 201, other.status);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(for_locked.answer()), 201, for_locked.answer().status);
    }

    /// While another organisation sends requests, the first 16 of an organisation wait, and a further one is
    /// refused.
    void requests_for_one_locked_account_are_limited_beside_others() {
        const HttpRequest other = notes_request(token_for(*playground().stack(), "Neighbours", "ACME"),
                                                "ACME", "nobody", {{"not stored"}});
        CPPUNIT_ASSERT_EQUAL(404, ask(*playground().stack(), other).status);
        const std::jthread neighbour([&](const std::stop_token& end) {
            while (!end.stop_requested()) static_cast<void>(ask(*playground().stack(), other));
        });
        AdminSession holder = playground().database();
        lock(holder, locked);
        std::vector<std::unique_ptr<Asked>> asked;
        for (int number = 0; number < 16; ++number)
            asked.push_back(std::make_unique<Asked>(*playground().stack(), many_notes(number)));
        const bool all_wait = wait_until([&] { return requests_in_flight() >= 16; }, 60s);
        const Answer beyond = ask(*playground().stack(), many_notes(16));
        holder.rows("COMMIT");
        for (const auto& each : asked)
            CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(each->answer()), 201, each->answer().status);
        CPPUNIT_ASSERT(all_wait);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(beyond), 429, beyond.status);
        CPPUNIT_ASSERT_EQUAL(16'000L, stored("note"));
    }

    /// Dry runs, alone and in a bulk request, wait as their imports would. They leave nothing for which other
    /// requests would have to wait.
    void dry_runs_wait_for_a_locked_account() {
        AdminSession holder = playground().database();
        lock(holder, locked);
        Asked alone(*playground().stack(), dry(note(locked, false)));
        Asked line(*playground().stack(), dry(as_line(note(locked, false))));
        const bool both_are_taken =
            wait_until([&] { return requests_in_flight() == 1 && requests_in_flight("bulk") == 1; }, 60s);
        std::this_thread::sleep_for(300ms);
        const bool any_is_answered = alone.is_answered() || line.is_answered();
        holder.rows("COMMIT");
        CPPUNIT_ASSERT(both_are_taken);
        CPPUNIT_ASSERT(!any_is_answered);
        for (const auto& [asked, status] : {std::pair(&alone, "201"), std::pair(&line, "200")}) {
            const Answer& answer = asked->answer();
            CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), std::string(status),
                                         answer.header("Dry-Run").value_or(""));
        }
        lock(holder, locked);
        holder.rows("COMMIT");
        CPPUNIT_ASSERT_EQUAL(0L, stored("note"));
    }

    /// Clients break off for reasons of their own. A request that one of them sent completely is stored.
    void a_client_that_has_gone_is_no_error() {
        const Stack& stack = *playground().stack();
        const std::uintmax_t log_end = playground().stack().log_size();
        AdminSession gatekeeper = playground().database();
        close_gate(gatekeeper);
        bool waits = false;
        {
            HttpConnection connection(stack.port(), stack.value("CA_FILE"));
            connection.send(to_bytes(note(locked, false)));
            waits = wait_until([&] { return somebody_is_at_gate(gatekeeper); }, 60s);
        }
        std::this_thread::sleep_for(300ms);
        gatekeeper.rows("COMMIT");
        std::string log;
        const bool logged = wait_until(
            [&] {
                log = playground().stack().log_from(log_end);
                return log.find("client gone") != std::string::npos;
            },
            60s);
        CPPUNIT_ASSERT(waits);
        CPPUNIT_ASSERT(logged);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(log, std::string::npos, log.find("<3>request"));
        CPPUNIT_ASSERT_EQUAL(1L, stored("note"));
    }

    /// Holds the only worker up by a request that waits for the table of notes, which the test has locked.
    /// Meanwhile a second client sends a request, and leaves while this request waits in the worker's queue.
    void a_request_without_a_waiting_client_is_not_executed() {
        const Stack& stack = *playground().stack();
        AdminSession gatekeeper = playground().database();
        close_gate(gatekeeper);
        Asked at_gate(stack, note(gate, false));
        const bool waits = wait_until([&] { return somebody_is_at_gate(gatekeeper); }, 60s);
        {
            HttpConnection connection(stack.port(), stack.value("CA_FILE"));
            connection.send(to_bytes(note(1, false)));
            std::this_thread::sleep_for(300ms);
        }
        const bool noticed = wait_until(
            [&] {
                return run_command("grep --quiet status=499 " +
                                   (stack.run_directory() / "log/nginx-access.log").string())
                           .status == 0;
            },
            10s);
        gatekeeper.rows("COMMIT");
        const Answer next = ask(stack, note(2, false));
        CPPUNIT_ASSERT(waits);
        CPPUNIT_ASSERT(noticed);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(at_gate.answer()), 201, at_gate.answer().status);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(next), 201, next.status);
        CPPUNIT_ASSERT_EQUAL(0L, gatekeeper.count("SELECT count(*) FROM data_import.note WHERE account_key = "
                                                  "data_import.account_key('ACME', $1)",
                                                  {name_of(1)}));
    }

    /// Several requests wait in vain. Each of them is told in time that the account is locked.
    void time_that_is_up_is_no_fault_of_the_database() {
        playground().configure(
            {"access_refresh = 1", "import_workers = 1", "statement_timeout = 3", "request_timeout = 5"}, 1);
        AdminSession holder = playground().database();
        lock(holder, locked);
        std::array<std::unique_ptr<Asked>, 4> in_vain;
        for (auto& asked : in_vain)
            asked = std::make_unique<Asked>(*playground().stack(), note(locked, false));
        for (const auto& asked : in_vain) static_cast<void>(asked->answer());
        const Answer next = ask(*playground().stack(), note(1, false));
        holder.rows("COMMIT");
        for (const auto& asked : in_vain) {
            CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(asked->answer()), 503, asked->answer().status);
            CPPUNIT_ASSERT_MESSAGE(shown(asked->answer()),
                                   asked->answer().body.find("has locked the account") != std::string::npos);
        }
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(next), 201, next.status);
        CPPUNIT_ASSERT_EQUAL(0L, stored("note"));
    }

    void a_request_waiting_during_a_pause_stores_nothing() {
        AdminSession holder = playground().database();
        lock(holder, locked);
        Asked asked(*playground().stack(), note(locked, false));
        const bool waits = wait_until([&] { return requests_in_flight() == 1; }, 60s);
        AdminSession operator_session = playground().database();
        const auto set_status = [&](const std::string& status) {
            operator_session.rows("UPDATE data_import.import_supplier SET status = $1 WHERE code = 'ACME'",
                                  {status});
        };
        set_status("Paused");
        holder.rows("COMMIT");
        const Answer answer = asked.answer();
        set_status("Ongoing");
        CPPUNIT_ASSERT(waits);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 400, answer.status);
        CPPUNIT_ASSERT(answer.body.find("import_supplier_migration_not_ongoing") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(0L, stored("note"));
    }

    /// The worker is killed while its session waits for a lock, and nginx sends the request to the next
    /// worker. The session of the killed worker may store the note, too. The account must have the note only
    /// once.
    void an_import_outlives_the_worker_that_was_to_answer_it() {
        const Answer answer = answer_when_the_worker_dies(note(locked, false), "note");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 201, answer.status);
        CPPUNIT_ASSERT_EQUAL(1L, stored("note"));
    }

    void a_request_that_adds_twice_is_not_sent_again() {
        playground().configure({"access_refresh = 1", "import_workers = 1"}, 1);
        run_ctl(*playground().stack(), "statement open ACME " + name_of(locked) + " 2024-01-01:2024-12-31");
        HttpRequest request = note(locked, false);
        request.body =
            R"({"import_supplier":"ACME","external_account_number":")" + name_of(locked) +
            R"(","transactions":[{"type":"CHARGE","transaction_id":"T","transaction_date":"2024-02-01",)"
            R"("amount":"1.00","reason":"FEE"}]})";
        long most = 0;
        for (const std::string query : {"?check_previously_added=false", "?&check_previously_added=false"}) {
            request.target = "/v1/data-import/transactions/create/" + query;
            const Answer answer = answer_when_the_worker_dies(request, "financial_transaction");
            CPPUNIT_ASSERT_EQUAL_MESSAGE(query + ": " + shown(answer), 502, answer.status);
            CPPUNIT_ASSERT_LESSEQUAL(++most, stored("financial_transaction"));
        }
    }

private:
    static constexpr int others = 5;
    static constexpr int gate = others + 1;
    static constexpr int locked = others + 2;

    using Others = std::array<std::unique_ptr<Asked>, others>;

    [[nodiscard]] Others ask_for_others(bool with_keys) const {
        Others asked;
        for (int account = 1; account <= others; ++account) {
            asked.at(static_cast<std::size_t>(account - 1)) =
                std::make_unique<Asked>(*playground().stack(), note(account, with_keys));
        }
        return asked;
    }

    /// Waits until nginx must have put the request `asked` into the workers' queue. By then nginx has
    /// answered 20 requests that were sent after `asked`.
    static void wait_until_queued(const Asked& asked) {
        CPPUNIT_ASSERT(wait_until([&] { return asked.is_sent(); }, 60s));
        const HttpRequest other =
            get_request("/v1/data-import/all-account-import-processes/ACME/", playground().token());
        for (int number = 0; number < 20; ++number)
            CPPUNIT_ASSERT_EQUAL(200, ask(*playground().stack(), other).status);
    }

    static bool all_are_answered(const Others& others_asked) {
        return wait_until(
            [&] {
                return std::ranges::all_of(others_asked,
                                           [](const auto& asked) { return asked->is_answered(); });
            },
            60s);
    }

    /// Locks the table of notes (closes the gate), so that the only worker waits for the table. Then sends a
    /// request for the locked account and, after it, requests for other accounts, which wait in the queue of
    /// the worker. After the gate is open again, the other accounts must get their answers while the locked
    /// account is still locked. `with_keys` says whether the queued requests have an Idempotency-Key.
    void others_are_answered_meanwhile(bool with_keys) {
        AdminSession gatekeeper = playground().database();
        AdminSession holder = playground().database();
        close_gate(gatekeeper);
        lock(holder, locked);
        Asked at_gate(*playground().stack(), note(gate, false));
        const bool waits = wait_until([&] { return somebody_is_at_gate(holder); }, 60s);
        Asked for_locked(*playground().stack(), note(locked, with_keys));
        wait_until_queued(for_locked);
        const Others innocent = ask_for_others(with_keys);
        for (const auto& asked : innocent) wait_until_queued(*asked);
        gatekeeper.rows("COMMIT");
        const bool answered = all_are_answered(innocent);
        const bool locked_is_answered = for_locked.is_answered();
        holder.rows("COMMIT");
        CPPUNIT_ASSERT(waits);
        CPPUNIT_ASSERT(answered);
        CPPUNIT_ASSERT(!locked_is_answered);
        for (const auto& asked : innocent)
            CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(asked->answer()), 201, asked->answer().status);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(at_gate.answer()), 201, at_gate.answer().status);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(for_locked.answer()), 201, for_locked.answer().status);
    }

    /// Returns the answer to `request` if the only worker is killed while `request` waits for `table`, which
    /// the test has locked. An import comes first, so that nginx has an open connection to the worker and can
    /// use the connection for `request`.
    Answer answer_when_the_worker_dies(const HttpRequest& request, const std::string& table) {
        const Stack& stack = *playground().stack();
        AdminSession gatekeeper = playground().database();
        HttpConnection connection(stack.port(), stack.value("CA_FILE"));
        const Answer before = connection.ask(note(1, false));
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(before), 201, before.status);
        close_gate(gatekeeper, table);
        connection.send(to_bytes(request));
        const bool waits = wait_until([&] { return somebody_is_at_gate(gatekeeper); }, 60s);
        for (const pid_t worker : playground().workers_of("import")) kill(worker, SIGKILL);
        std::this_thread::sleep_for(300ms);
        gatekeeper.rows("COMMIT");
        CPPUNIT_ASSERT(waits);
        return connection.receive();
    }

    [[nodiscard]] long stored(const std::string& table) const {
        return playground().database().count("SELECT count(*) FROM data_import." + table +
                                                 " WHERE account_key = data_import.account_key('ACME', $1)",
                                             {name_of(locked)});
    }

    [[nodiscard]] std::string name_of(int account) const {
        return prefix_ + "0000" + std::to_string(account);
    }

    [[nodiscard]] HttpRequest note(int account, bool with_key) const {
        HttpRequest request =
            notes_request(playground().token(), "ACME", name_of(account), {{"locked " + name_of(account)}});
        if (with_key) request.headers.emplace_back("Idempotency-Key", "locked-" + name_of(account));
        return request;
    }

    static HttpRequest dry(HttpRequest request) {
        request.target += "?dry_run=true";
        return request;
    }

    static HttpRequest as_line(HttpRequest request) {
        request.body = "{\"path\": \"" + request.target + "\", \"body\": " + request.body + "}\n";
        request.target = "/v1/data-import/bulk/";
        for (auto& [name, value] : request.headers) {
            if (name == "Content-Type") value = "application/x-ndjson";
        }
        return request;
    }

    void lock(AdminSession& session, int account) const {
        session.rows("BEGIN");
        session.rows("SELECT data_import.lock_account(data_import.account_key('ACME', $1))",
                     {name_of(account)});
    }

    /// No session can store anything in the table until this one commits.
    static void close_gate(AdminSession& session, const std::string& table = "note") {
        session.rows("BEGIN");
        session.rows("LOCK TABLE data_import." + table + " IN SHARE ROW EXCLUSIVE MODE");
    }

    static bool somebody_is_at_gate(AdminSession& session) {
        return session.count("SELECT count(*) FROM pg_locks WHERE locktype = 'relation' AND NOT granted") > 0;
    }

    /// The number of requests that workers of the pool have taken and not answered.
    static long requests_in_flight(const std::string& pool = "import") {
        const std::string metrics = run_ctl(*playground().stack(), "metrics");
        const std::string name = "data_import_requests_in_flight{pool=\"" + pool + "\"} ";
        const std::size_t at = metrics.find(name);
        return at == std::string::npos ? -1 : std::stol(metrics.substr(at + name.size()));
    }

    /// A request with a thousand notes for the locked account, in less than 100,000 bytes.
    [[nodiscard]] HttpRequest many_notes(int request) const {
        std::vector<SentNote> notes;
        for (int number = 0; number < 1000; ++number)
            notes.push_back({std::to_string(request) + " of many, " + std::to_string(number)});
        return notes_request(playground().token(), "ACME", name_of(locked), notes);
    }

    [[nodiscard]] HttpRequest long_note(int account) const {
        const std::string half(60'000, 'x');
        return notes_request(playground().token(), "ACME", name_of(account), {{"1" + half}, {"2" + half}});
    }

    [[nodiscard]] HttpRequest statement(int account) const {
        HttpRequest request = note(account, false);
        request.target = "/v1/data-import/historical-statements/create/";
        request.body = R"({"import_supplier":"ACME","external_account_number":")" + name_of(account) +
                       R"(","statements":[{"statement_id":"S","bill_period_from_date":"2024-01-01",)"
                       R"("bill_period_to_date":"2024-01-31"}]})";
        return request;
    }

    std::string prefix_;
};

CPPUNIT_TEST_SUITE_REGISTRATION(LockedAccountTest);

}  // namespace data_import::tests

// Bulk requests as a whole: rules for many lines together. The imports of the cases in tests/cases are run in
// bulk requests, too. Those runs show that each line is judged like the same request alone.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <Poco/JSON/Array.h>
#include <Poco/JSON/Object.h>

#include <signal.h>

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "../../gzip.h"
#include "../../support/answer_check.h"
#include "../../support/json_match.h"
#include "../../support/load.h"
#include "../../support/playground.h"
#include "../../support/processes.h"
#include "../../support/world.h"

namespace data_import::tests {

namespace {

constexpr long most_memory_kb = 96L * 1024;

HttpRequest bulk_request(const std::string& body, HeaderList headers = {}, const std::string& query = "") {
    headers.emplace_back("Host", "localhost");
    headers.emplace_back("Authorization", "Token " + playground().token());
    if (std::ranges::none_of(headers, [](const auto& header) { return header.first == "Content-Type"; }))
        headers.emplace_back("Content-Type", "application/x-ndjson");
    return {.method = "POST", .target = "/v1/data-import/bulk/" + query, .headers = headers, .body = body};
}

Answer send(const std::string& body, const HeaderList& headers = {}, const std::string& query = "") {
    return ask(*playground().stack(), bulk_request(body, headers, query));
}

std::string line(const std::string& path, const std::string& account, const std::string& field,
                 const std::string& value) {
    return R"({"path":"/v1/data-import/)" + path +
           R"(/create/","body":{"import_supplier":"ACME","external_account_number":")" + account + R"(",")" +
           field + "\":" + value + "}}\n";
}

std::string note_line(const std::string& account, const std::string& body, const std::string& more = "") {
    return line("notes", account, "notes", R"([{"body":")" + body + '"' + more + "}]");
}

std::vector<Poco::JSON::Object::Ptr> results_of(const Answer& answer) {
    std::vector<Poco::JSON::Object::Ptr> results;
    std::istringstream text(answer.body);
    for (std::string each; std::getline(text, each);)
        results.push_back(parse_json(each).extract<Poco::JSON::Object::Ptr>());
    return results;
}

void has_counts(const Answer& answer, int lines, int accepted) {
    CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer).substr(0, 2000), lines == accepted ? 200 : 207, answer.status);
    const auto last = results_of(answer).back();
    CPPUNIT_ASSERT_EQUAL(lines, last->getValue<int>("lines"));
    CPPUNIT_ASSERT_EQUAL(accepted, last->getValue<int>("accepted"));
    CPPUNIT_ASSERT_EQUAL(lines - accepted, last->getValue<int>("refused"));
}

std::string repeated(const std::string& text, std::size_t times) {
    std::string all;
    for (std::size_t time = 0; time < times; ++time) all += text;
    return all;
}

}  // namespace

class BulkTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(BulkTest);
    CPPUNIT_TEST(results_are_all_or_errors_or_none);
    CPPUNIT_TEST(an_address_that_may_not_stand_in_a_line_is_refused_with_any_body);
    CPPUNIT_TEST(lines_for_one_account_keep_their_order);
    CPPUNIT_TEST(documents_of_one_account_share_calls);
    CPPUNIT_TEST(a_locked_account_delays_no_other);
    CPPUNIT_TEST(locked_accounts_cost_their_own_lines_only);
    CPPUNIT_TEST(transactions_are_smaller_beside_others);
    CPPUNIT_TEST(the_culprit_alone_fails);
    CPPUNIT_TEST(lines_behind_one_that_failed_wait_for_it);
    CPPUNIT_TEST(a_possibly_stored_import_is_not_denied);
    CPPUNIT_TEST(a_key_that_is_revoked_meanwhile_stores_no_more);
    CPPUNIT_TEST(hostile_bodies_cost_a_clear_error_and_little_memory);
    CPPUNIT_TEST(the_body_of_a_line_has_the_limit_of_a_request);
    CPPUNIT_TEST(killed_workers_lose_and_double_nothing);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override {
        playground().prepare();
        AdminSession session = playground().database();
        prefix_ = playground().account() + "-B";
        import_accounts(session, "ACME", prefix_, accounts);
    }

    void results_are_all_or_errors_or_none() {
        const std::string body =
            note_line(account(1), "one") + "\n" + note_line("nobody", "two") + note_line(account(2), "three");
        has_counts(send(body), 3, 2);
        CPPUNIT_ASSERT_EQUAL(std::size_t{4}, results_of(send(body)).size());
        const auto errors = results_of(send(body, {}, "?results=errors"));
        CPPUNIT_ASSERT_EQUAL(std::size_t{2}, errors.size());
        CPPUNIT_ASSERT_EQUAL(3, errors.front()->getValue<int>("line"));
        CPPUNIT_ASSERT_EQUAL(404, errors.front()->getValue<int>("status"));
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, results_of(send(body, {}, "?results=none")).size());
        has_counts(send(packed(body), {{"Content-Encoding", "gzip"}}), 3, 2);
        has_counts(send(""), 0, 0);
        CPPUNIT_ASSERT_EQUAL(2L, stored());
    }

    void an_address_that_may_not_stand_in_a_line_is_refused_with_any_body() {
        for (const std::string address :
             {"transactions/create/?check_previously_added=false", "transactions/create/?dry_run=true",
              "payment-instruction/create/", "bulk/", "transactions/create"}) {
            for (const std::string body :
                 {R"({})", R"({"import_supplier":"NOBODY","external_account_number":"1",
                "transactions":[{"transaction_id":"1","transaction_date":"2024-05-01","amount":1,"type":"PAYMENT"}]})"}) {
                std::string line = R"({"path":"/v1/data-import/)" + address + R"(","body":)" + body + "}";
                std::erase(line, '\n');
                const auto refused = results_of(send(line)).front()->getObject("body");
                const auto errors = refused->getArray("errors");
                CPPUNIT_ASSERT_EQUAL_MESSAGE(line, std::size_t{1}, errors->size());
                CPPUNIT_ASSERT_EQUAL(std::string("path"),
                                     errors->getObject(0)->getValue<std::string>("attr"));
                CPPUNIT_ASSERT_EQUAL(std::string("invalid_choice"),
                                     errors->getObject(0)->getValue<std::string>("code"));
            }
        }
    }

    /// The third line repeats the note of the first line. A call of the database takes only one import of
    /// notes for an account, so the third line goes into a later call than the first.
    void lines_for_one_account_keep_their_order() {
        const auto results = results_of(send(note_line(account(1), "same") + note_line(account(2), "other") +
                                             note_line(account(1), "same") + note_line(account(1), "new")));
        const std::vector<std::string> expected = {"NOTE_CREATION_SUCCESS", "NOTE_CREATION_SUCCESS",
                                                   "NOTE_ALREADY_EXISTS", "NOTE_CREATION_SUCCESS"};
        for (std::size_t place = 0; place < expected.size(); ++place)
            CPPUNIT_ASSERT_EQUAL(
                expected[place],
                results[place]->getArray("body")->getObject(0)->getValue<std::string>("status"));
    }

    /// Documents of one account share calls of the database. The first request has 30 documents of each kind,
    /// more than a call takes of documents with items. It also has one content for two accounts, and one
    /// content twice for one account. A later request repeats this content together with new content.
    void documents_of_one_account_share_calls() {
        const std::vector<std::string> kinds = {"delivery_note", "energy_amount",
                                                "market_participant_invoice"};
        std::string body;
        std::map<std::string, long> told_before;
        for (const std::string& kind : kinds) {
            told_before[kind] = told_by_receipts(kind + 's');
            for (int number = 0; number < documents; ++number)
                body += document_line(kind, account(1), number);
            body += document_line(kind, account(2), 0) + document_line(kind, account(1), 0) +
                    document_line(kind, "nobody", 0);
        }
        const Answer answer = send(body, {}, "?results=all");
        has_counts(answer, 3 * (documents + 3), 3 * (documents + 2));
        for (const auto& result : results_of(answer)) {
            if (result->has("status") && result->getValue<int>("status") == 201)
                CPPUNIT_ASSERT(result->getObject("body")->has("import_supplier"));
        }
        const std::string later = document_line(kinds[2], account(1), 0) +
                                  document_line(kinds[2], account(1), documents) +
                                  document_line(kinds[2], account(2), documents);
        has_counts(send(later, {}, "?results=errors"), 3, 3);
        for (const std::string& kind : kinds) {
            const long expected = documents + (kind == kinds[2] ? 3 : 1);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(kind, expected, stored(kind));
            CPPUNIT_ASSERT_EQUAL_MESSAGE(kind, expected, told_by_receipts(kind + 's') - told_before[kind]);
        }
        CPPUNIT_ASSERT_EQUAL(stored(kinds[2]), stored("market_participant_invoice_line_item"));
    }

    /// While another organisation sends short requests, their commits come between the transactions of a bulk
    /// request.
    void transactions_are_smaller_beside_others() {
        const Stack& stack = *playground().stack();
        int attempt = 0;
        CPPUNIT_ASSERT_MESSAGE(
            "alone", wait_until([&] { return transactions_of("alone " + std::to_string(++attempt)) == 1; },
                                std::chrono::seconds(60)));
        const HttpRequest other =
            notes_request(token_for(stack, "Neighbours", "ACME"), "ACME", "nobody", {{"not stored"}});
        CPPUNIT_ASSERT_EQUAL(404, ask(stack, other).status);
        const std::jthread neighbour([&](const std::stop_token& end) {
            while (!end.stop_requested()) static_cast<void>(ask(stack, other));
        });
        // a transaction takes at most 32 lines, so 300 lines need 10 transactions
        CPPUNIT_ASSERT_EQUAL(10L, transactions_of("beside short ones"));
    }

    void a_locked_account_delays_no_other() {
        AdminSession holder = playground().database();
        holder.rows("BEGIN");
        holder.rows("SELECT data_import.lock_account(data_import.account_key('ACME', $1))", {account(1)});
        std::atomic<bool> is_answered = false;
        Answer answer;
        std::thread asking([&] {
            answer = send(note_line(account(1), "first", R"(,"created_at":"2024-01-01T00:00:00Z")") +
                          note_line(account(2), "other") +
                          note_line(account(1), "first", R"(,"created_at":"2024-01-01T00:00:00Z")"));
            is_answered = true;
        });
        const bool went_on = wait_until([&] { return stored() == 1; }, std::chrono::seconds(10));
        const bool was_answered = is_answered;
        holder.rows("COMMIT");
        asking.join();
        CPPUNIT_ASSERT(went_on);
        CPPUNIT_ASSERT(!was_answered);
        has_counts(answer, 3, 3);
        CPPUNIT_ASSERT_EQUAL(2L, stored());
    }

    /// The accounts stay locked until the whole request is answered. After a line is refused, the later lines
    /// for the same account are refused, too, in this transaction and in the next ones.
    void locked_accounts_cost_their_own_lines_only() {
        AdminSession holder = playground().database();
        holder.rows("BEGIN");
        for (const int locked : {1, 2, 3})
            holder.rows("SELECT data_import.lock_account(data_import.account_key('ACME', $1))",
                        {account(locked)});
        std::string body = note_line(account(1), "first") + note_line(account(2), "second") +
                           note_line(account(3), "third") + note_line(account(1), "behind");
        for (int more = 0; more < 600; ++more) body += note_line(account(4), "other " + std::to_string(more));
        body += note_line(account(1), "far behind") + note_line(account(5), "last");
        const Answer dry = send(body, {}, "?dry_run=true");
        const Answer answer = send(body);
        holder.rows("COMMIT");
        const Answer again = send(body);
        for (const Answer& each : {dry, answer}) {
            const auto results = results_of(each);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(each).substr(0, 2000), 601,
                                         results.back()->getValue<int>("accepted"));
            CPPUNIT_ASSERT_EQUAL(5, results.back()->getValue<int>("refused"));
            for (const std::size_t line : {0, 1, 2, 3, 604}) {
                CPPUNIT_ASSERT_EQUAL(503, results[line]->getValue<int>("status"));
                CPPUNIT_ASSERT_EQUAL(std::string("service_unavailable"),
                                     results[line]->getObject("body")->getValue<std::string>("code"));
            }
            CPPUNIT_ASSERT_EQUAL(201, results[605]->getValue<int>("status"));
        }
        CPPUNIT_ASSERT_MESSAGE(shown(answer).substr(0, 2000),
                               answer.body.find("has locked the account") != std::string::npos);
        has_counts(again, 606, 606);
        CPPUNIT_ASSERT_EQUAL(606L, stored());
    }

    /// Revokes the API key while the first transaction of a bulk request waits for the table of notes, which
    /// the test has locked. The lock lasts until all workers know of the revocation. The lines of the first
    /// transaction are stored all the same, and the lines of the next transaction are refused.
    void a_key_that_is_revoked_meanwhile_stores_no_more() {
        playground().configure({"access_refresh = 1", "import_workers = 1"}, 1);
        const Stack& stack = *playground().stack();
        playground().forget_demands();
        const std::string organisation = "Revoked " + prefix_;
        const std::string token = token_for(stack, organisation, "ACME");
        AdminSession holder = playground().database();
        holder.rows("BEGIN");
        holder.rows("LOCK TABLE data_import.note IN SHARE ROW EXCLUSIVE MODE");
        std::string lines;
        for (int number = 0; number < lines_of_transaction + more_lines; ++number)
            lines += note_line(account(1 + number % 2), "revoked " + std::to_string(number));
        HttpRequest request = bulk_request(lines);
        request.headers.at(1).second = "Token " + token;
        HttpConnection connection(stack.port(), stack.value("CA_FILE"));
        connection.send(to_bytes(request));
        AdminSession session = playground().database();
        CPPUNIT_ASSERT(wait_until(
            [&] {
                return session.count(
                           "SELECT count(*) FROM pg_locks WHERE locktype = 'relation' AND NOT granted") > 0;
            },
            60s));
        run_ctl(stack,
                "key revoke " + session.value("SELECT id FROM data_import.api_key WHERE organisation = $1",
                                              {organisation}));
        std::this_thread::sleep_for(1500ms);
        holder.rows("COMMIT");
        const Answer answer = connection.receive();
        has_counts(answer, lines_of_transaction + more_lines, lines_of_transaction);
        CPPUNIT_ASSERT_EQUAL(401, results_of(answer).at(lines_of_transaction)->getValue<int>("status"));
        CPPUNIT_ASSERT_EQUAL(
            static_cast<long>(lines_of_transaction),
            session.count("SELECT count(*) FROM data_import.note WHERE body LIKE 'revoked %'"));
    }

    /// The session is lost in its COMMIT, and no new one is let in.
    void a_possibly_stored_import_is_not_denied() {
        const std::string lines = note_line(account(1), "a") + note_line(account(2), "b");
        has_counts(send(lines), 2, 2);
        AdminSession session = playground().database();
        session.rows(
            "CREATE FUNCTION public.end_session() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$");
        session.rows(
            "CREATE CONSTRAINT TRIGGER end_session AFTER INSERT ON data_import.note INITIALLY DEFERRED "
            "FOR EACH ROW EXECUTE FUNCTION public.end_session()");
        session.rows("ALTER ROLE \"data-import\" NOLOGIN");
        const Answer answer = send(note_line(account(1), "c") + note_line(account(2), "d"));
        session.rows("ALTER ROLE \"data-import\" LOGIN");
        session.rows("DROP FUNCTION public.end_session() CASCADE");
        has_counts(answer, 2, 0);
        CPPUNIT_ASSERT_MESSAGE(shown(answer), answer.body.find("nothing was stored") == std::string::npos);
        CPPUNIT_ASSERT_MESSAGE(shown(answer),
                               answer.body.find("lost its database while") != std::string::npos);
    }

    /// The database refuses a note for a reason that nobody planned for. The service's log names the
    /// PostgreSQL process, by which an operator finds the entry in PostgreSQL's own log. While all lines
    /// share a transaction, the session's application_name has the id of the request.
    void the_culprit_alone_fails() {
        AdminSession session = playground().database();
        const std::uintmax_t log_end = playground().stack().log_size();
        refuse_poison(session);
        const Answer answer = send(note_line(account(1), "good") + note_line(account(2), "poison") +
                                   note_line(account(3), "good"));
        session.rows("DROP FUNCTION public.refuse_poison() CASCADE");
        has_counts(answer, 3, 2);
        CPPUNIT_ASSERT_EQUAL(500, results_of(answer)[1]->getValue<int>("status"));
        CPPUNIT_ASSERT_EQUAL(2L, stored());
        const std::string id = answer.header("X-Request-Id").value();
        const std::regex repeated(
            "<5>requests executed together are repeated one by one requests=3 "
            "reason=\"P0001 poisoned data-importd-bulk " +
            id + " \\(PostgreSQL process [0-9]+\\)\" request_ids=" + id);
        const std::regex line(
            "<3>line 2 of a bulk request request_id=" + id +
            " .*reason=\"P0001 poisoned data-importd-bulk \\(PostgreSQL process [0-9]+\\)\"");
        std::string log;
        const bool logged = wait_until(
            [&] {
                log = playground().stack().log_from(log_end);
                return std::regex_search(log, repeated) && std::regex_search(log, line);
            },
            10s);
        CPPUNIT_ASSERT_MESSAGE(log, logged);
    }

    /// Sends a line that fails with 500. Later lines for the same account are refused with 503, so that they
    /// do not overtake the failed line. Lines of the bulk request's next transaction are refused, too.
    void lines_behind_one_that_failed_wait_for_it() {
        AdminSession session = playground().database();
        refuse_poison(session);
        std::string body = note_line(account(1), "poison") + note_line(account(1), "behind");
        for (int more = 0; more < 600; ++more) body += note_line(account(2), "other " + std::to_string(more));
        body += note_line(account(1), "far behind");
        const Answer answer = send(body);
        session.rows("DROP FUNCTION public.refuse_poison() CASCADE");
        has_counts(answer, 603, 600);
        CPPUNIT_ASSERT_EQUAL(500, results_of(answer)[0]->getValue<int>("status"));
        CPPUNIT_ASSERT_EQUAL(503, results_of(answer)[1]->getValue<int>("status"));
        CPPUNIT_ASSERT_EQUAL(503, results_of(answer)[602]->getValue<int>("status"));
        CPPUNIT_ASSERT_EQUAL(600L, stored());
        has_counts(send(note_line(account(1), "no poison") + note_line(account(1), "behind")), 2, 2);
    }

    void hostile_bodies_cost_a_clear_error_and_little_memory() {
        const HeaderList gzip = {{"Content-Encoding", "gzip"}};
        refused(413, "payload_too_large", send(packed(std::string(80UL << 20, ' ')), gzip));
        refused(413, "payload_too_large",
                send(packed(repeated(std::string(70'000, ' ') + '\n', 1000)), gzip));
        refused(400, "validation_error", send(repeated("{}\n", 10'001)));
        refused(400, "parse_error", send("no gzip", gzip));
        const std::string whole = packed(repeated("{}\n", 100));
        refused(400, "parse_error", send(whole.substr(0, whole.size() - 4), gzip));
        refused(415, "unsupported_media_type", send("{}", {{"Content-Encoding", "br"}}));
        refused(415, "unsupported_media_type", send("{}", {{"Content-Type", "application/json"}}));
        refused(400, "bad_request", send("{}", {{"Idempotency-Key", "a"}}));
        has_counts(send(repeated("{}\n", 10'000)), 10'000, 0);
        has_counts(send(packed(repeated(R"({"path":"/v1/data-import/notes/create/","body":{}})"
                                        "\n",
                                        10'000)),
                        gzip),
                   10'000, 0);
        has_counts(send(note_line(account(1), std::string(9'900'000, 'x'))), 1, 0);
        has_counts(
            send(packed(note_line(account(1), std::string(20'000'000, 'x')) + note_line(account(1), "good")),
                 gzip),
            2, 1);
        has_counts(send(repeated("[", 9'900'000)), 1, 0);
        has_counts(send(line("notes", account(1), "notes", repeated("[", 1000) + repeated("]", 1000))), 1, 0);
        has_counts(send(note_line(account(1), "\xff\xfe") + note_line(account(1), "also good")), 2, 1);
        // 60 MB of notes, and an answer of 60 MB
        const std::string long_note = note_line(account(2), std::string(60'000, 'y'));
        has_counts(send(packed(repeated(long_note, 1000)), gzip), 1000, 1000);
        for (const pid_t worker : playground().workers()) {
            const long memory = memory_of(worker, "VmHWM");
            CPPUNIT_ASSERT_MESSAGE(std::to_string(memory) + " kB", is_memory_below(memory, most_memory_kb));
        }
        CPPUNIT_ASSERT_EQUAL(3L, stored());
    }

    void the_body_of_a_line_has_the_limit_of_a_request() {
        playground().configure({"access_refresh = 1", "import_workers = 2", "max_body_bytes = 32KiB"}, 2);
        const Answer answer = send(packed(note_line(account(1), std::string(40'000, 'x')) +
                                          note_line(account(1), std::string(20'000, 'x'))),
                                   {{"Content-Encoding", "gzip"}});
        has_counts(answer, 2, 1);
        CPPUNIT_ASSERT_MESSAGE(
            shown(answer),
            answer.body.find(
                R"("detail":"The body is larger than 32768 bytes.","code":"payload_too_large")") !=
                std::string::npos);
    }

    /// Requests whose worker was killed are sent again or given up. Every line that was answered as stored
    /// must be stored, also of a request that was given up. BULK_LINES sets the number of lines; BULK_SEED
    /// repeats the random choices of an earlier run.
    void killed_workers_lose_and_double_nothing() {
        const int rounds = from_environment("BULK_LINES", 10'000) / lines_of_round;
        const int seed = from_environment("BULK_SEED", static_cast<int>(std::random_device{}() % 1'000'000));
        const std::string told = "BULK_SEED=" + std::to_string(seed);
        std::minstd_rand random(static_cast<unsigned>(seed));
        std::set<std::string> accepted;
        int kills = 0;
        int given_up = 0;
        {
            std::atomic<bool> is_done = false;
            const std::jthread killing(
                [&, own_seed = static_cast<unsigned>(random())] { kills = kill_workers(own_seed, is_done); });
            for (int round = 0; round < rounds; ++round)
                given_up += send_round(round, random, accepted) ? 0 : 1;
            is_done = true;
        }
        std::cout << accepted.size() << " lines accepted, " << kills << " workers killed, " << given_up
                  << " of " << rounds << " requests given up\n";
        CPPUNIT_ASSERT_MESSAGE(told, kills > 0 && given_up < rounds);
        AdminSession session = playground().database();
        for (const std::vector<std::string>& row : session.rows(
                 "SELECT body, count(*) FROM data_import.note JOIN data_import.account USING (account_key) "
                 "WHERE external_account_number LIKE $1 || '%' GROUP BY body",
                 {prefix_})) {
            CPPUNIT_ASSERT_EQUAL_MESSAGE(told, std::string("1"), row[1]);
            accepted.erase(row[0]);
        }
        CPPUNIT_ASSERT_MESSAGE(told + ": not there: " + (accepted.empty() ? "" : *accepted.begin()),
                               accepted.empty());
    }

private:
    /// Makes the database refuse notes that begin with `poison`, until the function is dropped.
    static void refuse_poison(AdminSession& session) {
        session.rows(
            "CREATE FUNCTION public.refuse_poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            "IF NEW.body LIKE 'poison%' THEN RAISE EXCEPTION 'poisoned %', "
            "current_setting('application_name'); "
            "END IF; RETURN NEW; END $$");
        session.rows(
            "CREATE TRIGGER refuse_poison BEFORE INSERT ON data_import.note "
            "FOR EACH ROW EXECUTE FUNCTION public.refuse_poison()");
    }

    static constexpr int accounts = 20;
    static constexpr int lines_of_transaction = 512;
    static constexpr int more_lines = 5;
    static constexpr int documents = 30;
    static constexpr int lines_of_round = 1000;

    static int from_environment(const char* name, int usual) {
        const char* const text = std::getenv(name);
        return text == nullptr ? usual : std::stoi(text);
    }

    static int kill_workers(unsigned seed, const std::atomic<bool>& is_done) {
        std::minstd_rand random(seed);
        int kills = 0;
        while (!is_done) {
            std::this_thread::sleep_for(
                std::chrono::milliseconds(std::uniform_int_distribution<>(100, 2500)(random)));
            for (const pid_t worker : playground().workers_of("bulk"))
                kills += kill(worker, SIGKILL) == 0 ? 1 : 0;
        }
        return kills;
    }

    /// Sends the same bulk request until two whole answers have come; then returns true. After each answer
    /// that is not whole, gives up with a probability of one quarter, by `random`, and returns false. Adds to
    /// `accepted` the texts of the notes whose lines got the status 201. Each text begins with the number
    /// `round`.
    [[nodiscard]] bool send_round(int round, std::minstd_rand& random,
                                  std::set<std::string>& accepted) const {
        static const std::regex accepted_line(R"(\{"line":([0-9]+),"status":201,.*\})");
        std::string body;
        for (int number = 0; number < lines_of_round; ++number)
            body += note_line(account(1 + number % accounts), name_of(round, number),
                              R"(,"created_at":"2024-01-01T00:00:00Z")");
        for (int answered = 0; answered < 2;) {
            const Answer answer = send(body);
            std::istringstream lines(answer.body);
            for (std::string line; std::getline(lines, line);) {
                std::smatch found;
                if (std::regex_match(line, found, accepted_line))
                    accepted.insert(name_of(round, std::stoi(found[1]) - 1));
            }
            const bool is_whole = answer.status == 200 && answer.complete;
            answered += is_whole ? 1 : 0;
            if (!is_whole && random() % 4 == 0) return false;
        }
        return true;
    }

    static std::string name_of(int round, int number) {
        return std::to_string(round) + '.' + std::to_string(number);
    }

    [[nodiscard]] std::string account(int number) const {
        const std::string digits = std::to_string(number);
        return prefix_ + std::string(5 - digits.size(), '0') + digits;
    }

    /// The number of transactions in which a bulk request of 300 notes is stored. The notes begin with
    /// `text`.
    [[nodiscard]] long transactions_of(const std::string& text) const {
        constexpr int notes = 300;
        std::string body;
        for (int number = 0; number < notes; ++number)
            body += note_line(account(number % accounts + 1), text + ' ' + std::to_string(number));
        has_counts(send(body), notes, notes);
        AdminSession session = playground().database();
        return session.count(
            "SELECT count(DISTINCT note.xmin::text) FROM data_import.note "
            "JOIN data_import.account USING (account_key) "
            "WHERE external_account_number LIKE $1 || '%' AND body LIKE $2 || ' %'",
            {prefix_, text});
    }

    /// Counts the rows of a table for the accounts of this test.
    [[nodiscard]] long stored(const std::string& table = "note") const {
        AdminSession session = playground().database();
        return session.count("SELECT count(*) FROM data_import." + table +
                                 " JOIN data_import.account USING (account_key) "
                                 "WHERE external_account_number LIKE $1 || '%'",
                             {prefix_});
    }

    /// Returns the number of records of the kind in all accounts, as the receipts count them.
    static long told_by_receipts(const std::string& kind) {
        AdminSession session = playground().database();
        return session.count(
            "SELECT coalesce(sum(value), 0)::bigint FROM (SELECT kind, figure, value FROM "
            "data_import.import_total UNION ALL SELECT kind, figure, value FROM data_import.import_receipt) "
            "AS told WHERE kind = $1 AND figure = 'records'",
            {kind});
    }

    static std::string document_line(const std::string& kind, const std::string& account, int number) {
        const std::string amount =
            R"("period_start_at":"2022-01-01T00:00:00Z","period_end_at":"2022-02-01T00:00:00Z","product_identifier":"p","product_identifier_type":"SRW","quantity":)" +
            std::to_string(number) + R"(,"quantity_unit":"KWH","line_item_identifier":"1")";
        if (kind == "delivery_note") {
            return line(
                "delivery-note", account, kind,
                R"({"malo_number":"50812345678","cancelled":false,"validation_status":true,"edifact_reference_number":"E","amounts":[{)" +
                    amount + "}]}");
        }
        if (kind == "energy_amount") {
            return line("energy-amount", account, kind,
                        R"({"malo_number":"50812345678","cancelled":false,"edifact_reference_number":"E",)" +
                            amount + '}');
        }
        return line(
            "market-participant-invoice", account, kind,
            R"({"invoice_type":"I","invoice_document_type":"D","status":"CLOSED","issued_at":"2022-01-01T00:00:00Z","due_at":"2022-02-01T00:00:00Z","malo_number":"50812345678","amount_total":1,"amount_due":1,"external_id":"X","sender_id":1,"recipient_id":2,"sender_address":{"name":"S"},"recipient_address":{"name":"R"},"line_items":[{"position":1,"article":"a","article_type":"t","quantity":1,"quantity_unit":"KWH","period_start_at":"2022-01-01T00:00:00Z","period_end_at":"2022-02-01T00:00:00Z","amount_net":1,"price":1,"tax_rate":19,"tax_rate_type":"S"}],"tax_amounts":[],"invoice_number":")" +
                std::to_string(number) + "\"}");
    }

    static void refused(int status, const std::string& code, const Answer& answer) {
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer).substr(0, 1000), status, answer.status);
        CPPUNIT_ASSERT_EQUAL(code, parse_error_body(answer.body).code);
    }

    std::string prefix_;
};

CPPUNIT_TEST_SUITE_REGISTRATION(BulkTest);

}  // namespace data_import::tests

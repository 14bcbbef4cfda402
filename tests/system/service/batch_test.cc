// Requests of one batch. The short ones share a transaction, the long ones share another, and nothing else is
// shared.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <functional>
#include <map>
#include <regex>
#include <set>
#include <thread>

#include "../../support/answer_check.h"
#include "../../support/playground.h"
#include "../../support/processes.h"
#include "../../support/world.h"

namespace data_import::tests {

namespace {

constexpr int clients = 16;
constexpr int requests_of_each = 40;

/// The requests that one client has sent, in order, and the answers to them.
struct Conversation {
    std::vector<SentNote> notes;
    std::vector<Answer> answers;
};

std::string name_of(int client, int request) {
    return std::to_string(client) + '.' + std::to_string(request);
}

}  // namespace

class BatchTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(BatchTest);
    CPPUNIT_TEST(waiting_requests_share_a_transaction);
    CPPUNIT_TEST(long_requests_have_a_transaction_of_their_own);
    CPPUNIT_TEST(batches_are_shorter_beside_others);
    CPPUNIT_TEST(a_failing_request_harms_no_other);
    CPPUNIT_TEST(crossing_accounts_never_deadlock);
    CPPUNIT_TEST(a_batch_of_one_is_one_at_a_time);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override { playground().prepare(); }

    void waiting_requests_share_a_transaction() {
        playground().configure({"access_refresh = 1", "import_workers = 1"}, 1);
        const auto conversations = talk([](int client, int request) { return name_of(client, request); });
        all_are_stored(conversations);
        CPPUNIT_ASSERT(transactions() < clients * requests_of_each);
    }

    void long_requests_have_a_transaction_of_their_own() {
        playground().configure({"access_refresh = 1", "import_workers = 1"}, 1);
        const std::string padding(20'000, 'x');
        all_are_stored(talk([&](int client, int request) {
            return name_of(client, request) + (client % 2 == 0 ? padding : "");
        }));
        AdminSession session = playground().database();
        session.rows(
            "CREATE TEMPORARY TABLE batch AS "
            "SELECT min(length(body)) AS shortest, max(length(body)) AS longest, count(*) AS notes "
            "FROM data_import.note "
            "WHERE account_key = data_import.account_key('ACME', $1) GROUP BY xmin::text",
            {playground().account()});
        CPPUNIT_ASSERT_EQUAL(
            0L, session.count("SELECT count(*) FROM batch WHERE shortest < 100 AND longest > 100"));
        CPPUNIT_ASSERT(session.count("SELECT count(*) FROM batch WHERE notes > 1") > 0);
    }

    /// A batch of 64 KiB takes 12 bodies of a bit more than 5 kB. While others send requests, the limit is a
    /// quarter of that, which takes 3 bodies.
    void batches_are_shorter_beside_others() {
        playground().configure(
            {"access_refresh = 1", "import_workers = 4", "import_workers_at_once = 4", "batch_bytes = 64KiB"},
            4);
        AdminSession session = playground().database();
        const std::string prefix = playground().account() + "-Y";
        import_accounts(session, "ACME", prefix, clients);
        const std::string padding(5'000, 'x');
        int attempt = 0;
        const auto longest_batch = [&](const std::set<int>& answers) {
            const std::string run = "run " + std::to_string(++attempt) + ' ';
            const auto conversations =
                talk([&](int client, int request) { return run + name_of(client, request) + padding; },
                     [&](int client, int) { return prefix + std::to_string(100001 + client).substr(1); });
            for (const Conversation& conversation : conversations) {
                for (const Answer& answer : conversation.answers)
                    CPPUNIT_ASSERT_MESSAGE(shown(answer), answers.contains(answer.status));
            }
            return session.count(
                "SELECT max(count) FROM (SELECT count(*) FROM data_import.note "
                "WHERE starts_with(body, $1) GROUP BY xmin::text) AS batch",
                {run});
        };
        CPPUNIT_ASSERT_MESSAGE("alone", wait_until([&] { return longest_batch({201}) > 3; }, 60s));
        long longest = 0;
        {
            const Stack& stack = *playground().stack();
            const HttpRequest other =
                notes_request(token_for(stack, "Neighbours", "ACME"), "ACME", "nobody", {{"not stored"}});
            CPPUNIT_ASSERT_EQUAL(404, ask(stack, other).status);
            const std::jthread neighbour([&](const std::stop_token& end) {
                while (!end.stop_requested()) static_cast<void>(ask(stack, other));
            });
            longest = longest_batch({201, 429});  // 429: the organisation is beyond its share
        }
        // waits until the pool no longer counts the organisation Neighbours, two seconds after its last
        // request
        std::this_thread::sleep_for(2100ms);
        CPPUNIT_ASSERT_MESSAGE(std::to_string(longest), longest >= 1 && longest <= 3);
    }

    /// The database refuses some notes for a reason that nobody planned for.
    void a_failing_request_harms_no_other() {
        playground().configure({"access_refresh = 1", "import_workers = 2"}, 2);
        const std::uintmax_t log_end = playground().stack().log_size();
        AdminSession session = playground().database();
        session.rows(
            "CREATE FUNCTION public.refuse_poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            "IF NEW.body LIKE 'poison%' THEN RAISE EXCEPTION 'poisoned'; END IF; RETURN NEW; END $$");
        session.rows(
            "CREATE TRIGGER refuse_poison BEFORE INSERT ON data_import.note "
            "FOR EACH ROW EXECUTE FUNCTION public.refuse_poison()");
        const auto is_poison = [](int client, int request) { return (client + request) % 7 == 0; };
        const auto conversations = talk([&](int client, int request) {
            return (is_poison(client, request) ? "poison " : "good ") + name_of(client, request);
        });
        session.rows("DROP FUNCTION public.refuse_poison() CASCADE");
        std::map<std::string, int> copies = stored();
        for (const Conversation& conversation : conversations) {
            for (std::size_t request = 0; request < conversation.answers.size(); ++request) {
                const bool poisoned = conversation.notes[request].body.starts_with("poison");
                const Answer& answer = conversation.answers[request];
                CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), poisoned ? 500 : 201, answer.status);
                CPPUNIT_ASSERT_EQUAL(poisoned ? 0 : 1, copies[conversation.notes[request].body]);
            }
        }
        const std::regex together(
            "repeated one by one requests=[0-9]+ reason=\"P0001 poisoned \\(PostgreSQL process "
            "[0-9]+\\)\" request_ids=[0-9a-f]{32},[0-9a-f,]+");
        CPPUNIT_ASSERT_MESSAGE("no batch had a poisoned request in it",
                               std::regex_search(playground().stack().log_from(log_end), together));
    }

    /// Each client has its own order of accounts; some bodies are longer than a batch takes.
    void crossing_accounts_never_deadlock() {
        playground().configure({"access_refresh = 1", "import_workers = 2", "batch_bytes = 64KiB"}, 2);
        AdminSession session = playground().database();
        const std::string prefix = playground().account() + "-X";
        import_accounts(session, "ACME", prefix, accounts);
        const long deadlocks = deadlocks_so_far(session);
        const std::string padding(65'000, 'x');
        const auto conversations = talk(
            [&](int client, int request) {
                return name_of(client, request) + (request % 10 == 9 ? padding : std::string());
            },
            [&](int client, int request) {
                const int account = client % 2 == 0 ? request % accounts : accounts - 1 - request % accounts;
                return prefix + "0000" + std::to_string(account + 1);
            });
        for (const Conversation& conversation : conversations) {
            for (const Answer& answer : conversation.answers)
                CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 201, answer.status);
        }
        CPPUNIT_ASSERT_EQUAL(
            long{clients * requests_of_each},
            session.count("SELECT count(*) FROM data_import.note NATURAL JOIN data_import.account "
                          "WHERE external_account_number LIKE $1 || '%'",
                          {prefix}));
        std::this_thread::sleep_for(1200ms);  // sessions report their counts once a second
        CPPUNIT_ASSERT_EQUAL(deadlocks, deadlocks_so_far(session));
    }

    void a_batch_of_one_is_one_at_a_time() {
        playground().configure({"access_refresh = 1", "import_workers = 1", "batch = 1"}, 1);
        all_are_stored(talk([](int client, int request) { return name_of(client, request); }));
        CPPUNIT_ASSERT_EQUAL(long{clients * requests_of_each}, transactions());
    }

private:
    static constexpr int accounts = 7;
    using Text = std::function<std::string(int client, int request)>;

    /// Lets all clients talk at the same time; each sends one note after another.
    static std::vector<Conversation> talk(const Text& body, const Text& account = nullptr) {
        std::vector<Conversation> conversations(clients);
        std::vector<std::thread> threads;
        for (int client = 0; client < clients; ++client) {
            threads.emplace_back([&, client] {
                Conversation& own = conversations[static_cast<std::size_t>(client)];
                const Stack& stack = *playground().stack();
                HttpConnection connection(stack.port(), stack.value("CA_FILE"));
                for (int request = 0; request < requests_of_each; ++request) {
                    own.notes.push_back({body(client, request)});
                    own.answers.push_back(connection.ask(notes_request(
                        playground().token(), "ACME",
                        account ? account(client, request) : playground().account(), {own.notes.back()})));
                }
            });
        }
        for (std::thread& thread : threads) thread.join();
        return conversations;
    }

    static void all_are_stored(const std::vector<Conversation>& conversations) {
        std::map<std::string, int> copies = stored();
        for (const Conversation& conversation : conversations) {
            for (const Answer& answer : conversation.answers)
                CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 201, answer.status);
            for (const SentNote& note : conversation.notes) CPPUNIT_ASSERT_EQUAL(1, copies[note.body]);
        }
    }

    /// The number of times that each body is stored.
    static std::map<std::string, int> stored() {
        std::map<std::string, int> copies;
        for (const auto& row : playground().database().rows(
                 "SELECT body FROM data_import.note WHERE account_key = data_import.account_key('ACME', $1)",
                 {playground().account()})) {
            ++copies[row.at(0)];
        }
        return copies;
    }

    /// The number of transactions in which the notes of the account were stored.
    static long transactions() {
        AdminSession session = playground().database();
        return session.count(
            "SELECT count(DISTINCT xmin::text) FROM data_import.note "
            "WHERE account_key = data_import.account_key('ACME', $1)",
            {playground().account()});
    }

    static long deadlocks_so_far(AdminSession& session) {
        return session.count("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(BatchTest);

}  // namespace data_import::tests

// The same notes from several sides at once, and tokens that lose their rights while they are used.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <sys/wait.h>
#include <unistd.h>

#include <Poco/JSON/Array.h>
#include <Poco/JSON/Object.h>

#include <mutex>

#include "../../support/answer_check.h"
#include "../../support/at_once.h"
#include "../../support/json_match.h"
#include "../../support/load.h"
#include "../../support/processes.h"
#include "../../support/world.h"

namespace data_import::tests {

namespace {

/// The notes of an answer that it created.
std::vector<bool> created_in(const Answer& answer) {
    std::vector<bool> created;
    const auto items = parse_json(answer.body).extract<Poco::JSON::Array::Ptr>();
    for (unsigned index = 0; index < items->size(); ++index) {
        created.push_back(items->getObject(index)->getValue<std::string>("status") ==
                          "NOTE_CREATION_SUCCESS");
    }
    return created;
}

std::vector<SentNote> numbered_notes(int count) {
    std::vector<SentNote> notes;
    for (int number = 0; number < count; ++number) notes.push_back({"note " + std::to_string(number)});
    return notes;
}

}  // namespace

class ConcurrencyTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(ConcurrencyTest);
    CPPUNIT_TEST(two_processes_create_each_note_once);
    CPPUNIT_TEST(thirty_two_connections_create_a_thousand_notes_once);
    CPPUNIT_TEST(opposite_orders_do_not_block_each_other);
    CPPUNIT_TEST(a_revoked_key_and_a_changed_scope_take_effect_within_10_seconds);
    CPPUNIT_TEST_SUITE_END();

public:
    void two_processes_create_each_note_once() {
        constexpr int notes = 100;
        const std::string account = world().take_account("imported");
        int channel[2];
        CPPUNIT_ASSERT(pipe(channel) == 0);
        const pid_t child = fork();
        CPPUNIT_ASSERT(child >= 0);
        if (child == 0) become_second_client(account, notes, channel[1]);
        close(channel[1]);
        std::string go(1, ' ');
        CPPUNIT_ASSERT_EQUAL(ssize_t{1}, read(channel[0], go.data(), 1));
        const std::string mine = post_one_by_one(account, notes);
        std::string theirs(notes, ' ');
        for (ssize_t begin = 0, count = 1; count > 0; begin += count) {
            count = read(channel[0], theirs.data() + begin, theirs.size() - static_cast<std::size_t>(begin));
        }
        close(channel[0]);
        int status = -1;
        waitpid(child, &status, 0);
        CPPUNIT_ASSERT_EQUAL(0, status);
        for (std::size_t number = 0; number < mine.size(); ++number) {
            const std::string both{mine[number], theirs[number]};
            CPPUNIT_ASSERT_MESSAGE("note " + std::to_string(number) + ": " + both,
                                   both == "ce" || both == "ec");
        }
        CPPUNIT_ASSERT_EQUAL(long{notes}, notes_of(account));
    }

    void thirty_two_connections_create_a_thousand_notes_once() {
        const std::string account = world().take_account("imported");
        const HttpRequest request = notes_request(token(), "ACME", account, numbered_notes(1000));
        const std::vector<Answer> answers =
            ask_at_once(world().stack(), 32, [&](std::size_t) { return request; });
        std::vector<int> creations(1000);
        for (const Answer& answer : answers) {
            CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 201, answer.status);
            const std::vector<bool> created = created_in(answer);
            CPPUNIT_ASSERT_EQUAL(creations.size(), created.size());
            for (std::size_t note = 0; note < created.size(); ++note)
                creations[note] += created[note] ? 1 : 0;
        }
        for (const int count : creations) CPPUNIT_ASSERT_EQUAL(1, count);
        CPPUNIT_ASSERT_EQUAL(1000L, notes_of(account));
    }

    void opposite_orders_do_not_block_each_other() {
        const std::string account = world().take_account("imported");
        std::vector<SentNote> forwards = numbered_notes(500);
        std::vector<SentNote> backwards(forwards.rbegin(), forwards.rend());
        const std::vector<Answer> answers = ask_at_once(world().stack(), 16, [&](std::size_t number) {
            return notes_request(token(), "ACME", account, number % 2 == 0 ? forwards : backwards);
        });
        for (const Answer& answer : answers) CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 201, answer.status);
        CPPUNIT_ASSERT_EQUAL(500L, notes_of(account));
    }

    void a_revoked_key_and_a_changed_scope_take_effect_within_10_seconds() {
        const std::string mark = world().take_fresh();
        const std::string revoked = token_for(world().stack(), "Revoked " + mark, "EMPTY");
        const std::string narrowed = token_for(world().stack(), "Narrowed " + mark, "EMPTY ACME");
        CPPUNIT_ASSERT(
            wait_until([&] { return status_for(revoked) == 200 && status_for(narrowed) == 200; }, 10s));
        run_ctl(world().stack(), "key revoke " + id_of("Revoked " + mark));
        run_ctl(world().stack(), "key set " + id_of("Narrowed " + mark) + " --supplier ACME");
        const auto deadline = std::chrono::steady_clock::now() + 10s;
        CPPUNIT_ASSERT(
            wait_until([&] { return status_for(revoked) == 401 && status_for(narrowed) == 404; }, 10s));
        // all workers, not only the one that answered; each checks by itself
        std::this_thread::sleep_until(deadline);
        for (const int status : statuses_at_once(revoked)) CPPUNIT_ASSERT_EQUAL(401, status);
        for (const int status : statuses_at_once(narrowed)) CPPUNIT_ASSERT_EQUAL(404, status);
    }

private:
    static World& world() { return World::of_shared_stack(); }
    static std::string token() { return *world().shared("token"); }

    static long notes_of(const std::string& account) {
        return world().database().count(
            "SELECT count(*) FROM data_import.note WHERE account_key = data_import.account_key('ACME', $1)",
            {account});
    }

    /// One letter a note: c created, e it existed, ? another answer.
    static std::string post_one_by_one(const std::string& account, int notes) {
        HttpConnection connection(world().stack().port(), world().stack().value("CA_FILE"));
        std::string letters;
        for (const SentNote& note : numbered_notes(notes)) {
            const Answer answer = connection.ask(notes_request(token(), "ACME", account, {note}));
            letters += answer.status != 201 ? '?' : created_in(answer).at(0) ? 'c' : 'e';
        }
        return letters;
    }

    [[noreturn]] static void become_second_client(const std::string& account, int notes, int channel) {
        const std::string ready = "!";
        bool written = write(channel, ready.data(), ready.size()) == 1;
        const std::string letters = post_one_by_one(account, notes);
        written =
            written && write(channel, letters.data(), letters.size()) == static_cast<ssize_t>(letters.size());
        _exit(written ? 0 : 1);
    }

    static HttpRequest status_request(const std::string& bearer) {
        return get_request("/v1/data-import/account-transfer-status/EMPTY/none/", bearer);
    }

    /// 200 for a token in whose scope EMPTY is: its listing is empty.
    static int status_for(const std::string& bearer) {
        return ask(world().stack(),
                   get_request("/v1/data-import/all-account-import-processes/EMPTY/", bearer))
            .status;
    }

    static std::vector<int> statuses_at_once(const std::string& bearer) {
        std::vector<int> statuses;
        for (const Answer& answer :
             ask_at_once(world().stack(), 16, [&](std::size_t) { return status_request(bearer); })) {
            statuses.push_back(answer.status);
        }
        return statuses;
    }

    static std::string id_of(const std::string& organisation) {
        return world().database().value("SELECT max(id) FROM data_import.api_key WHERE organisation = $1",
                                        {organisation});
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(ConcurrencyTest);

}  // namespace data_import::tests

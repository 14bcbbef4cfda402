// Access on two hosts that share a database: keys that lose their rights under load, guessing keys, refresh
// tokens, and the rotation of signing keys.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <atomic>
#include <filesystem>
#include <mutex>
#include <thread>

#include "../../support/answer_check.h"
#include "../../support/command.h"
#include "../../support/database.h"
#include "../../support/forged_token.h"
#include "../../support/json_match.h"
#include "../../support/load.h"
#include "../../support/processes.h"
#include "../../support/stack.h"
#include "../../support/timing.h"
#include "../../support/token_requests.h"
#include "../../support/world.h"

namespace data_import::tests {

namespace {

using Clock = std::chrono::steady_clock;

/// Two hosts with the settings of an installation, and the same signing keys.
class Hosts {
public:
    Hosts() : first_({"import_workers = 4"}), second_({"import_workers = 4"}, first_->value("DATABASE_URL")) {
        copy_keys();
        run_ctl(*first_, "supplier create ACME --name Acme");
        AdminSession session = database();
        import_accounts(session, "ACME", "A-", 1);
    }

    [[nodiscard]] const Stack& first() const { return *first_; }
    [[nodiscard]] const Stack& second() const { return *second_; }
    [[nodiscard]] AdminSession database() const { return AdminSession(first_->value("DATABASE_URL")); }

    /// Copies the signing keys to the second host by the steps that the documentation gives to operators.
    void copy_keys() const {
        const std::filesystem::path target = keys_directory(*second_);
        for (const auto& file : std::filesystem::directory_iterator(target)) std::filesystem::remove(file);
        for (const auto& file : std::filesystem::directory_iterator(keys_directory(*first_)))
            std::filesystem::copy_file(file, target / file.path().filename());
    }

private:
    PrivateStack first_;
    PrivateStack second_;
};

Hosts& hosts() {
    static Hosts made;
    return made;
}

struct MadeKey {
    std::string id;
    std::string text;
};

MadeKey make_key(const std::string& organisation) {
    const std::string text =
        run_ctl(hosts().first(), "key create --supplier ACME --organisation " + shell_word(organisation));
    return {hosts().database().value("SELECT max(id) FROM data_import.api_key"), text};
}

/// Sends requests to `stack` from `address`, an address of this host. Failures are counted by address, so
/// each test uses addresses that no other test uses.
class Client {
public:
    explicit Client(const Stack& stack, const std::string& address = "127.0.0.1")
        : connection_(stack.port(), stack.value("CA_FILE"), address) {}

    Answer ask(const HttpRequest& request) {
        Answer answer = connection_.ask(request);
        check_any_answer(answer);
        return answer;
    }
    std::string refusal_by_key(const std::string& key) { return refusal_of(ask(token_request_by_key(key))); }

private:
    HttpConnection connection_;
};

/// Posts notes over one connection until stopped, and remembers when the last of them was accepted.
class Poster {
public:
    Poster(const Stack& stack, const std::string& token)
        : request_(notes_request(token, "ACME", "A-00001", {{"note", "2024-01-01T00:00:00Z"}})),
          stack_(stack),
          thread_([this] { run(); }) {}
    ~Poster() {
        stopping_ = true;
        thread_.join();
    }
    Poster(const Poster&) = delete;
    Poster& operator=(const Poster&) = delete;

    [[nodiscard]] Clock::time_point last_success() const {
        const std::lock_guard lock(mutex_);
        return last_success_;
    }
    [[nodiscard]] int successes() const { return successes_; }
    [[nodiscard]] int last_status() const { return last_status_; }

private:
    /// Opens a new connection when nginx has ended one, which it does after some thousands of requests.
    void run() {
        std::unique_ptr<HttpConnection> connection;
        while (!stopping_) {
            if (!connection)
                connection = std::make_unique<HttpConnection>(stack_.port(), stack_.value("CA_FILE"));
            const Answer answer = connection->ask(request_);
            const int status = answer.status;
            if (answer.header("Connection") == "close") connection.reset();
            if (status == 201) {
                const std::lock_guard lock(mutex_);
                last_success_ = Clock::now();
                ++successes_;
            }
            last_status_ = status;
        }
    }

    HttpRequest request_;
    const Stack& stack_;
    std::atomic<bool> stopping_ = false;
    std::atomic<int> successes_ = 0;
    std::atomic<int> last_status_ = 0;
    mutable std::mutex mutex_;
    Clock::time_point last_success_{};
    std::thread thread_;
};

using Posters = std::vector<std::unique_ptr<Poster>>;

Posters start_posters(const std::string& token) {
    Posters posters;
    for (int number = 0; number < 3; ++number) {
        posters.push_back(std::make_unique<Poster>(hosts().first(), token));
        posters.push_back(std::make_unique<Poster>(hosts().second(), token));
    }
    for (const auto& poster : posters)
        CPPUNIT_ASSERT_MESSAGE("no note is accepted",
                               wait_until([&] { return poster->successes() > 20; }, 20s));
    return posters;
}

/// Fails unless every poster now gets this refusal, and had no note accepted later than 10 s after `changed`.
void check_ended(const Posters& posters, int status, Clock::time_point changed) {
    std::this_thread::sleep_until(changed + 13s);
    for (const auto& poster : posters) {
        CPPUNIT_ASSERT_EQUAL(status, poster->last_status());
        CPPUNIT_ASSERT_MESSAGE("a note was accepted more than 10 s after the change",
                               poster->last_success() <= changed + 10s);
    }
}

}  // namespace

class AccessTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(AccessTest);
    CPPUNIT_TEST(revoked_keys_and_changed_scopes_end_within_10_seconds_under_load);
    CPPUNIT_TEST(a_new_key_is_good_at_once_beside_revoked_ones);
    CPPUNIT_TEST(guessing_is_limited_on_all_hosts_together);
    CPPUNIT_TEST(the_limit_goes_by_address);
    CPPUNIT_TEST(many_guesses_at_once_are_limited_too);
    CPPUNIT_TEST(a_right_key_waits_for_no_guess);
    CPPUNIT_TEST(a_guess_waits_for_no_guess_from_another_address);
    CPPUNIT_TEST(a_key_that_asks_again_gets_the_same_tokens_for_10_minutes);
    CPPUNIT_TEST(a_wrong_key_takes_as_long_as_a_right_one);
    CPPUNIT_TEST(a_refresh_token_ends_with_its_key);
    CPPUNIT_TEST(a_day_of_use_is_noted_once);
    CPPUNIT_TEST(rotating_refuses_no_token);
    CPPUNIT_TEST(a_removed_signing_key_takes_its_tokens_along);
    CPPUNIT_TEST_SUITE_END();

public:
    void revoked_keys_and_changed_scopes_end_within_10_seconds_under_load() {
        run_ctl(hosts().first(), "supplier create BETA --name Beta");
        const MadeKey revoked = make_key("Revoked");
        const MadeKey narrowed = make_key("Narrowed");
        const Posters by_revoked = start_posters(token_of(revoked));
        const Posters by_narrowed = start_posters(token_of(narrowed));
        run_ctl(hosts().first(), "key revoke " + revoked.id);
        const auto revoked_at = Clock::now();
        run_ctl(hosts().second(), "key set " + narrowed.id + " --supplier BETA");
        const auto narrowed_at = Clock::now();
        check_ended(by_revoked, 401, revoked_at);
        check_ended(by_narrowed, 404, narrowed_at);
    }

    /// Two clients post notes all the time with a token of a revoked key. The keys that a worker remembers
    /// include no revoked ones, so each of these requests makes a worker look for the key in the database.
    void a_new_key_is_good_at_once_beside_revoked_ones() {
        const MadeKey revoked = make_key("Revoked before");
        const std::string token = token_of(revoked);
        run_ctl(hosts().first(), "key revoke " + revoked.id);
        const Poster one(hosts().first(), token);
        const Poster other(hosts().second(), token);
        CPPUNIT_ASSERT(
            wait_until([&] { return one.last_status() == 401 && other.last_status() == 401; }, 20s));
        Client first(hosts().first(), "127.0.1.8");
        Client second(hosts().second(), "127.0.1.8");
        for (int number = 0; number < 20; ++number) {
            const MadeKey key = make_key("New " + std::to_string(number));
            const Answer tokens = first.ask(token_request_by_key(key.text));
            for (int request = 0; request < 6; ++request) {
                const Answer answer =
                    (request % 2 == 0 ? first : second)
                        .ask(get_request("/v1/data-import/token/", token_member(tokens, "token")));
                CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 200, answer.status);
            }
        }
        CPPUNIT_ASSERT_EQUAL(401, one.last_status());
        CPPUNIT_ASSERT_EQUAL(401, other.last_status());
    }

    void guessing_is_limited_on_all_hosts_together() {
        const MadeKey key = make_key("Guessed");
        Client first(hosts().first(), "127.0.1.1");
        Client second(hosts().second(), "127.0.1.1");
        for (int guess = 0; guess < 5; ++guess) {
            CPPUNIT_ASSERT_EQUAL(std::string("authentication_failed"), first.refusal_by_key("guess"));
            // an accepted key does not set the number of refusals back to 0
            CPPUNIT_ASSERT_EQUAL(std::string(), first.refusal_by_key(key.text));
            CPPUNIT_ASSERT_EQUAL(std::string("authentication_failed"), second.refusal_by_key("guess"));
        }
        move_requests("30 seconds");
        for (Client* client : {&first, &second}) {
            check_throttled(client->ask(token_request_by_key("guess")), 30);
            check_throttled(client->ask(token_request_by_refresh_token("guess")), 30);
            // right keys are not limited, because a balancer may bring all clients from one address
            const Answer answer = client->ask(token_request_by_key(key.text));
            CPPUNIT_ASSERT_EQUAL(std::string(), refusal_of(answer));
            CPPUNIT_ASSERT_EQUAL(std::string(), refusal_of(client->ask(token_request_by_refresh_token(
                                                    token_member(answer, "refreshToken")))));
        }
        CPPUNIT_ASSERT_EQUAL(200, first.ask(api_version_request()).status);
        move_requests("31 seconds");
        // each request removes ten earlier ones that no longer count
        for (int request = 0; request < 4; ++request)
            CPPUNIT_ASSERT_EQUAL(std::string(), second.refusal_by_key(key.text));
        CPPUNIT_ASSERT_EQUAL(8L, hosts().database().count("SELECT count(*) FROM data_import.token_request "
                                                          "WHERE address_block = '127.0.1.1'"));
    }

    void the_limit_goes_by_address() {
        Client guesser(hosts().first(), "127.0.1.2");
        Client other(hosts().first(), "127.0.1.3");
        for (int guess = 0; guess < 10; ++guess)
            CPPUNIT_ASSERT_EQUAL(std::string("authentication_failed"), guesser.refusal_by_key("guess"));
        check_throttled(guesser.ask(token_request_by_key("guess")), 60);
        CPPUNIT_ASSERT_EQUAL(std::string("authentication_failed"), other.refusal_by_key("guess"));
    }

    void many_guesses_at_once_are_limited_too() {
        std::vector<std::thread> threads;
        std::atomic<int> refused = 0;
        std::atomic<int> throttled = 0;
        for (int number = 0; number < 8; ++number) {
            threads.emplace_back([&, number] {
                const Stack& stack = number % 2 == 0 ? hosts().first() : hosts().second();
                HttpConnection connection(stack.port(), stack.value("CA_FILE"), "127.0.1.4");
                for (int guess = 0; guess < 5; ++guess) {
                    const int status = connection.ask(token_request_by_key("guess")).status;
                    (status == 200 ? refused : throttled) += status == 200 || status == 429 ? 1 : 1000;
                }
            });
        }
        for (std::thread& thread : threads) thread.join();
        CPPUNIT_ASSERT_EQUAL(10, refused.load());
        CPPUNIT_ASSERT_EQUAL(30, throttled.load());
    }

    /// The session's transaction holds the lock that the service takes while it judges a wrong API key from
    /// the address 127.0.1.6. The right key comes from the same address.
    void a_right_key_waits_for_no_guess() {
        const MadeKey key = make_key("Beside guesses");
        AdminSession session = hosts().database();
        session.rows("BEGIN");
        session.rows(
            "SELECT pg_advisory_xact_lock(data_import.lock_number('token_request', '127.0.1.6/32'))");
        CPPUNIT_ASSERT_EQUAL(std::string(), Client(hosts().first(), "127.0.1.6").refusal_by_key(key.text));
        session.rows("ROLLBACK");
    }

    /// The session has judged a guess, a wrong API key from the address 127.0.1.9, and has not ended its
    /// transaction yet. Meanwhile a guess comes from another address.
    void a_guess_waits_for_no_guess_from_another_address() {
        AdminSession session = hosts().database();
        session.rows("BEGIN");
        session.rows(
            "SELECT data_import.request_token('127.0.1.9/32', '', NULL, 10, now(), interval '10 minutes')");
        const std::string refusal = Client(hosts().first(), "127.0.1.10").refusal_by_key("guess");
        session.rows("ROLLBACK");
        CPPUNIT_ASSERT_EQUAL(std::string("authentication_failed"), refusal);
    }

    void a_key_that_asks_again_gets_the_same_tokens_for_10_minutes() {
        const MadeKey key = make_key("Asking again");
        const auto ask_for_token = [&](const Stack& stack) {
            return Client(stack, "127.0.1.7").ask(token_request_by_key(key.text));
        };
        const MadeKey other = make_key("Another");
        const auto move_issue = [&](const std::string& time) {
            hosts().database().rows(
                "UPDATE data_import.api_key_token SET issued_at = issued_at - $1::interval WHERE api_key_id "
                "= $2",
                {time, key.id});
        };
        const Answer first = ask_for_token(hosts().first());
        const std::string token = token_member(first, "token");
        for (int again = 0; again < 10; ++again) {
            const Answer answer = ask_for_token(again % 2 == 0 ? hosts().second() : hosts().first());
            CPPUNIT_ASSERT_EQUAL(token, token_member(answer, "token"));
            CPPUNIT_ASSERT_EQUAL(token_member(first, "refreshToken"), token_member(answer, "refreshToken"));
        }
        Client client(hosts().second(), "127.0.1.7");
        const std::string refresh_token = token_member(first, "refreshToken");
        CPPUNIT_ASSERT_EQUAL(
            token, token_member(client.ask(token_request_by_refresh_token(refresh_token)), "token"));
        CPPUNIT_ASSERT(token != token_member(client.ask(token_request_by_key(other.text)), "token"));
        move_issue("500 seconds");
        const Answer aged = ask_for_token(hosts().first());
        const std::string aged_token = token_member(aged, "token");
        CPPUNIT_ASSERT(std::stol(token_member(aged, "expiresIn")) <= 3100);
        CPPUNIT_ASSERT(std::stol(token_member(aged, "expiresIn")) > 3000);
        move_issue("101 seconds");
        const Answer next = ask_for_token(hosts().first());
        CPPUNIT_ASSERT(aged_token != token_member(next, "token"));
        CPPUNIT_ASSERT(std::stol(token_member(next, "expiresIn")) > 3500);
        for (const std::string& one : {token, aged_token, token_member(next, "token")}) {
            const Answer listing =
                client.ask(get_request("/v1/data-import/account-transfer-status/ACME/A-00001/", one));
            CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(listing), 200, listing.status);
        }
    }

    /// Each guess comes from an address of its own, because ten guesses from one address would reach the
    /// limit.
    void a_wrong_key_takes_as_long_as_a_right_one() {
        const MadeKey key = make_key("Timed");
        const MadeKey revoked = make_key("Timed and revoked");
        run_ctl(hosts().first(), "key revoke " + revoked.id);
        std::string unknown = key.text;
        unknown.back() = unknown.back() == 'A' ? 'B' : 'A';
        const std::vector<std::pair<std::string, std::string>> kinds = {
            {"right", key.text}, {"unknown", unknown}, {"revoked", revoked.text}, {"malformed", "x"}};
        std::vector<Durations> durations(kinds.size());
        constexpr std::size_t rounds = 240;
        for (std::size_t round = 0; round < rounds; ++round) {
            const std::string address = "127.0.2." + std::to_string(round / 3 + 1);
            HttpConnection connection(hosts().first().port(), hosts().first().value("CA_FILE"), address);
            static_cast<void>(connection.ask(api_version_request()));
            for (std::size_t step = 0; step < kinds.size(); ++step) {
                const std::size_t kind = (round + step) % kinds.size();  // each kind has each place in turn
                const HttpRequest request = token_request_by_key(kinds[kind].second);
                durations[kind].push_back(time_of([&] {
                    const Answer answer = connection.ask(request);
                    CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 200, answer.status);
                }));
            }
        }
        for (std::size_t kind = 1; kind < kinds.size(); ++kind)
            check_indistinguishable("a right and a(n) " + kinds[kind].first + " key", durations[0],
                                    durations[kind]);
    }

    void a_refresh_token_ends_with_its_key() {
        const MadeKey key = make_key("Refreshed");
        Client client(hosts().first(), "127.0.1.5");
        const Answer first = client.ask(token_request_by_key(key.text));
        const auto about = [](long most, const std::string& seconds) {
            return std::stol(seconds) <= most && std::stol(seconds) > most - 60;
        };
        CPPUNIT_ASSERT(about(3600, token_member(first, "expiresIn")));
        CPPUNIT_ASSERT(about(604800, token_member(first, "refreshExpiresIn")));
        const std::string refresh_token = token_member(first, "refreshToken");
        Client elsewhere(hosts().second(), "127.0.1.5");
        const Answer next = elsewhere.ask(token_request_by_refresh_token(refresh_token));
        const Answer listing = client.ask(get_request("/v1/data-import/account-transfer-status/ACME/A-00001/",
                                                      token_member(next, "token")));
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(listing), 200, listing.status);
        run_ctl(hosts().first(), "key revoke " + key.id);
        for (Client* one : {&client, &elsewhere}) {
            CPPUNIT_ASSERT_EQUAL(std::string("authentication_failed"),
                                 refusal_of(one->ask(token_request_by_refresh_token(refresh_token))));
            CPPUNIT_ASSERT_EQUAL(std::string("authentication_failed"), one->refusal_by_key(key.text));
        }
        // a token that is not a refresh token, and an expired refresh token
        CPPUNIT_ASSERT_EQUAL(
            std::string("authentication_failed"),
            refusal_of(client.ask(token_request_by_refresh_token(token_member(next, "token")))));
        const Forge forge(hosts().first(), key.id);
        const std::string expired =
            forge.token(Forge::good_head, R"({"iss":"data-import","aud":"data-import-refresh","sub":"{sub}",)"
                                          R"("iat":{now-60},"nbf":{now-60},"exp":{now-1}})");
        CPPUNIT_ASSERT_EQUAL(std::string("token_expired"),
                             refusal_of(client.ask(token_request_by_refresh_token(expired))));
    }

    void a_day_of_use_is_noted_once() {
        const MadeKey key = make_key("Used");
        const std::string days = "SELECT count(*) FROM data_import.api_key_use WHERE api_key_id = " + key.id;
        const std::string token = Forge(hosts().first(), key.id).token(Forge::good_head, Forge::good_claims);
        CPPUNIT_ASSERT_EQUAL(0L, hosts().database().count(days));
        for (const Stack* stack : {&hosts().first(), &hosts().second()}) {
            for (int request = 0; request < 20; ++request) {
                const Answer answer =
                    ask(*stack, get_request("/v1/data-import/account-transfer-status/ACME/A-00001/", token));
                CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 200, answer.status);
            }
        }
        CPPUNIT_ASSERT(wait_until([&] { return hosts().database().count(days) == 1; }, 10s));
        std::this_thread::sleep_for(2s);
        CPPUNIT_ASSERT_EQUAL(1L, hosts().database().count(days));
        const std::string listed = run_ctl(hosts().second(), "audit --json");
        CPPUNIT_ASSERT(listed.find(R"("action":"key_used","system_user":null,"host":null,"api_key":")" +
                                   key.id) != std::string::npos);
    }

    /// No host refuses a token during the rotation: tokens that were signed with the old key stay valid, and
    /// a host that has just got the new key takes tokens that are signed with it.
    void rotating_refuses_no_token() {
        const MadeKey key = make_key("Rotated");
        const Posters posters = start_posters(token_of(key));
        run_ctl(hosts().first(), "signing-key rotate");
        hosts().copy_keys();
        for (int round = 0; round < 30; ++round) {
            const std::string token = token_of(key);
            for (const Stack* stack : {&hosts().first(), &hosts().second()}) {
                const Answer answer =
                    ask(*stack, get_request("/v1/data-import/account-transfer-status/ACME/A-00001/", token));
                CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 200, answer.status);
            }
        }
        for (const auto& poster : posters) CPPUNIT_ASSERT_EQUAL(201, poster->last_status());
    }

    void a_removed_signing_key_takes_its_tokens_along() {
        const MadeKey key = make_key("Removed");
        const std::string token = token_of(key);
        const auto status = [&] {
            return ask(hosts().first(),
                       get_request("/v1/data-import/account-transfer-status/ACME/A-00001/", token))
                .status;
        };
        CPPUNIT_ASSERT_EQUAL(200, status());
        const std::string kid = keys::KeyRing::load(keys_directory(hosts().first())).signing_key().kid;
        run_ctl(hosts().first(), "signing-key rotate");
        run_ctl(hosts().first(), "signing-key remove " + kid);
        CPPUNIT_ASSERT(wait_until([&] { return status() == 401; }, 10s));
        const std::string events = run_ctl(hosts().first(), "audit");
        CPPUNIT_ASSERT_MESSAGE(events, events.find("signing key removed") != std::string::npos);
        hosts().copy_keys();
    }

private:
    static std::string token_of(const MadeKey& key) {
        return run_ctl(hosts().first(), "token issue --key " + key.id);
    }

    static HttpRequest api_version_request() {
        HttpRequest request = token_request_by_key("");
        request.body = R"({"query": "{ apiVersion }"})";
        return request;
    }

    /// Makes all stored requests for tokens older by `time`, so that the test need not wait until the limit
    /// no longer counts them.
    static void move_requests(const std::string& time) {
        hosts().database().rows("UPDATE data_import.token_request SET at = at - $1::interval", {time});
    }

    /// Fails unless the answer is 429 with a Retry-After of `wait` seconds, less the time of the test itself
    /// (below 15 s).
    static void check_throttled(const Answer& answer, long wait) {
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 429, answer.status);
        CPPUNIT_ASSERT_EQUAL(std::string("throttled"), parse_error_body(answer.body).code);
        const long told = std::stol(answer.header("Retry-After").value());
        CPPUNIT_ASSERT_MESSAGE(shown(answer), told <= wait && told > wait - 15);
        const auto count = std::count_if(answer.headers.begin(), answer.headers.end(),
                                         [](const auto& header) { return header.first == "Retry-After"; });
        CPPUNIT_ASSERT_EQUAL(1L, static_cast<long>(count));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(AccessTest);

}  // namespace data_import::tests

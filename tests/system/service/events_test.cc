// Events as software reads them to follow a migration: page by page, each event once, in the order of their
// commits, and none at a place that a cursor has already passed, even while sessions and workers die.
#include <unistd.h>

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <Poco/Exception.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "../../support/answer_check.h"
#include "../../support/json_match.h"
#include "../../support/load.h"
#include "../../support/playground.h"
#include "../../support/processes.h"
#include "../../support/world.h"
#include "data/json/reader.h"
#include "service/api/event_cursor.h"

namespace data_import::tests {

namespace {

struct ReadEvent {
    std::string id;
    std::string subject;
    std::string type;
    bool operator==(const ReadEvent&) const = default;
};

/// A client that goes through the events of one supplier.
class EventReader {
public:
    EventReader(const Stack& stack, std::string supplier, std::string token)
        : stack_(stack), supplier_(std::move(supplier)), token_(std::move(token)) {}

    [[nodiscard]] const std::string& cursor() const { return cursor_; }
    void cursor(std::string cursor) { cursor_ = std::move(cursor); }

    [[nodiscard]] Answer ask_for(int limit) const {
        const std::string after = cursor_.empty() ? "" : "&after=" + cursor_;
        return ask(stack_, get_request("/v1/data-import/events/" + supplier_ +
                                           "/?limit=" + std::to_string(limit) + after,
                                       token_));
    }

    /// The next events. Repeats the request when an answer asks for that.
    std::vector<ReadEvent> read(int limit = 1000) {
        for (;;) {
            Answer answer;
            try {
                answer = ask_for(limit);
            } catch (const Poco::Exception&) {
                // the connection was broken off; the loop sends the request again
            }
            if (answer.status == 200 && answer.complete) return take(answer);
            CPPUNIT_ASSERT_MESSAGE(shown(answer), answer.status == 0 || answer.status >= 500);
            std::this_thread::sleep_for(20ms);
        }
    }

    /// All events, in pages.
    std::vector<ReadEvent> read_all(int limit = 1000) {
        std::vector<ReadEvent> all;
        for (;;) {
            const std::vector<ReadEvent> page = read(limit);
            if (page.empty()) return all;
            CPPUNIT_ASSERT(page.size() <= static_cast<std::size_t>(limit));
            all.insert(all.end(), page.begin(), page.end());
        }
    }

private:
    std::vector<ReadEvent> take(const Answer& answer) {
        const json::Document document = json::read(answer.body);
        std::vector<ReadEvent> events;
        for (const json::Value event : document.root().at("events").items()) {
            events.push_back({std::string(event.at("id").text()), std::string(event.at("subject").text()),
                              std::string(event.at("type").text())});
        }
        cursor_ = document.root().at("next").text();
        return events;
    }

    const Stack& stack_;
    std::string supplier_;
    std::string token_;
    std::string cursor_;
};

/// A supplier without accounts, and a token for it.
struct EventfulSupplier {
    std::string code;
    std::string token;

    EventfulSupplier(const Stack& stack, std::string name) : code(std::move(name)) {
        run_ctl(stack, "supplier create " + code + " --name X");
        token = token_for(stack, "Org " + code, code);
    }
};

void write_staged(const std::filesystem::path& file, const std::string& prefix, int accounts) {
    std::ofstream stream(file);
    stream << "external_account_number,state,service_account_number,account_created_at,statement_from,"
              "statement_to\n";
    for (int number = 0; number < accounts; ++number) stream << prefix << number << ",staged,,,,\n";
}

std::map<std::string, std::string> histories_in(const std::vector<ReadEvent>& events) {
    static const std::map<std::string, std::string> states = {{"data_import.account.staged", "staged"},
                                                              {"data_import.account.started", "in_progress"},
                                                              {"data_import.account.failed", "failed"},
                                                              {"data_import.account.completed", "imported"}};
    std::map<std::string, std::string> histories;
    for (const ReadEvent& event : events) {
        std::string& history = histories[event.subject];
        history += (history.empty() ? "" : ",") + states.at(event.type);
    }
    return histories;
}

/// The states in the accounts' histories.
std::map<std::string, std::string> histories_in(AdminSession& database, const std::string& supplier) {
    std::map<std::string, std::string> histories;
    for (const auto& row :
         database.rows("SELECT external_account_number, string_agg(step.state, ',' ORDER BY number) "
                       "FROM data_import.account JOIN data_import.account_step AS step USING (account_key) "
                       "WHERE import_supplier = $1 GROUP BY 1",
                       {supplier}))
        histories[row.at(0)] = row.at(1);
    return histories;
}

std::chrono::seconds length_of_storm() {
    const char* given = std::getenv("EVENTS_SECONDS");
    return given == nullptr ? 10s : std::chrono::seconds(std::atoi(given));
}

/// Sessions that move accounts of one supplier, some steps in each transaction, until stopped. A session that
/// is killed is replaced.
class Writers {
public:
    Writers(const Stack& stack, std::string supplier, int count)
        : stack_(stack), supplier_(std::move(supplier)) {
        for (int number = 0; number < count; ++number)
            threads_.emplace_back([this, number] { write(number); });
    }
    ~Writers() { stop(); }
    Writers(const Writers&) = delete;
    Writers& operator=(const Writers&) = delete;

    void stop() {
        stopping_ = true;
        for (std::thread& thread : threads_) thread.join();
        threads_.clear();
    }
    [[nodiscard]] long committed() const { return committed_; }
    [[nodiscard]] long broken() const { return broken_; }  ///< sessions that were killed

private:
    void write(int number) {
        std::mt19937 random(static_cast<unsigned>(number));
        std::unique_ptr<AdminSession> session;
        while (!stopping_) {
            try {
                if (!session) {
                    session = std::make_unique<AdminSession>(stack_.value("DATABASE_URL") +
                                                             "&application_name=event-writer");
                }
                transact(*session, random);
            } catch (const std::runtime_error& reason) {
                if (std::string_view(reason.what()).find("terminating connection") != std::string_view::npos)
                    ++broken_;
                roll_back(session);
            }
        }
    }

    /// Rolls back the transaction that a refused step leaves open. Drops the session if it is dead.
    static void roll_back(std::unique_ptr<AdminSession>& session) {
        try {
            if (session) session->rows("ROLLBACK");
        } catch (const std::runtime_error&) {
            session.reset();
        }
    }

    void transact(AdminSession& session, std::mt19937& random) {
        constexpr std::uint_fast32_t accounts = 40;
        session.rows("BEGIN");
        for (auto steps = 1 + random() % 3; steps > 0; --steps) {
            const std::string account = "shared-" + std::to_string(random() % accounts);
            const auto choice = random() % 4;
            if (choice == 0) {
                session.rows("SELECT data_import.account_stage($1, $2)", {supplier_, account});
            } else if (choice == 1) {
                session.rows("SELECT data_import.account_fail($1, $2, $3)",
                             {supplier_, account, std::to_string(random())});
            } else {
                session.rows("SELECT data_import.account_begin($1, $2)", {supplier_, account});
            }
            if (random() % 4 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(random() % 20));
        }
        session.rows(random() % 8 == 0 ? "ROLLBACK" : "COMMIT");
        ++committed_;
    }

    const Stack& stack_;
    std::string supplier_;
    std::atomic<bool> stopping_ = false;
    std::atomic<long> committed_ = 0;
    std::atomic<long> broken_ = 0;
    std::vector<std::thread> threads_;
};

}  // namespace

class EventsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(EventsTest);
    CPPUNIT_TEST(pages_of_any_size_hold_the_same_events);
    CPPUNIT_TEST(a_later_commit_comes_later);
    CPPUNIT_TEST(a_cursor_is_good_for_its_supplier_and_given_out_places);
    CPPUNIT_TEST(old_events_go_and_their_cursors_expire);
    CPPUNIT_TEST(housekeeping_numbers_events_without_a_reader);
    CPPUNIT_TEST(a_retry_is_an_event_of_each_account);
    CPPUNIT_TEST(nothing_is_lost_or_late_while_sessions_and_workers_die);
    CPPUNIT_TEST_SUITE_END();

public:
    void pages_of_any_size_hold_the_same_events() {
        const EventfulSupplier supplier(world().stack(), world().take_fresh());
        load(supplier.code, "many-", 2345);
        move("account_begin", supplier.code, "many-7");
        const std::vector<ReadEvent> whole = reader(supplier).read_all();
        CPPUNIT_ASSERT_EQUAL(std::size_t{2346}, whole.size());
        CPPUNIT_ASSERT(whole.back() == (ReadEvent{"4-1", "many-7", "data_import.account.started"}));
        for (const int limit : {1, 7, 999}) {
            EventReader pages = reader(supplier);
            std::vector<ReadEvent> read;
            while (read.size() < (limit == 1 ? 20U : 2346U)) {
                const std::vector<ReadEvent> page = pages.read(limit);
                CPPUNIT_ASSERT(!page.empty() && page.size() <= static_cast<std::size_t>(limit));
                read.insert(read.end(), page.begin(), page.end());
            }
            CPPUNIT_ASSERT(std::equal(read.begin(), read.end(), whole.begin()));
        }
        check_against_histories(supplier.code, whole);
    }

    /// The event that got its id first is committed last. Its place must come after the places of events that
    /// the client has already got.
    void a_later_commit_comes_later() {
        const EventfulSupplier supplier(world().stack(), world().take_fresh());
        AdminSession slow(world().stack().value("DATABASE_URL"));
        slow.rows("BEGIN");
        slow.rows("SELECT data_import.account_stage($1, 'slow')", {supplier.code});
        move("account_stage", supplier.code, "quick");
        EventReader reader = this->reader(supplier);
        CPPUNIT_ASSERT(reader.read() ==
                       (std::vector<ReadEvent>{{"1-1", "quick", "data_import.account.staged"}}));
        CPPUNIT_ASSERT(reader.read().empty());
        slow.rows("COMMIT");
        CPPUNIT_ASSERT(reader.read() ==
                       (std::vector<ReadEvent>{{"2-1", "slow", "data_import.account.staged"}}));
        CPPUNIT_ASSERT(reader.read().empty());
    }

    void a_cursor_is_good_for_its_supplier_and_given_out_places() {
        const EventfulSupplier supplier(world().stack(), world().take_fresh());
        const EventfulSupplier other(world().stack(), world().take_fresh());
        move("account_stage", supplier.code, "A");
        move("account_stage", other.code, "A");
        EventReader reader = this->reader(supplier);
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, reader.read().size());
        EventReader others = this->reader(other);
        others.cursor(reader.cursor());
        check_refusal(others, "invalid");
        // a cursor with a place that no event has yet, as a reader has after an older backup was restored
        reader.cursor(api::to_cursor(supplier.code, {2, 1}));
        check_refusal(reader, "invalid");
    }

    void old_events_go_and_their_cursors_expire() {
        const EventfulSupplier supplier(world().stack(), world().take_fresh());
        EventReader early = reader(supplier);
        CPPUNIT_ASSERT(early.read().empty());
        load(supplier.code, "old-", 1500);  // stored as two rows, of 1000 and 500 events
        EventReader inside = reader(supplier);
        CPPUNIT_ASSERT_EQUAL(std::size_t{900}, inside.read(900).size());
        EventReader behind = reader(supplier);
        CPPUNIT_ASSERT_EQUAL(std::size_t{1500}, behind.read_all().size());
        make_old(supplier.code);
        move("account_stage", supplier.code, "new");
        keep_events(supplier.code);
        check_refusal(early, "expired_cursor");
        check_refusal(inside, "expired_cursor");
        const std::vector<ReadEvent> kept = {{"3-1", "new", "data_import.account.staged"}};
        CPPUNIT_ASSERT(reader(supplier).read_all() == kept);
        CPPUNIT_ASSERT(behind.read() == kept);
        make_old(supplier.code);
        keep_events(supplier.code);
        EventReader late = reader(supplier);
        CPPUNIT_ASSERT(late.read().empty());
        CPPUNIT_ASSERT(behind.read().empty());
        move("account_begin", supplier.code, "new");
        const std::vector<ReadEvent> next = {{"4-1", "new", "data_import.account.started"}};
        CPPUNIT_ASSERT(late.read() == next);
        CPPUNIT_ASSERT(behind.read() == next);
    }

    void housekeeping_numbers_events_without_a_reader() {
        const EventfulSupplier supplier(world().stack(), world().take_fresh());
        for (const char* account : {"A", "B", "C"}) move("account_stage", supplier.code, account);
        world().database().rows("SELECT data_import.number_events($1, 2)", {supplier.code});
        const auto waiting = [&] {
            return world().database().count(
                "SELECT count(*) FROM data_import.event WHERE import_supplier = $1 AND place IS NULL",
                {supplier.code});
        };
        CPPUNIT_ASSERT(waiting() <= 1);
        CPPUNIT_ASSERT_MESSAGE("events without a place", wait_until([&] { return waiting() == 0; }, 60s));
        CPPUNIT_ASSERT_EQUAL(std::size_t{3}, reader(supplier).read_all().size());
    }

    void a_retry_is_an_event_of_each_account() {
        const EventfulSupplier supplier(world().stack(), world().take_fresh());
        world().database().rows(
            "SELECT data_import.account_stage($1, n::text), data_import.account_begin($1, n::text), "
            "data_import.account_fail($1, n::text, 'why') FROM generate_series(1, 300) AS n",
            {supplier.code});
        EventReader reader = this->reader(supplier);
        CPPUNIT_ASSERT_EQUAL(std::size_t{900}, reader.read_all().size());
        run_ctl(world().stack(), "account retry " + supplier.code);
        const std::vector<ReadEvent> staged = reader.read_all();
        CPPUNIT_ASSERT_EQUAL(std::size_t{300}, staged.size());
        for (const ReadEvent& event : staged)
            CPPUNIT_ASSERT_EQUAL(std::string("data_import.account.staged"), event.type);
        CPPUNIT_ASSERT_EQUAL(300L, world().database().count(
                                       "SELECT count(*) FROM data_import.account "
                                       "JOIN data_import.account_step AS step USING (account_key) "
                                       "WHERE import_supplier = $1 AND number = 4 AND step.state = 'staged'",
                                       {supplier.code}));
    }

    /// The environment variable EVENTS_SECONDS sets the duration.
    void nothing_is_lost_or_late_while_sessions_and_workers_die() {
        Playground& playground = tests::playground();
        playground.prepare();
        const Stack& stack = *playground.stack();
        const EventfulSupplier supplier(stack, "STORM-" + std::to_string(getpid()));
        EventReader reader(stack, supplier.code, supplier.token);
        std::vector<ReadEvent> read;
        std::atomic<bool> stopping = false;
        Writers writers(stack, supplier.code, 16);
        std::thread loader([&] { load_and_retry(stack, supplier.code, stopping); });
        std::thread killer([&] { kill_at_random(playground, stopping); });
        std::exception_ptr failure;
        try {
            const auto until = std::chrono::steady_clock::now() + length_of_storm();
            while (std::chrono::steady_clock::now() < until) append(read, reader.read(100));
        } catch (...) {
            failure = std::current_exception();
        }
        stopping = true;
        killer.join();
        loader.join();
        writers.stop();
        if (failure) std::rethrow_exception(failure);
        append(read, reader.read_all());
        CPPUNIT_ASSERT_MESSAGE("nothing was committed", writers.committed() > 50);
        CPPUNIT_ASSERT_MESSAGE("nothing was killed", writers.broken() > 0);
        AdminSession database = playground.database();
        CPPUNIT_ASSERT(histories_in(database, supplier.code) == histories_in(read));
        CPPUNIT_ASSERT_MESSAGE("what was read before stands elsewhere",
                               EventReader(stack, supplier.code, supplier.token).read_all() == read);
        std::set<std::string> ids;
        for (const ReadEvent& event : read) ids.insert(event.id);
        CPPUNIT_ASSERT_EQUAL(read.size(), ids.size());
    }

private:
    static EventReader reader(const EventfulSupplier& supplier) {
        return {world().stack(), supplier.code, supplier.token};
    }

    static void append(std::vector<ReadEvent>& events, const std::vector<ReadEvent>& more) {
        events.insert(events.end(), more.begin(), more.end());
    }

    static void move(const std::string& function, const std::string& supplier, const std::string& account) {
        world().database().rows("SELECT data_import." + function + "($1, $2)", {supplier, account});
    }

    static void load(const std::string& supplier, const std::string& prefix, int accounts) {
        const std::filesystem::path file = world().directory() / (supplier + ".csv");
        write_staged(file, prefix, accounts);
        run_ctl(world().stack(), "account load " + supplier + ' ' + file.string());
    }

    static void make_old(const std::string& supplier) {
        world().database().rows(
            "UPDATE data_import.event SET at = at - interval '31 days' WHERE import_supplier = $1",
            {supplier});
    }

    static void keep_events(const std::string& supplier) {
        world().database().rows("SELECT data_import.number_events($1, 1000)", {supplier});
        world().database().rows("SELECT data_import.settle_open_accounts(1000)");
        world().database().rows("SELECT data_import.expire_events($1, now() - interval '30 days', 1)",
                                {supplier});
        world().database().rows("SELECT data_import.keep_events(30, 1000)");
    }

    static void check_refusal(const EventReader& reader, const std::string& code) {
        const Answer answer = reader.ask_for(10);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 400, answer.status);
        const ErrorBody body = parse_error_body(answer.body);
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, body.errors.size());
        CPPUNIT_ASSERT_EQUAL(std::string("after"), body.errors[0].attr);
        CPPUNIT_ASSERT_EQUAL(code, body.errors[0].code);
    }

    static void check_against_histories(const std::string& supplier, const std::vector<ReadEvent>& events) {
        CPPUNIT_ASSERT(histories_in(world().database(), supplier) == histories_in(events));
    }

    /// Loads new accounts, 1500 at a time, and makes the supplier's failed accounts staged again. Repeats
    /// both until `stopping` is true. Meanwhile the Writers of the test move accounts of the same supplier.
    static void load_and_retry(const Stack& stack, const std::string& supplier,
                               const std::atomic<bool>& stopping) {
        const std::filesystem::path file = world().directory() / "storm.csv";
        for (int round = 0; !stopping; ++round) {
            try {
                write_staged(file, "loaded-" + std::to_string(round) + "-", 1500);
                run_ctl(stack, "account load " + supplier + ' ' + file.string());
                run_ctl(stack, "account retry " + supplier);
            } catch (const std::runtime_error&) {
                // the command was the victim of a deadlock
            }
            std::this_thread::sleep_for(300ms);
        }
    }

    static void kill_at_random(Playground& playground, const std::atomic<bool>& stopping) {
        std::mt19937 random(1);
        AdminSession session = playground.database();
        while (!stopping) {
            std::this_thread::sleep_for(std::chrono::milliseconds(50 + random() % 300));
            session.rows(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name = 'event-writer' OR usename = 'data-import' ORDER BY random() LIMIT "
                "2");
            const std::vector<pid_t> workers = playground.workers();
            if (random() % 4 == 0 && !workers.empty()) kill(workers[random() % workers.size()], SIGKILL);
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(EventsTest);

}  // namespace data_import::tests

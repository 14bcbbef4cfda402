// Listings of a supplier with 200,000 accounts: whole, in order, in bounded memory, and never cut unnoticed.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <Poco/Exception.h>

#include <atomic>
#include <fstream>
#include <future>
#include <thread>

#include "../../support/answer_check.h"
#include "../../support/json_match.h"
#include "../../support/load.h"
#include "../../support/processes.h"
#include "../../support/world.h"

namespace data_import::tests {

namespace {

constexpr int accounts = 200'000;
constexpr long most_memory_in_kilobytes = 32 * 1024;

/// A supplier with many accounts, every third of them imported.
struct ManyAccounts {
    std::string supplier;
    std::string token;
};

void write_accounts(const std::filesystem::path& file) {
    std::ofstream stream(file);
    stream << "external_account_number,state,service_account_number,account_created_at,statement_from,"
              "statement_to\n";
    for (int number = accounts; number > 0; --number) {
        const std::string digits = std::to_string(1'000'000 + number);
        stream << "account-" << digits
               << (number % 3 == 0 ? ",imported,,2024-01-01T00:00:00Z,," : ",staged,,,,") << '\n';
    }
}

const ManyAccounts& many_accounts() {
    static const ManyAccounts made = [] {
        World& world = tests::world();
        ManyAccounts many{world.take_fresh(), ""};
        run_ctl(world.stack(), "supplier create " + many.supplier + " --name Many");
        write_accounts(world.directory() / "many.csv");
        run_ctl(world.stack(),
                "account load " + many.supplier + ' ' + (world.directory() / "many.csv").string());
        many.token = token_for(world.stack(), "Many " + many.supplier, many.supplier);
        return many;
    }();
    return made;
}

HttpRequest listing_request(const std::string& kind) {
    return get_request(
        "/v1/data-import/" + kind + "-account-import-processes/" + many_accounts().supplier + '/',
        many_accounts().token);
}

/// The account numbers of a listing, found by searching for their key, because parsing 200,000 objects would
/// take longer than the service.
std::vector<std::string_view> numbers_in(const std::string& body) {
    constexpr std::string_view key = R"("external_account_number":")";
    std::vector<std::string_view> numbers;
    for (std::size_t at = body.find(key); at != std::string::npos; at = body.find(key, at)) {
        at += key.size();
        numbers.push_back(std::string_view(body).substr(at, body.find('"', at) - at));
    }
    return numbers;
}

/// Measures the largest memory of any worker of the stack, in kB, until stop().
class MemoryWatch {
public:
    explicit MemoryWatch(pid_t master) : thread_([this, master] { watch(master); }) {}
    ~MemoryWatch() { stop(); }
    MemoryWatch(const MemoryWatch&) = delete;
    MemoryWatch& operator=(const MemoryWatch&) = delete;

    long stop() {
        stopping_ = true;
        if (thread_.joinable()) thread_.join();
        return largest_;
    }

private:
    void watch(pid_t master) {
        while (!stopping_) {
            for (const pid_t worker : children_of(master))
                largest_ = std::max(largest_, memory_of(worker, "RssAnon"));
            std::this_thread::sleep_for(2ms);
        }
    }

    std::atomic<bool> stopping_ = false;
    long largest_ = 0;
    std::thread thread_;
};

}  // namespace

class LongListingTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(LongListingTest);
    CPPUNIT_TEST(it_arrives_whole_and_in_order_in_bounded_memory);
    CPPUNIT_TEST(pending_and_imported_make_up_all);
    CPPUNIT_TEST(clients_that_do_not_read_hold_no_worker);
    CPPUNIT_TEST(clients_that_leave_midway_harm_nobody);
    CPPUNIT_TEST(a_session_killed_midway_is_not_mistaken_for_the_end);
    CPPUNIT_TEST(its_accounts_go_again);
    CPPUNIT_TEST_SUITE_END();

public:
    void it_arrives_whole_and_in_order_in_bounded_memory() {
        const HttpRequest request = listing_request("all");
        MemoryWatch watch(world().stack().pid("MASTER_PID"));
        const Answer answer = ask(world().stack(), request);
        const long memory = watch.stop();
        CPPUNIT_ASSERT_EQUAL(200, answer.status);
        check_any_answer(answer);
        check_numbers(answer.body, accounts);
        CPPUNIT_ASSERT_EQUAL('[', answer.body.front());
        CPPUNIT_ASSERT_EQUAL(']', answer.body.back());
        CPPUNIT_ASSERT_MESSAGE(std::to_string(memory) + " kB",
                               is_memory_below(memory, most_memory_in_kilobytes));
    }

    void pending_and_imported_make_up_all() {
        check_numbers(ask(world().stack(), listing_request("pending")).body, accounts - accounts / 3);
        check_numbers(ask(world().stack(), listing_request("imported")).body, accounts / 3);
    }

    /// There are more clients that do not read than workers for listings. Still no worker is held, because
    /// nginx buffers what the workers write.
    void clients_that_do_not_read_hold_no_worker() {
        std::vector<HttpConnection> clients;
        const std::string bytes = to_bytes(listing_request("all"));
        for (int count = 0; count < 4; ++count) {
            clients.emplace_back(world().stack().port(), world().stack().value("CA_FILE"));
            clients.back().send(bytes);
        }
        const auto start = std::chrono::steady_clock::now();
        const HttpRequest request =
            get_request("/v1/data-import/all-account-import-processes/EMPTY/", *world().shared("token"));
        CPPUNIT_ASSERT_EQUAL(200, ask(world().stack(), request).status);
        CPPUNIT_ASSERT(std::chrono::steady_clock::now() - start < 15s);
        const Answer late = clients.front().receive();
        CPPUNIT_ASSERT(late.complete);
        check_numbers(late.body, accounts);
    }

    void clients_that_leave_midway_harm_nobody() {
        const std::string bytes = to_bytes(listing_request("all"));
        for (int count = 0; count < 6; ++count) {
            HttpConnection client(world().stack().port(), world().stack().value("CA_FILE"));
            client.send(bytes);
            char first = 0;
            CPPUNIT_ASSERT_EQUAL(1, client.socket().receiveBytes(&first, 1));
        }
        const HttpRequest request = listing_request("imported");
        for (int count = 0; count < 6; ++count) {
            const Answer answer = ask(world().stack(), request);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 200, answer.status);
            check_numbers(answer.body, accounts / 3);
        }
    }

    void a_session_killed_midway_is_not_mistaken_for_the_end() {
        const HttpRequest request = listing_request("all");
        int cut = 0;
        for (int round = 0; round < 20 && cut < 2; ++round) {
            std::future<Answer> client =
                std::async(std::launch::async, [&] { return ask(world().stack(), request); });
            // the service repeats a listing in another session if no row has been sent yet; the loop goes on
            // in order to kill that session, too
            bool killed = false;
            while (client.wait_for(1ms) != std::future_status::ready) killed |= kill_listing_session();
            const Answer answer = client.get();
            if (answer.status == 200 && answer.complete) {
                check_numbers(answer.body, accounts);  // a complete answer must have all accounts
            } else {
                CPPUNIT_ASSERT_MESSAGE("cut without a cause", killed);
                CPPUNIT_ASSERT_MESSAGE(shown(answer), answer.status == 200 || answer.status == 503);
                ++cut;
            }
        }
        CPPUNIT_ASSERT_MESSAGE("no session was killed in time", cut > 0);
    }

    /// Removes the accounts. Some tests look at all rows before and after each of their requests; with these
    /// accounts, that would take seconds for each request.
    void its_accounts_go_again() {
        AdminSession& database = world().database();
        const std::string& supplier = many_accounts().supplier;
        for (const std::string table : {"account_step", "service_account_number"})
            database.rows("DELETE FROM data_import." + table +
                              " WHERE account_key IN (SELECT account_key FROM data_import.account WHERE "
                              "import_supplier = $1)",
                          {supplier});
        database.rows("DELETE FROM data_import.account WHERE import_supplier = $1", {supplier});
        CPPUNIT_ASSERT_EQUAL(
            0L, database.count("SELECT count(*) FROM data_import.account WHERE import_supplier = $1",
                               {supplier}));
    }

private:
    /// Kills the session of a listing, which is found by its application name.
    static bool kill_listing_session() {
        return world().database().count(
                   "SELECT count(*) FILTER (WHERE pg_terminate_backend(pid)) FROM pg_stat_activity "
                   "WHERE application_name ~ '^data-importd-listing [0-9a-f]{32}$' AND state = 'active'") > 0;
    }

    static void check_numbers(const std::string& body, int count) {
        const std::vector<std::string_view> numbers = numbers_in(body);
        CPPUNIT_ASSERT_EQUAL(static_cast<std::size_t>(count), numbers.size());
        for (std::size_t index = 1; index < numbers.size(); ++index) {
            if (numbers[index - 1] >= numbers[index])
                CPPUNIT_FAIL("not in order at " + std::string(numbers[index]));
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(LongListingTest);

}  // namespace data_import::tests

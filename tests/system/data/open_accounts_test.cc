// Figures of accounts that the database has without a scan: the numbers of accounts by supplier and state,
// and the open accounts.
#include <cppunit/extensions/HelperMacros.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <thread>

#include "../../runner.h"
#include "../../support/account_figures.h"
#include "../../support/world.h"

namespace data_import::tests {

namespace {

std::string joined(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& sentence : sentences) text += sentence + '\n';
    return text;
}

/// Threads, each with a database session of its own, that call `act` again and again until the destructor
/// stops them. If the database refuses a step in a call, the thread goes on with the next call.
class Sessions {
public:
    Sessions(int count, std::function<void(AdminSession&, std::mt19937&)> act) : act_(std::move(act)) {
        for (int number = 0; number < count; ++number)
            threads_.emplace_back([this, number] { run(static_cast<unsigned>(number)); });
    }
    ~Sessions() {
        stopping_ = true;
        for (std::thread& thread : threads_) thread.join();
    }
    Sessions(const Sessions&) = delete;
    Sessions& operator=(const Sessions&) = delete;
    [[nodiscard]] long done() const { return done_; }

private:
    void run(unsigned seed) {
        std::mt19937 random(seed);
        AdminSession session(world().stack().value("DATABASE_URL"));
        while (!stopping_) {
            try {
                act_(session, random);
                ++done_;
            } catch (const std::runtime_error&) {
                // the database has refused a step that the account's state does not allow
            }
        }
    }

    std::function<void(AdminSession&, std::mt19937&)> act_;
    std::atomic<bool> stopping_ = false;
    std::atomic<long> done_ = 0;
    std::vector<std::thread> threads_;
};

}  // namespace

class OpenAccountsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(OpenAccountsTest);
    CPPUNIT_TEST(figures_are_those_of_a_scan_before_and_behind_housekeeping);
    CPPUNIT_TEST(figures_are_those_of_a_scan_while_16_sessions_move_accounts);
    CPPUNIT_TEST(events_of_open_accounts_stay_until_they_are_settled);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override {
        code_ = world().take_fresh();
        run_ctl(world().stack(), "supplier create " + code_ + " --name Open");
    }

    void figures_are_those_of_a_scan_before_and_behind_housekeeping() {
        AdminSession& database = world().database();
        load({"staged", "in_progress", "failed", "imported", "staged", "failed"});
        check();
        for (const char* step :
             {"account_begin($1, '1')", "account_fail($1, '2', 'why')", "account_begin($1, '3')",
              "account_fail($1, '1', 'once')", "account_complete($1, '3')", "account_erase($1, '6')",
              "account_stage($1, '2')", "account_fail($1, '1', 'once')", "account_stage($1, '6', true)",
              "account_begin($1, '6')"}) {
            database.rows("SELECT data_import." + std::string(step), {code_});
            check();
            settle(1);
            check();
        }
        CPPUNIT_ASSERT_EQUAL(std::string("6"), database.value(oldest_in_progress, {code_}));
        settle(1000);
        CPPUNIT_ASSERT_EQUAL(2L, settled());
        database.rows("SELECT data_import.account_fail($1, '6', 'a planted word')", {code_});
        settle(1000);
        database.rows("SELECT data_import.account_erase($1, '6')", {code_});
        CPPUNIT_ASSERT_EQUAL(1L, settled());
        settle(1000);
        CPPUNIT_ASSERT_EQUAL(1L, settled());
        check();
    }

    void figures_are_those_of_a_scan_while_16_sessions_move_accounts() {
        const std::vector<const char*> steps = {
            "account_stage($1, $2)",       "account_begin($1, $2)", "account_fail($1, $2, 'why')",
            "account_begin($1, $2)",       "account_erase($1, $2)", "account_fail($1, $2, 'why else')",
            "account_stage($1, $2, true)", "account_begin($1, $2)", "account_complete($1, $2)"};
        const Sessions writers(16, [&](AdminSession& session, std::mt19937& random) {
            session.rows("SELECT data_import." + std::string(steps[random() % steps.size()]),
                         {code_, std::to_string(random() % 100)});
        });
        const Sessions housekeeping(2, [&](AdminSession& session, std::mt19937& random) {
            session.rows("SELECT data_import.housekeeping(30, 30, interval '1 day', $1::integer)",
                         {std::to_string(1 + random() % 50)});
        });
        constexpr long least_steps = 2000;
        constexpr long least_rounds = 50;
        const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
        for (int looks = 0; looks < 40 || writers.done() < least_steps || housekeeping.done() < least_rounds;
             ++looks) {
            check();
            CPPUNIT_ASSERT_MESSAGE("the sessions get nothing done", std::chrono::steady_clock::now() < end);
        }
    }

    void events_of_open_accounts_stay_until_they_are_settled() {
        AdminSession& database = world().database();
        load({"failed"});
        const std::string expire = "SELECT data_import.expire_events($1, now() + interval '1 day', 1000)";
        begin_alone();
        database.rows("SELECT data_import.number_events($1, 1000)", {code_});
        database.rows("UPDATE data_import.event_feed SET settled_place = 0 WHERE import_supplier = $1",
                      {code_});
        const long expired = database.count(expire, {code_});
        database.rows("COMMIT");
        CPPUNIT_ASSERT_EQUAL(0L, expired);
        settle(1000);
        CPPUNIT_ASSERT_EQUAL(1L, database.count(expire, {code_}));
        CPPUNIT_ASSERT_EQUAL(1L, settled());
        check();
    }

private:
    static constexpr const char* oldest_in_progress =
        "SELECT external_account_number FROM data_import.open_accounts(ARRAY[$1], 'in_progress', 1)";

    /// Makes accounts 1, 2, ... in these states.
    void load(const std::vector<std::string>& states) {
        const std::filesystem::path file = world().directory() / (code_ + ".csv");
        std::ofstream text(file);
        text << "external_account_number,state,service_account_number,account_created_at,statement_from,"
                "statement_to\n";
        for (std::size_t number = 1; number <= states.size(); ++number)
            text << number << ',' << states[number - 1] << ",,,,\n";
        text.close();
        run_ctl(world().stack(), "account load " + code_ + ' ' + file.string());
    }

    void check() {
        CPPUNIT_ASSERT_EQUAL(std::string(), joined(wrong_account_figures(world().database(), code_)));
    }

    /// Begins a transaction with the lock of housekeeping, so that the service runs none meanwhile.
    static void begin_alone() {
        world().database().rows("BEGIN");
        world().database().rows("SELECT pg_advisory_xact_lock(data_import.lock_number('housekeeping', ''))");
    }

    void settle(int most) {
        begin_alone();
        world().database().rows("SELECT data_import.number_events($1, 1000)", {code_});
        world().database().rows("SELECT data_import.settle_open_accounts($1::integer)",
                                {std::to_string(most)});
        world().database().rows("COMMIT");
    }

    long settled() {
        return world().database().count(
            "SELECT count(*) FROM data_import.open_account WHERE import_supplier = $1", {code_});
    }

    std::string code_;
};

CPPUNIT_TEST_SUITE_REGISTRATION(OpenAccountsTest);

}  // namespace data_import::tests

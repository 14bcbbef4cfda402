// The platform's software begins many accounts at once, in several sessions (platform.begin_accounts).
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../support/world.h"

namespace data_import::tests {

namespace {

std::vector<std::string> begin(AdminSession& session, const std::string& supplier, const std::string& most) {
    std::vector<std::string> numbers;
    for (const auto& row : session.rows("SELECT external_account_number FROM platform.begin_accounts($1, $2)",
                                        {supplier, most}))
        numbers.push_back(row.at(0));
    return numbers;
}

std::string sqlstate_of(AdminSession& session, const std::string& supplier, const std::string& most) {
    const std::string of_call = "DO $do$ BEGIN PERFORM platform.begin_accounts('" + supplier + "', " + most +
                                "); EXCEPTION WHEN OTHERS THEN RAISE EXCEPTION 'state %', SQLSTATE; END $do$";
    try {
        session.rows(of_call);
    } catch (const std::runtime_error& failure) {
        const std::string text = failure.what();
        const std::size_t at = text.find("state ");
        return at == std::string::npos ? text : text.substr(at + 6, 5);
    }
    return "";
}

}  // namespace

class BeginAccountsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(BeginAccountsTest);
    CPPUNIT_TEST(the_oldest_come_first_and_each_once);
    CPPUNIT_TEST(sessions_get_different_accounts_and_do_not_wait);
    CPPUNIT_TEST(what_was_rolled_back_is_staged);
    CPPUNIT_TEST(one_call_begins_a_thousand_at_most);
    CPPUNIT_TEST(bad_calls_are_refused);
    CPPUNIT_TEST(single_steps_have_names_in_the_schema);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override {
        supplier_ = world().take_fresh();
        run_ctl(world().stack(), "supplier create " + supplier_ + " --name Begun");
    }

    void the_oldest_come_first_and_each_once() {
        for (const char* number : {"c", "a", "b"}) stage(number);
        CPPUNIT_ASSERT(begin(world().database(), supplier_, "2") == (std::vector<std::string>{"c", "a"}));
        world().database().rows("SELECT platform.fail_account($1, 'c', 'no meter')", {supplier_});
        stage("c");
        CPPUNIT_ASSERT(begin(world().database(), supplier_, "10") == (std::vector<std::string>{"b", "c"}));
        CPPUNIT_ASSERT(begin(world().database(), supplier_, "10").empty());
        CPPUNIT_ASSERT_EQUAL(
            3L, world().database().count("SELECT count(*) FROM platform.account WHERE import_supplier = $1 "
                                         "AND state = 'in_progress'",
                                         {supplier_}));
    }

    void sessions_get_different_accounts_and_do_not_wait() {
        stage_many(40);
        std::vector<std::unique_ptr<AdminSession>> sessions;
        std::set<std::string> begun;
        for (int number = 0; number < 4; ++number) {
            sessions.push_back(std::make_unique<AdminSession>(world().stack().value("DATABASE_URL")));
            sessions.back()->rows("SET statement_timeout = '5s'");
            sessions.back()->rows("BEGIN");
            const auto numbers = begin(*sessions.back(), supplier_, "10");
            CPPUNIT_ASSERT_EQUAL(std::size_t{10}, numbers.size());
            begun.insert(numbers.begin(), numbers.end());
        }
        CPPUNIT_ASSERT_EQUAL(std::size_t{40}, begun.size());
        for (const auto& session : sessions) session->rows("COMMIT");
        CPPUNIT_ASSERT(begin(world().database(), supplier_, "10").empty());
    }

    void what_was_rolled_back_is_staged() {
        stage("1");
        AdminSession session(world().stack().value("DATABASE_URL"));
        session.rows("BEGIN");
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, begin(session, supplier_, "1").size());
        CPPUNIT_ASSERT(begin(world().database(), supplier_, "1").empty());
        session.rows("ROLLBACK");
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, begin(world().database(), supplier_, "1").size());
    }

    void one_call_begins_a_thousand_at_most() {
        stage_many(1001);
        CPPUNIT_ASSERT_EQUAL(std::size_t{1000}, begin(world().database(), supplier_, "10000").size());
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, begin(world().database(), supplier_, "10000").size());
    }

    void bad_calls_are_refused() {
        AdminSession& session = world().database();
        for (const char* most : {"0", "-1", "10001", "NULL"})
            CPPUNIT_ASSERT_EQUAL(std::string("DI012"), sqlstate_of(session, supplier_, most));
        CPPUNIT_ASSERT_EQUAL(std::string("DI001"), sqlstate_of(session, "NOBODY", "1"));
        run_ctl(world().stack(), "supplier set " + supplier_ + " --status Paused");
        CPPUNIT_ASSERT_EQUAL(std::string("DI002"), sqlstate_of(session, supplier_, "1"));
    }

    void single_steps_have_names_in_the_schema() {
        AdminSession& session = world().database();
        const auto answer = [&](const std::string& step) {
            return session.value("SELECT platform." + step, {supplier_});
        };
        CPPUNIT_ASSERT_EQUAL(std::string("t"), answer("stage_account($1, '1')"));
        begin(session, supplier_, "1");
        CPPUNIT_ASSERT_EQUAL(
            std::string("A-BEGUN"),
            answer("complete_account($1, '1', 'A-BEGUN', now(), '2024-05-01', '2024-05-31')"));
        CPPUNIT_ASSERT_EQUAL(std::string("t"), answer("open_statement($1, '1', '2024-06-01', '2024-06-30')"));
        CPPUNIT_ASSERT_EQUAL(std::string("t"), answer("close_statement($1, '1')"));
        CPPUNIT_ASSERT_EQUAL(std::string("f"), answer("close_statement($1, '1')"));
    }

private:
    void stage(const std::string& number) {
        world().database().rows("SELECT platform.stage_account($1, $2)", {supplier_, number});
    }
    void stage_many(int count) {
        world().database().rows(
            "SELECT platform.stage_account($1, 'N' || number) FROM generate_series(1, $2::integer) AS number",
            {supplier_, std::to_string(count)});
    }

    std::string supplier_;
};

CPPUNIT_TEST_SUITE_REGISTRATION(BeginAccountsTest);

}  // namespace data_import::tests

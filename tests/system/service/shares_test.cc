// Shares of organisations in a pool that all of them want to use.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <Poco/Exception.h>

#include <deque>
#include <thread>

#include "../../support/answer_check.h"
#include "../../support/json_match.h"
#include "../../support/playground.h"
#include "../../support/processes.h"
#include "../../support/world.h"

namespace data_import::tests {

class SharesSystemTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(SharesSystemTest);
    CPPUNIT_TEST(alone_an_organisation_may_use_everything);
    CPPUNIT_TEST(a_small_demand_is_met_beside_a_large_one);
    CPPUNIT_TEST(nobody_is_refused_among_many_that_want_their_share);
    CPPUNIT_TEST(a_long_body_beyond_the_share_is_refused_unread);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override {
        playground().prepare();
        playground().configure({"access_refresh = 1", "import_workers = 4", "import_workers_at_once = 1",
                                "batch_bytes = 256KiB"},
                               4);
    }

    void alone_an_organisation_may_use_everything() {
        playground().forget_demands();
        Load greedy(*playground().stack(), much());
        wait_for_answers(greedy, 200);
        greedy.stop();
        CPPUNIT_ASSERT_EQUAL_MESSAGE(greedy.examples(), 0, greedy.failed());
        playground().check_stored(greedy, true);
    }

    /// Only the organisation with too many requests is refused. While this organisation has fewer than 16
    /// requests in flight, a further request beyond its share waits; otherwise the further request is
    /// refused. Nothing of a refused request is stored.
    void a_small_demand_is_met_beside_a_large_one() {
        const Load::Options little = other_organisation();
        Load modest(*playground().stack(), little);
        wait_for_answers(modest, 5);
        Load greedy(*playground().stack(), much(24));
        wait_for_answers(greedy, 400);
        wait_for_answers(modest, 50);
        greedy.stop();
        modest.stop();
        CPPUNIT_ASSERT_EQUAL_MESSAGE(modest.examples(), 0, modest.failed());
        CPPUNIT_ASSERT_MESSAGE("nothing was refused", greedy.failed() > 0);
        for (const auto& [status, count] : greedy.failures())
            CPPUNIT_ASSERT_EQUAL_MESSAGE(greedy.examples(), 429, status);
        CPPUNIT_ASSERT_MESSAGE(greedy.examples(), greedy.examples().find("Retry-After") != std::string::npos);
        playground().check_stored(greedy, true);
    }

    /// Six organisations with 16 connections each wait for their turn, and nobody is refused.
    void nobody_is_refused_among_many_that_want_their_share() {
        std::deque<Load> loads;
        for (int number = 0; number < 6; ++number) {
            Load::Options options = organisation(number);
            options.clients = 16;
            options.padding = 20'000;
            loads.emplace_back(*playground().stack(), options);
        }
        for (const Load& load : loads) wait_for_answers(load, 200);
        for (Load& load : loads) load.stop();
        AdminSession session = playground().database();
        for (int number = 0; number < 6; ++number) {
            const Load& load = loads[static_cast<std::size_t>(number)];
            const std::string name = name_of(number);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(load.examples(), 0, load.failed());
            CPPUNIT_ASSERT_EQUAL(static_cast<long>(load.acknowledged().size()),
                                 session.count("SELECT count(*) FROM data_import.note WHERE account_key = "
                                               "data_import.account_key($1, $2)",
                                               {name, name + "-00001"}));
        }
    }

    /// While the only worker for long bodies is at work, another organisation sends a long body.
    void a_long_body_beyond_the_share_is_refused_unread() {
        const Load::Options other = other_organisation();
        AdminSession holder = playground().database();
        holder.rows("BEGIN");
        holder.rows("LOCK TABLE data_import.note IN SHARE ROW EXCLUSIVE MODE");
        const Stack& stack = *playground().stack();
        const std::string text(60'000, 'x');
        const auto long_request = [&](const std::string& token, const std::string& supplier,
                                      const std::string& account) {
            return notes_request(token, supplier, account, {{"1" + text}, {"2" + text}});
        };
        HttpConnection first(stack.port(), stack.value("CA_FILE"));
        first.send(to_bytes(long_request(playground().token(), "ACME", playground().account())));
        const bool waits = wait_until(
            [&] {
                return holder.count(
                           "SELECT count(*) FROM pg_locks WHERE locktype = 'relation' AND NOT granted") > 0;
            },
            60s);
        HttpConnection others(stack.port(), stack.value("CA_FILE"));
        others.send(to_bytes(long_request(other.token, "MODEST", other.account)));
        Answer refused;
        const bool is_refused = wait_until(
            [&] {
                // renews the demand of the other organisation, which lasts two seconds
                HttpConnection again(stack.port(), stack.value("CA_FILE"));
                again.send(to_bytes(long_request(other.token, "MODEST", other.account)));
                HttpConnection second(stack.port(), stack.value("CA_FILE"));
                HttpRequest request = long_request(playground().token(), "ACME", playground().account());
                request.headers.emplace_back("Content-Length", std::to_string(request.body.size()));
                request.body.clear();
                second.send(to_bytes(request));
                second.set_timeout(2s);
                try {
                    refused = second.receive();
                } catch (const Poco::Exception&) {
                    return false;
                }
                return refused.status == 429;
            },
            10s);
        const Answer payment = ask(stack, chunked_payment_request());
        holder.rows("COMMIT");
        CPPUNIT_ASSERT(waits);
        CPPUNIT_ASSERT_EQUAL_MESSAGE("the vendors' pool is free: " + shown(payment), 400, payment.status);
        CPPUNIT_ASSERT(wait_until([] { return refusals_counted() > 0; }, 20s));
        CPPUNIT_ASSERT_MESSAGE(shown(refused), is_refused);
        check_any_answer(refused);
        CPPUNIT_ASSERT_EQUAL(std::string("throttled"), parse_error_body(refused.body).code);
        CPPUNIT_ASSERT_EQUAL(201, first.receive().status);
        CPPUNIT_ASSERT_EQUAL(201, others.receive().status);
    }

private:
    static Load::Options much(int clients = 16) {
        Load::Options options = playground().load(clients, false);
        options.padding = 30'000;
        return options;
    }

    static Load::Options other_organisation() {
        AdminSession session = playground().database();
        if (session.count("SELECT count(*) FROM data_import.import_supplier WHERE code = 'MODEST'") == 0) {
            run_ctl(*playground().stack(), "supplier create MODEST --name Modest");
            import_accounts(session, "MODEST", "M-", 1);
        }
        return {.token = token_for(*playground().stack(), "Modest", "MODEST"),
                .supplier = "MODEST",
                .account = "M-00001",
                .clients = 2};
    }

    static std::string name_of(int number) { return "SHARER" + std::to_string(number); }

    /// Returns the options of a Load for the organisation `number`, one of several. The Load imports into an
    /// account that no other Load uses. Makes the supplier of the organisation and this account if they are
    /// not there yet.
    static Load::Options organisation(int number) {
        const std::string name = name_of(number);
        AdminSession session = playground().database();
        if (session.count("SELECT count(*) FROM data_import.import_supplier WHERE code = $1", {name}) == 0) {
            run_ctl(*playground().stack(), "supplier create " + name + " --name " + name);
            import_accounts(session, name, name + "-", 1);
        }
        return {.token = token_for(*playground().stack(), name, name),
                .supplier = name,
                .account = name + "-00001"};
    }

    /// A request of unknown length, whose content does not matter.
    static HttpRequest chunked_payment_request() {
        return {"POST",
                "/v1/data-import/payment-instruction/create/",
                {{"Host", "localhost"},
                 {"Content-Type", "application/json"},
                 {"Authorization", "Token " + playground().token()},
                 {"Transfer-Encoding", "chunked"}},
                "2\r\n{}\r\n0\r\n\r\n"};
    }

    /// Returns how many requests for the pool `bulk`, which also takes long bodies, were refused because they
    /// were beyond their organisation's share, according to the metric.
    static long refusals_counted() {
        const std::string metrics = run_ctl(*playground().stack(), "metrics");
        const std::string name = "data_import_requests_beyond_share_total{pool=\"bulk\"} ";
        const std::size_t at = metrics.find(name);
        return at == std::string::npos ? 0 : std::stol(metrics.substr(at + name.size()));
    }

    static void wait_for_answers(const Load& load, int more) {
        const int enough = load.answered() + more;
        CPPUNIT_ASSERT(wait_until([&] { return load.answered() >= enough; }, 60s));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(SharesSystemTest);

}  // namespace data_import::tests

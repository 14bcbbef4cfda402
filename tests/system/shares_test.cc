// What organisations get of a pool that all of them want to use.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <thread>

#include "answer_check.h"
#include "json_match.h"
#include "playground.h"
#include "processes.h"
#include "world.h"

namespace data_import::tests {

class SharesSystemTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(SharesSystemTest);
    CPPUNIT_TEST(alone_an_organisation_may_use_everything);
    CPPUNIT_TEST(who_wants_little_gets_it_beside_one_who_wants_all);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override {
        playground().prepare();
        playground().configure(
            {"access_refresh = 1", "import_workers = 4", "import_workers_at_once = 1", "batch_bytes = 64KiB"},
            4);
    }

    void alone_an_organisation_may_use_everything() {
        std::this_thread::sleep_for(2100ms);  // the wishes of tests before are forgotten
        Load greedy(*playground().stack(), much());
        wait_for_answers(greedy, 200);
        greedy.stop();
        CPPUNIT_ASSERT_EQUAL_MESSAGE(greedy.examples(), 0, greedy.failed());
        playground().check_stored(greedy, true);
    }

    /// Refused is only the one that wants more than its share, and nothing of that is stored.
    void who_wants_little_gets_it_beside_one_who_wants_all() {
        const Load::Options little = other_organisation();
        Load modest(*playground().stack(), little);
        wait_for_answers(modest, 5);
        Load greedy(*playground().stack(), much());
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

private:
    static Playground& playground() { return Playground::shared(); }

    static Load::Options much() {
        Load::Options options = playground().load(16, false);
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

    static void wait_for_answers(const Load& load, int more) {
        const int enough = load.answered() + more;
        CPPUNIT_ASSERT(wait_until([&] { return load.answered() >= enough; }, 60s));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(SharesSystemTest);

}  // namespace data_import::tests

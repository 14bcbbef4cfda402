// Tokens that lose their rights while they are used.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include "../../support/at_once.h"
#include "../../support/load.h"
#include "../../support/processes.h"
#include "../../support/world.h"

namespace data_import::tests {

class LostRightsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(LostRightsTest);
    CPPUNIT_TEST(a_revoked_key_and_a_changed_scope_take_effect_within_10_seconds);
    CPPUNIT_TEST_SUITE_END();

public:
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
        // asks all workers, not only the one that answered, because each checks by itself
        std::this_thread::sleep_until(deadline);
        for (const int status : statuses_at_once(revoked)) CPPUNIT_ASSERT_EQUAL(401, status);
        for (const int status : statuses_at_once(narrowed)) CPPUNIT_ASSERT_EQUAL(404, status);
    }

private:
    static HttpRequest status_request(const std::string& bearer) {
        return get_request("/v1/data-import/account-transfer-status/EMPTY/none/", bearer);
    }

    /// The status is 200 if the token is valid and its scope has the supplier EMPTY.
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

CPPUNIT_TEST_SUITE_REGISTRATION(LostRightsTest);

}  // namespace data_import::tests

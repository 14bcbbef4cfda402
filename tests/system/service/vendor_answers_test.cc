// The answer to a payment instruction for each way in which a vendor behaves. tests/vendor/README.md says
// what the names of these ways mean. tests/unit/data/vendor_client_test.cc tests the meaning of single
// statuses and bodies.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "../../support/answer_check.h"
#include "../../support/json_match.h"
#include "../../support/load.h"
#include "../../support/vendor_requests.h"
#include "../../support/vendor_simulator.h"
#include "../../support/world.h"
#include "../../table.h"

namespace data_import::tests {

namespace {

struct Row {
    std::string vendor;
    std::string outcome;  ///< 201, or the code of the refusal
    long calls;           ///< requests that reach the vendor
    std::optional<long> connections = {};
    std::string type = "CARD";
};

const std::vector<Row> rows = {
    // the vendor confirms the instruction
    {"good", "201", 1},
    {"chunked", "201", 1},
    {"until_close", "201", 1},
    {"slow", "201", 1},
    {"flaky", "201", 2},
    {"flaky_resets", "201", 2},
    {"behind_proxy", "201", 1},
    {"good", "201", 1, {}, "DIRECT_DEBIT"},
    {"interim", "201", 1},
    // the vendor has no active instruction with this `reference`, so the client has to correct the field
    {"status_404", "vendor_rejected", 1},
    {"inactive", "vendor_rejected", 1},
    // temporary failures: the service repeats the call, then asks the client to repeat the request
    {"status_500", "vendor_intermittent", 2},
    {"status_503", "vendor_intermittent", 3},
    {"too_flaky", "vendor_intermittent", 2},
    {"closes", "vendor_intermittent", 2},
    {"resets", "vendor_intermittent", 2},
    {"resets_after_head", "vendor_intermittent", 2},
    {"resets_in_body", "vendor_intermittent", 2},
    {"cut_body", "vendor_intermittent", 2},
    {"cut_chunks", "vendor_intermittent", 2},
    {"cut_connection", "vendor_intermittent", 2},
    {"bad_chunks", "vendor_intermittent", 2},
    {"huge_body", "vendor_intermittent", 2},
    {"huge_length", "vendor_intermittent", 2},
    {"huge_head", "vendor_intermittent", 2},
    {"html", "vendor_intermittent", 2},
    {"no_http", "vendor_intermittent", 2},
    {"retry_soon", "vendor_intermittent", 2},
    {"connection_closes", "vendor_intermittent", 0, 2},
    {"connection_resets", "vendor_intermittent", 0, 2},
    {"connection_refused", "vendor_intermittent", 0, 0},
    {"proxy_refuses", "vendor_intermittent", 0, 2},
    {"status_204", "vendor_intermittent", 2},
    {"status_304", "vendor_intermittent", 2},
    // slow vendors: all attempts together have one second
    {"too_slow", "vendor_intermittent", 1},
    {"hangs", "vendor_intermittent", 1},
    {"hangs_in_body", "vendor_intermittent", 1},
    {"drips_head", "vendor_intermittent", 1},
    {"drips_body", "vendor_intermittent", 1},
    {"drips_chunks", "vendor_intermittent", 1},
    {"connect_hangs", "vendor_intermittent", 0},
    {"connection_hangs", "vendor_intermittent", 0},
    {"handshake_stalls", "vendor_intermittent", 0},
    {"handshake_drips", "vendor_intermittent", 0},
    {"proxy_hangs", "vendor_intermittent", 0},
    // lasting failures: the service connects to the vendor once, and asks the client not to try again
    {"status_401", "vendor_unavailable", 1},
    {"wrong_secret", "vendor_unavailable", 1},
    {"expired", "vendor_unavailable", 0, 1},
    {"not_yet_valid", "vendor_unavailable", 0, 1},
    {"wrong_name", "vendor_unavailable", 0, 1},
    {"unknown_authority", "vendor_unavailable", 0, 1},
    {"self_signed", "vendor_unavailable", 0, 1},
    {"old_tls", "vendor_unavailable", 0, 1},
    {"plain_http", "vendor_unavailable", 0, 1},
};

long stored_for(const std::string& account) {
    return world().database().count(
        "SELECT count(*) FROM data_import.payment_instruction "
        "WHERE account_key = data_import.account_key('ACME', $1)",
        {account});
}

void check_items(const Row& row, const Answer& answer) {
    if (row.outcome == "201") return;
    const ErrorBody body = parse_error_body(answer.body);
    CPPUNIT_ASSERT_EQUAL(std::size_t{row.outcome == "vendor_rejected" ? 1U : 0U}, body.errors.size());
    if (body.errors.empty()) return;
    CPPUNIT_ASSERT_EQUAL(std::string("reference does_not_exist"),
                         body.errors[0].attr + ' ' + body.errors[0].code);
}

void check(const Row& row) {
    const VendorSimulator simulator(world().stack());
    const std::string account = world().take_account("imported");
    const HttpRequest request = instruction_request(
        *world().shared("token"),
        {.account = account, .vendor = row.vendor, .reference = world().take_fresh(), .type = row.type});
    const VendorTotals before = simulator.totals();
    const auto begin = std::chrono::steady_clock::now();
    const Answer answer = ask(world().stack(), request);
    CPPUNIT_ASSERT(std::chrono::steady_clock::now() - begin < 15s);
    const VendorTotals after = simulator.totals();
    check_any_answer(answer);
    CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), row.outcome, outcome_of(answer));
    check_items(row, answer);
    CPPUNIT_ASSERT_EQUAL(row.calls, after.calls - before.calls);
    const long connections = after.connections - before.connections;
    CPPUNIT_ASSERT_EQUAL(row.connections.value_or(connections), connections);
    CPPUNIT_ASSERT_EQUAL(row.outcome == "201" ? 1L : 0L, stored_for(account));
}

}  // namespace

class VendorAnswersTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(VendorAnswersTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(a_pause_beyond_the_deadline_is_not_waited_for);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : rows)
            tests::add_row(context, row.vendor + ' ' + row.type, [&row] { check(row); });
    }

    void a_pause_beyond_the_deadline_is_not_waited_for() {
        const auto begin = std::chrono::steady_clock::now();
        check({"retry_late", "vendor_intermittent", 1});
        CPPUNIT_ASSERT(std::chrono::steady_clock::now() - begin < 2s);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(VendorAnswersTest);

}  // namespace data_import::tests

// A vendor that hangs, with many clients waiting for it: nobody else notices.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <memory>
#include <string>
#include <vector>

#include "../../support/answer_check.h"
#include "../../support/database.h"
#include "../../support/load.h"
#include "../../support/processes.h"
#include "../../support/vendor_requests.h"
#include "../../support/world.h"

namespace data_import::tests {

namespace {

constexpr std::size_t waiting_clients = 200;

// The circuit stays closed, so that as many requests as possible wait for the vendor. The short stop_timeout
// ends these requests when the stack is stopped.
const std::vector<std::string> settings = {"vendor_circuit_failures = 1000",
                                           "vendor_circuit_time_outs = 1000", "stop_timeout = 1"};

}  // namespace

class VendorIsolationTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(VendorIsolationTest);
    CPPUNIT_TEST(notes_and_others_instructions_are_answered_while_two_hundred_requests_wait_for_a_vendor);
    CPPUNIT_TEST_SUITE_END();

public:
    void tearDown() override { stack_.reset(); }

    void notes_and_others_instructions_are_answered_while_two_hundred_requests_wait_for_a_vendor() {
        prepare();
        check_other_organisation("before");
        const std::vector<HttpConnection> waiting = ask_vendor();
        check_other_organisation("meanwhile");
        // Two seconds after the last request of the organisation Other, the share of the organisation Acme
        // grows. Then a request of Acme for the vendor `good` is answered.
        const bool other_vendor_answers = wait_until(
            [&] {
                return ask(**stack_,
                           instruction_request(
                               token_, {.account = "I-00001", .vendor = "good", .reference = "beside"}))
                           .status == 201;
            },
            15s);
        CPPUNIT_ASSERT(other_vendor_answers);
        Load load(**stack_, {.token = token_, .supplier = "ACME", .account = "I-00001", .clients = 4});
        const bool answered = wait_until([&] { return load.answered() > 50; }, 60s);
        load.stop();
        CPPUNIT_ASSERT_EQUAL_MESSAGE(load.examples(), 0, load.failed());
        CPPUNIT_ASSERT_MESSAGE(std::to_string(load.answered()) + " answers", answered);
        const Answer listing =
            ask(**stack_, get_request("/v1/data-import/all-account-import-processes/ACME/", token_));
        CPPUNIT_ASSERT_EQUAL(200, listing.status);
        CPPUNIT_ASSERT_EQUAL(200, ask(**stack_, get_request("/readyz")).status);
    }

private:
    /// Checks that a request of the organisation Other for a payment instruction is answered. `reference` is
    /// the instruction's reference.
    void check_other_organisation(const std::string& reference) const {
        const Answer instruction =
            ask(**stack_,
                instruction_request(
                    other_token_,
                    {.account = "O-00001", .vendor = "good", .reference = reference, .supplier = "OTHER"}));
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(instruction), 201, instruction.status);
    }

    void prepare() {
        stack_ = std::make_unique<PrivateStack>(settings, "", "off", "all");
        run_ctl(**stack_, "supplier create ACME --name Acme");
        token_ = token_for(**stack_, "Acme", "ACME");
        AdminSession database((*stack_)->value("DATABASE_URL"));
        import_accounts(database, "ACME", "I-", 2);
        run_ctl(**stack_, "supplier create OTHER --name Other");
        other_token_ = token_for(**stack_, "Other", "OTHER");
        import_accounts(database, "OTHER", "O-", 1);
    }

    /// Connections of clients that have sent an instruction for the vendor that hangs.
    [[nodiscard]] std::vector<HttpConnection> ask_vendor() const {
        std::vector<HttpConnection> connections;
        while (connections.size() < waiting_clients) {
            const Instruction instruction{
                .account = "I-00002", .vendor = "hangs", .reference = std::to_string(connections.size())};
            connections.emplace_back((*stack_)->port(), (*stack_)->value("CA_FILE"));
            connections.back().send(to_bytes(instruction_request(token_, instruction)));
        }
        return connections;
    }

    std::unique_ptr<PrivateStack> stack_;
    std::string token_;
    std::string other_token_;
};

CPPUNIT_TEST_SUITE_REGISTRATION(VendorIsolationTest);

}  // namespace data_import::tests

// Repeated failures of vendors. They are counted for each instruction and for the vendor as a whole
// (contract, section 8).
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "../../support/answer_check.h"
#include "../../support/at_once.h"
#include "../../support/load.h"
#include "../../support/processes.h"
#include "../../support/vendor_requests.h"
#include "../../support/vendor_simulator.h"
#include "../../support/world.h"

namespace data_import::tests {

namespace {

constexpr auto first_pause = 2s;  // the default of the setting vendor_circuit_pause
constexpr int failures_that_open = 10;

}  // namespace

class VendorFailuresTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(VendorFailuresTest);
    CPPUNIT_TEST(the_sixth_failed_request_in_a_row_is_not_to_be_repeated);
    CPPUNIT_TEST(a_good_answer_ends_the_row);
    CPPUNIT_TEST(any_answer_ends_the_row);
    CPPUNIT_TEST(an_answer_that_refuses_is_no_failure);
    CPPUNIT_TEST(rows_of_two_references_are_counted_apart);
    CPPUNIT_TEST(an_open_circuit_answers_at_once_and_lets_one_probe_through);
    CPPUNIT_TEST(failing_references_of_one_organisation_stop_no_other);
    CPPUNIT_TEST(a_reference_that_fails_for_another_organisation_is_asked_for);
    CPPUNIT_TEST(two_failing_organisations_open_the_circuit_for_a_third);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override {
        account_ = world().take_account("imported");
        for (const std::string& name : {std::string("recovering"), std::string("breaking")}) {
            simulator().turn(name, "good");
            wait_until_answered(name);
        }
    }

    void the_sixth_failed_request_in_a_row_is_not_to_be_repeated() {
        const std::string reference = fail_in_a_row(5);
        for (int time = 6; time <= 8; ++time)
            CPPUNIT_ASSERT_EQUAL(std::string("vendor_unavailable"), post("recovering", reference));
    }

    void a_good_answer_ends_the_row() {
        const std::string reference = fail_in_a_row(5);
        CPPUNIT_ASSERT_EQUAL(std::string("vendor_unavailable"), post("recovering", reference));
        simulator().turn("recovering", "good");
        CPPUNIT_ASSERT_EQUAL(std::string("201"), post("recovering", reference));
        simulator().turn("recovering", "503");
        CPPUNIT_ASSERT_EQUAL_MESSAGE("stored", std::string("201"), post("recovering", reference));
        account_ = world().take_account("imported");
        CPPUNIT_ASSERT_EQUAL(std::string("vendor_intermittent"), post("recovering", reference));
    }

    void any_answer_ends_the_row() {
        const std::string reference = fail_in_a_row(5);
        simulator().turn("recovering", "404");
        CPPUNIT_ASSERT_EQUAL(std::string("vendor_rejected"), post("recovering", reference));
        simulator().turn("recovering", "503");
        for (int time = 1; time <= 5; ++time)
            CPPUNIT_ASSERT_EQUAL(std::string("vendor_intermittent"), post("recovering", reference));
        CPPUNIT_ASSERT_EQUAL(std::string("vendor_unavailable"), post("recovering", reference));
    }

    void an_answer_that_refuses_is_no_failure() {
        const std::string reference = world().take_fresh();
        simulator().turn("recovering", "404");
        for (int time = 1; time <= 7; ++time)
            CPPUNIT_ASSERT_EQUAL(std::string("vendor_rejected"), post("recovering", reference));
        CPPUNIT_ASSERT_EQUAL(7L, simulator().calls(reference));
    }

    void rows_of_two_references_are_counted_apart() {
        const std::string first = fail_in_a_row(5);
        static_cast<void>(fail_in_a_row(1));
        CPPUNIT_ASSERT_EQUAL(std::string("vendor_unavailable"), post("recovering", first));
    }

    void an_open_circuit_answers_at_once_and_lets_one_probe_through() {
        simulator().turn("breaking", "503");
        for (int time = 0; time < failures_that_open; ++time)
            CPPUNIT_ASSERT_EQUAL(std::string("vendor_intermittent"), post("breaking", world().take_fresh()));
        check_pause();
        simulator().turn("breaking", "slow/1");
        std::this_thread::sleep_for(first_pause + 100ms);
        check_probe();
        CPPUNIT_ASSERT_EQUAL(std::string("201"), post("breaking", world().take_fresh()));
    }

    void failing_references_of_one_organisation_stop_no_other() {
        const std::string other = token_of_another_organisation();
        open_circuit(other);
        end_pauses_in("1 hour");
        simulator().turn("breaking", "good");
        CPPUNIT_ASSERT_EQUAL(std::string("201"), post("breaking", world().take_fresh()));
        const std::string reference = world().take_fresh();
        CPPUNIT_ASSERT_EQUAL(std::string("vendor_intermittent"), post_with(other, "breaking", reference));
        CPPUNIT_ASSERT_EQUAL_MESSAGE("its own circuit was not open", 0L, simulator().calls(reference));
    }

    void a_reference_that_fails_for_another_organisation_is_asked_for() {
        const std::string other = token_of_another_organisation();
        const std::string reference = world().take_fresh();
        simulator().turn("recovering", "503");
        for (int time = 1; time <= 5; ++time)
            CPPUNIT_ASSERT_EQUAL(std::string("vendor_intermittent"),
                                 post_with(other, "recovering", reference));
        CPPUNIT_ASSERT_EQUAL(std::string("vendor_unavailable"), post_with(other, "recovering", reference));
        CPPUNIT_ASSERT_EQUAL(std::string("vendor_intermittent"), post("recovering", reference));
        simulator().turn("recovering", "good");
        CPPUNIT_ASSERT_EQUAL(std::string("201"), post("recovering", reference));
    }

    void two_failing_organisations_open_the_circuit_for_a_third() {
        open_circuit(token_of_another_organisation());
        open_circuit(token_of_another_organisation());
        end_pauses_in("1 hour");
        simulator().turn("breaking", "good");
        const std::string reference = world().take_fresh();
        CPPUNIT_ASSERT_EQUAL(std::string("vendor_intermittent"), post("breaking", reference));
        CPPUNIT_ASSERT_EQUAL(0L, simulator().calls(reference));
        end_pauses_in("0 s");
        CPPUNIT_ASSERT_EQUAL(std::string("201"), post("breaking", reference));
    }

private:
    /// Returns a token as soon as all workers know its key.
    static std::string token_of_another_organisation() {
        const std::string token = token_for(world().stack(), world().take_fresh(), "ACME");
        int in_a_row = 0;
        const auto known = [&] {
            const Answer answer = ask(
                world().stack(),
                instruction_request(token, {.account = "none", .vendor = "breaking", .reference = "none"}));
            in_a_row = answer.status == 401 ? 0 : in_a_row + 1;
            return in_a_row > 20;
        };
        CPPUNIT_ASSERT(wait_until(known, 20s));
        return token;
    }

    static void end_pauses_in(const std::string& time) {
        world().database().rows(
            "UPDATE data_import.payment_vendor_circuit SET open_until = now() + $1::interval "
            "WHERE vendor = 'breaking' AND open_until IS NOT NULL",
            {time});
    }

    /// Lets instructions of the organisation fail, each with a new reference, until the circuit opens.
    void open_circuit(const std::string& token) const {
        simulator().turn("breaking", "503");
        for (int time = 0; time < failures_that_open; ++time)
            CPPUNIT_ASSERT_EQUAL(std::string("vendor_intermittent"),
                                 post_with(token, "breaking", world().take_fresh()));
    }

    [[nodiscard]] std::string post_with(const std::string& token, const std::string& vendor,
                                        const std::string& reference) const {
        return outcome_of(
            ask(world().stack(),
                instruction_request(token, {.account = account_, .vendor = vendor, .reference = reference})));
    }

    static VendorSimulator simulator() { return VendorSimulator(world().stack()); }

    HttpRequest request(const std::string& vendor, const std::string& reference) const {
        return instruction_request(*world().shared("token"),
                                   {.account = account_, .vendor = vendor, .reference = reference});
    }

    [[nodiscard]] std::string post(const std::string& vendor, const std::string& reference) const {
        return outcome_of(ask(world().stack(), request(vendor, reference)));
    }

    /// Waits until the vendor gives a good answer, which closes a circuit that an earlier run left open.
    void wait_until_answered(const std::string& vendor) const {
        const auto end = std::chrono::steady_clock::now() + 35s;
        while (post(vendor, world().take_fresh()) != "201") {
            CPPUNIT_ASSERT_MESSAGE("the circuit of " + vendor + " stays open",
                                   std::chrono::steady_clock::now() < end);
            std::this_thread::sleep_for(200ms);
        }
    }

    std::string fail_in_a_row(int times) const {
        const std::string reference = world().take_fresh();
        simulator().turn("recovering", "503");
        for (int time = 0; time < times; ++time)
            CPPUNIT_ASSERT_EQUAL(std::string("vendor_intermittent"), post("recovering", reference));
        return reference;
    }

    /// Checks that the vendor `breaking`, whose circuit is open, gets no request. The client is told when to
    /// try again.
    void check_pause() const {
        const std::string reference = world().take_fresh();
        for (int time = 0; time < 7; ++time) {
            const Answer answer = ask(world().stack(), request("breaking", reference));
            CPPUNIT_ASSERT_EQUAL(std::string("vendor_intermittent"), outcome_of(answer));
            CPPUNIT_ASSERT_MESSAGE(shown(answer), answer.header("Retry-After").has_value());
        }
        CPPUNIT_ASSERT_EQUAL(0L, simulator().calls(reference));
    }

    void check_probe() const {
        const long before = simulator().totals().calls;
        std::vector<HttpRequest> requests;
        while (requests.size() < 12) requests.push_back(request("breaking", world().take_fresh()));
        std::vector<std::string> outcomes;
        for (const Answer& answer : ask_all_at_once(world().stack(), requests))
            outcomes.push_back(outcome_of(answer));
        const auto stored = std::count(outcomes.begin(), outcomes.end(), "201");
        const auto refused = std::count(outcomes.begin(), outcomes.end(), "vendor_intermittent");
        CPPUNIT_ASSERT_EQUAL(std::ptrdiff_t{12}, stored + refused);
        CPPUNIT_ASSERT_EQUAL(stored, simulator().totals().calls - before);
        // One of the 12 requests is the probe. A request that waits for a free worker until the probe has
        // closed the circuit is let through, too. So the test cannot demand 11 refusals.
        CPPUNIT_ASSERT_MESSAGE("more than the probe was let through", refused >= 3);
    }

    std::string account_;
};

CPPUNIT_TEST_SUITE_REGISTRATION(VendorFailuresTest);

}  // namespace data_import::tests

// Tests of what is stored of a vendor's answer. A payment instruction has one row, however many requests ask
// for the instruction. The number of a card or of a bank account is nowhere kept in full.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "../../support/answer_check.h"
#include "../../support/at_once.h"
#include "../../support/json_match.h"
#include "../../support/load.h"
#include "../../support/processes.h"
#include "../../support/vendor_requests.h"
#include "../../support/vendor_simulator.h"
#include "../../support/world.h"

namespace data_import::tests {

namespace {

/// The numbers in the simulator's behaviours `numbers` and `good`, without separators between the digits.
constexpr auto whole_numbers = std::to_array<std::string_view>(
    {"5500005555555559", "4111111111111111", "4012888888881881", "378282246310005", "6011111111111117",
     "4242424242424242", "4000056655665556", "GB33BUKB20201555555555", "DE89370400440532013000", "532013000",
     "0987654321", "4222222222222", "3112101000000000000"});

std::string letters_and_digits(const std::string& text) {
    std::string found;
    std::copy_if(text.begin(), text.end(), std::back_inserter(found),
                 [](unsigned char character) { return std::isalnum(character) != 0; });
    return found;
}

/// The log of the service and those of nginx.
std::string logs() {
    const auto directory = std::filesystem::path(world().stack().value("VENDORS_DIR")).parent_path() / "log";
    std::string text;
    for (const char* name : {"data-importd.log", "nginx-access.log", "nginx-error.log"}) {
        std::ifstream file(directory / name);
        text.append(std::istreambuf_iterator<char>(file), {});
    }
    CPPUNIT_ASSERT_MESSAGE("no logs in " + directory.string(), !text.empty());
    return text;
}

void check_without_numbers(const std::string& place, const std::string& text) {
    const std::string found = letters_and_digits(text);
    for (const std::string_view number : whole_numbers) {
        CPPUNIT_ASSERT_MESSAGE(std::string(number) + " stands in the " + place + ": " + text.substr(0, 2000),
                               found.find(number) == std::string::npos);
    }
}

}  // namespace

class VendorStorageTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(VendorStorageTest);
    CPPUNIT_TEST(twenty_first_requests_at_once_store_one_row);
    CPPUNIT_TEST(requests_for_a_locked_account_hold_no_worker);
    CPPUNIT_TEST(no_whole_number_is_kept_or_told);
    CPPUNIT_TEST(last_digits_are_kept);
    CPPUNIT_TEST(named_fields_are_kept_as_the_vendor_said_them);
    CPPUNIT_TEST(connections_are_kept);
    CPPUNIT_TEST(an_answer_that_nobody_asked_for_is_not_taken_for_the_next_one);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override { account_ = world().take_account("imported"); }

    void twenty_first_requests_at_once_store_one_row() {
        const std::string reference = world().take_fresh();
        const HttpRequest first = request("good", reference);
        for (const Answer& answer : ask_at_once(world().stack(), 20, [&](std::size_t) { return first; }))
            CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 201, answer.status);
        CPPUNIT_ASSERT_EQUAL(std::string("1"), column("count(*)", reference));
        CPPUNIT_ASSERT_EQUAL(1L,
                             world().database().count(
                                 "SELECT count(*) FROM data_import.payment_instruction WHERE account_key = "
                                 "data_import.account_key('ACME', $1)",
                                 {account_}));
    }

    /// Repeats of a stored instruction, and one new instruction, wait for a locked account. Meanwhile,
    /// instructions for another account must be answered.
    void requests_for_a_locked_account_hold_no_worker() {
        const std::string stored = world().take_fresh();
        const std::string fresh = world().take_fresh();
        CPPUNIT_ASSERT_EQUAL(201, post("good", stored).status);
        AdminSession holder(world().stack().value("DATABASE_URL"));
        holder.rows("BEGIN");
        holder.rows("SELECT data_import.lock_account(data_import.account_key('ACME', $1))", {account_});
        std::vector<HttpRequest> requests(40, request("good", stored));
        requests.push_back(request("good", fresh));
        auto asked = std::async(std::launch::async, ask_all_at_once, std::cref(world().stack()), requests);
        const VendorSimulator simulator(world().stack());
        const bool is_asked = wait_until([&] { return simulator.calls(fresh) > 0; }, 60s);
        account_ = world().take_account("imported");
        std::vector<int> others;
        for (int time = 0; time < 12; ++time) others.push_back(post("good", world().take_fresh()).status);
        const bool all_wait = asked.wait_for(0s) == std::future_status::timeout;
        holder.rows("COMMIT");
        for (const Answer& answer : asked.get())
            CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 201, answer.status);
        CPPUNIT_ASSERT(is_asked);
        CPPUNIT_ASSERT(all_wait);
        CPPUNIT_ASSERT(others == std::vector<int>(12, 201));
        CPPUNIT_ASSERT_EQUAL(1L, simulator.calls(fresh));
        CPPUNIT_ASSERT_EQUAL(1L, simulator.calls(stored));
    }

    void no_whole_number_is_kept_or_told() {
        for (const std::string& type : {std::string("CARD"), std::string("DIRECT_DEBIT")}) {
            for (const std::string& vendor : {std::string("numbers"), std::string("good")}) {
                const std::string reference = world().take_fresh();
                const Answer answer = post(vendor, reference, type);
                CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 201, answer.status);
                check_without_numbers("answer", answer.body);
                check_without_numbers("row", column("i::text", reference));
            }
        }
        check_without_numbers("logs", logs());
    }

    void last_digits_are_kept() {
        const std::string card = world().take_fresh();
        CPPUNIT_ASSERT_EQUAL(201, post("good", card).status);
        CPPUNIT_ASSERT_EQUAL(std::string("1111"), column("last_four", card));
        CPPUNIT_ASSERT_EQUAL(std::string(""), column("masked_account", card));
        const std::string account = world().take_fresh();
        CPPUNIT_ASSERT_EQUAL(201, post("good", account, "DIRECT_DEBIT").status);
        const std::string masked = column("masked_account", account);
        CPPUNIT_ASSERT_MESSAGE(masked, masked.ends_with("00") && masked.find('*') != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(std::string(""), column("last_four", account));
    }

    void named_fields_are_kept_as_the_vendor_said_them() {
        const std::string reference = world().take_fresh();
        CPPUNIT_ASSERT_EQUAL(201, post("good", reference).status);
        CPPUNIT_ASSERT_EQUAL(std::string("active"), column("status", reference));
        CPPUNIT_ASSERT_EQUAL(std::string("CARD"), column("type", reference));
        const std::string expected =
            R"({"card": {"brand": "VISA", "expires": "2031-12"}, "holder": "Käthe Großmann",
                "created_at": "2024-01-31T10:00:00Z"})";
        CPPUNIT_ASSERT_EQUAL(std::string(""),
                             difference(parse_json(expected), parse_json(column("details", reference))));
    }

    void connections_are_kept() {
        constexpr long workers = 8;  // vendor_workers
        const VendorSimulator simulator(world().stack());
        const VendorTotals before = simulator.totals();
        for (int time = 0; time < 24; ++time)
            CPPUNIT_ASSERT_EQUAL(201, post("good", world().take_fresh()).status);
        const VendorTotals after = simulator.totals();
        CPPUNIT_ASSERT_EQUAL(24L, after.calls - before.calls);
        CPPUNIT_ASSERT_MESSAGE(std::to_string(after.connections - before.connections) + " connections",
                               after.connections - before.connections <= workers);
    }

    /// Sends so many requests that every worker gets some, because each worker has its own connection to the
    /// vendor.
    void an_answer_that_nobody_asked_for_is_not_taken_for_the_next_one() {
        for (int time = 0; time < 12; ++time) {
            CPPUNIT_ASSERT_EQUAL(std::string("201"), outcome_of(post("chatty", world().take_fresh())));
            CPPUNIT_ASSERT_EQUAL(std::string("vendor_rejected"),
                                 outcome_of(post("chatty", world().take_fresh(), "UNKNOWN")));
        }
    }

private:
    [[nodiscard]] HttpRequest request(const std::string& vendor, const std::string& reference,
                                      const std::string& type = "CARD") const {
        return instruction_request(
            *world().shared("token"),
            {.account = account_, .vendor = vendor, .reference = reference, .type = type});
    }

    [[nodiscard]] Answer post(const std::string& vendor, const std::string& reference,
                              const std::string& type = "CARD") const {
        return ask(world().stack(), request(vendor, reference, type));
    }

    static std::string column(const std::string& expression, const std::string& reference) {
        return world().database().value(
            "SELECT " + expression + " FROM data_import.payment_instruction AS i WHERE reference = $1",
            {reference});
    }

    std::string account_;
};

CPPUNIT_TEST_SUITE_REGISTRATION(VendorStorageTest);

}  // namespace data_import::tests

// Delivery notes and invoices at their limits: the same one from many sides at once, and the largest.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>
#include <thread>
#include <vector>

#include "../support/answer_check.h"
#include "../support/load.h"
#include "../support/world.h"

namespace data_import::tests {

namespace {

std::string repeated_items(const std::string& item, std::size_t count) {
    std::string items = item;
    items.reserve(count * (item.size() + 1));
    for (std::size_t number = 1; number < count; ++number) items.append(1, ',').append(item);
    return items;
}

/// Request bodies as the service writes them: without white space.
std::string delivery_note(const std::string& account, std::size_t amounts) {
    const std::string amount =
        R"({"period_start_at":"2022-01-01T00:00:00Z","period_end_at":"2022-02-01T00:00:00Z",)"
        R"("product_identifier":"1-1:1.29.0","product_identifier_type":"SRW","quantity":"245.123000000",)"
        R"("quantity_unit":"KWH","line_item_identifier":"1"})";
    return R"({"import_supplier":"ACME","external_account_number":")" + account +
           R"(","delivery_note":{"malo_number":"50812345678","amounts":[)" + repeated_items(amount, amounts) +
           R"(],"cancelled":false,"validation_status":true,"edifact_reference_number":"E"}})";
}

/// Each line takes about a thousand bytes.
std::string invoice(const std::string& account, std::size_t line_items) {
    const std::string line =
        R"({"position":1,"article":"a","article_type":"t","quantity":"245.123000000","quantity_unit":"KWH",)"
        R"("quantity_interval":")" +
        std::string(128, 'x') + R"(","quantity_interval_type":")" + std::string(128, 'y') +
        R"(","quantity_correction_factor":")" + std::string(128, 'z') +
        R"(","period_start_at":"2022-01-01T00:00:00Z","period_end_at":"2022-02-01T00:00:00Z",)"
        R"("service_conducted_at":null,"amount_net":2100,"amount_adjustment":null,"price":"0.085671000",)"
        R"("price_interval":")" +
        std::string(128, '1') + R"(","tax_rate":"19.0000","tax_rate_type":"S","external_id":")" +
        std::string(96, '2') + R"("})";
    return R"({"import_supplier":"ACME","external_account_number":")" + account +
           R"(","market_participant_invoice":{"invoice_type":"I","invoice_document_type":"D",)"
           R"("invoice_number":"N","status":"CLOSED","issued_at":"2022-01-01T00:00:00Z",)"
           R"("due_at":"2022-02-01T00:00:00Z","malo_number":"50812345678","amount_total":1,"amount_due":1,)"
           R"("external_id":"X","sender_id":1,"recipient_id":2,"sender_address":{"name":"S"},)"
           R"("recipient_address":{"name":"R"},"line_items":[)" +
           repeated_items(line, line_items) + R"(],"tax_amounts":[]}})";
}

HttpRequest post(const std::string& name, const std::string& body) {
    return {.method = "POST",
            .target = "/v1/data-import/" + name + "/create/",
            .headers = {{"Host", "localhost"},
                        {"Content-Type", "application/json"},
                        {"Authorization", "Token " + *World::of_shared_stack().shared("token")}},
            .body = body};
}

}  // namespace

class DocumentsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(DocumentsTest);
    CPPUNIT_TEST(one_delivery_note_from_sixteen_sides_is_stored_once);
    CPPUNIT_TEST(the_largest_delivery_note_is_stored_whole);
    CPPUNIT_TEST(the_largest_invoice_is_stored_whole);
    CPPUNIT_TEST_SUITE_END();

public:
    void one_delivery_note_from_sixteen_sides_is_stored_once() {
        const std::string account = world().take_account("imported");
        const std::string body = delivery_note(account, 500);
        std::vector<Answer> answers(16);
        std::vector<std::thread> clients;
        for (Answer& answer : answers) {
            clients.emplace_back([&] { answer = ask(world().stack(), post("delivery-note", body)); });
        }
        for (std::thread& client : clients) client.join();
        for (const Answer& answer : answers) check_echo(body, answer);
        CPPUNIT_ASSERT_EQUAL(1L, rows_of("delivery_note", account));
        CPPUNIT_ASSERT_EQUAL(500L, rows_of("delivery_note_amount", account));
    }

    void the_largest_delivery_note_is_stored_whole() {
        const std::string account = world().take_account("imported");
        const std::string body = delivery_note(account, 10000);
        for (int time = 0; time < 2; ++time)
            check_echo(body, ask(world().stack(), post("delivery-note", body)));
        CPPUNIT_ASSERT_EQUAL(1L, rows_of("delivery_note", account));
        CPPUNIT_ASSERT_EQUAL(10000L, rows_of("delivery_note_amount", account));
    }

    void the_largest_invoice_is_stored_whole() {
        const std::string account = world().take_account("imported");
        const std::string body = invoice(account, 10000);
        CPPUNIT_ASSERT(body.size() > 9'500'000 && body.size() <= 10'485'760);
        for (int time = 0; time < 2; ++time) {
            check_echo(body, ask(world().stack(), post("market-participant-invoice", body)));
        }
        CPPUNIT_ASSERT_EQUAL(1L, rows_of("market_participant_invoice", account));
        CPPUNIT_ASSERT_EQUAL(10000L, rows_of("market_participant_invoice_line_item", account));
    }

private:
    static World& world() { return World::of_shared_stack(); }

    static void check_echo(const std::string& body, const Answer& answer) {
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer).substr(0, 1000), 201, answer.status);
        CPPUNIT_ASSERT_MESSAGE("the body is not that of the request", body == answer.body);
    }

    static long rows_of(const std::string& table, const std::string& account) {
        return world().database().count("SELECT count(*) FROM data_import." + table +
                                            " WHERE account_key = data_import.account_key('ACME', $1)",
                                        {account});
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(DocumentsTest);

}  // namespace data_import::tests

// Delivery notes and invoices at their limits: the largest, and many in one request.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <sstream>
#include <string>
#include <vector>

#include "../../support/answer_check.h"
#include "../../support/load.h"
#include "../../support/world.h"
#include "data/json/reader.h"
#include "data/records/fingerprint.h"
#include "data/records/kinds.h"
#include "data/schema/canonical.h"

namespace data_import::tests {

namespace {

std::string repeated_items(const std::string& item, std::size_t count) {
    std::string items = item;
    items.reserve(count * (item.size() + 1));
    for (std::size_t number = 1; number < count; ++number) items.append(1, ',').append(item);
    return items;
}

/// Returns the body of a request, without white space. The service writes its answer in the same way, so the
/// answer is the same text.
std::string delivery_note(const std::string& account, std::size_t amounts) {
    const std::string amount =
        R"({"period_start_at":"2022-01-01T00:00:00Z","period_end_at":"2022-02-01T00:00:00Z",)"
        R"("product_identifier":"1-1:1.29.0","product_identifier_type":"SRW","quantity":"245.123000000",)"
        R"("quantity_unit":"KWH","line_item_identifier":"1"})";
    return R"({"import_supplier":"ACME","external_account_number":")" + account +
           R"(","delivery_note":{"malo_number":"50812345678","amounts":[)" + repeated_items(amount, amounts) +
           R"(],"cancelled":false,"validation_status":true,"edifact_reference_number":"E"}})";
}

struct Amount {
    std::string product;
    std::string quantity;
    std::string unit;
    std::string line_item;
};

/// A line of a bulk request.
std::string delivery_note_line(const std::string& account, const std::vector<Amount>& amounts) {
    std::string items;
    for (const Amount& amount : amounts) {
        items += items.empty() ? "" : ",";
        items += R"({"period_start_at":"2022-01-01T00:00:00Z","period_end_at":"2022-02-01T00:00:00Z",)"
                 R"("product_identifier":")" +
                 amount.product + R"(","product_identifier_type":"SRW","quantity":")" + amount.quantity +
                 R"(","quantity_unit":")" + amount.unit + R"(","line_item_identifier":")" + amount.line_item +
                 R"("})";
    }
    return R"({"path":"/v1/data-import/delivery-note/create/","body":{"import_supplier":"ACME",)"
           R"("external_account_number":")" +
           account + R"(","delivery_note":{"malo_number":"50812345678","amounts":[)" + items +
           R"(],"cancelled":false,"validation_status":true,"edifact_reference_number":"E"}}})"
           "\n";
}

/// An invoice whose line items take about a thousand bytes each.
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

/// The fingerprint of the delivery notes in the lines.
std::string fingerprint_of(const std::string& account, const std::string& lines) {
    records::Fingerprint fingerprint;
    std::istringstream each(lines);
    for (std::string line; std::getline(each, line);) {
        const json::Document document = json::read(line);
        std::string text = records::digest_head("delivery_notes", account);
        schema::append_canonical(text, records::kind_of("delivery_notes").record,
                                 document.root().at("body").at("delivery_note"));
        fingerprint.add(text);
    }
    return fingerprint.to_text();
}

HttpRequest post(const std::string& name, const std::string& body) {
    return {.method = "POST",
            .target = "/v1/data-import/" + name + "/create/",
            .headers = {{"Host", "localhost"},
                        {"Content-Type", "application/json"},
                        {"Authorization", "Token " + *world().shared("token")}},
            .body = body};
}

}  // namespace

class DocumentsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(DocumentsTest);
    CPPUNIT_TEST(the_largest_delivery_note_is_stored_whole);
    CPPUNIT_TEST(amounts_may_have_some_texts_in_common);
    CPPUNIT_TEST(the_largest_invoice_is_stored_whole);
    CPPUNIT_TEST_SUITE_END();

public:
    void the_largest_delivery_note_is_stored_whole() {
        const std::string account = world().take_account("imported");
        const std::string body = delivery_note(account, 10000);
        for (int time = 0; time < 2; ++time)
            check_echo(body, ask(world().stack(), post("delivery-note", body)));
        CPPUNIT_ASSERT_EQUAL(1L, rows_of("delivery_note", account));
        CPPUNIT_ASSERT_EQUAL(10000L, rows_of("delivery_note_amount", account));
    }

    /// Imports several delivery notes by one call of the database. The texts of an amount are its product,
    /// its unit and its line item. The amounts of a note have all of these texts in common, or only some.
    void amounts_may_have_some_texts_in_common() {
        const std::string account = world().take_account("imported");
        const std::vector<std::vector<Amount>> notes = {
            {{"p", "1", "KWH", "1"}, {"p", "2", "KWH", "1"}, {"p", "3.5", "KWH", "1"}},
            {{"p", "4", "KWH", "1"}},
            {{"p", "5", "KWH", "1"}, {"p", "5", "KWT", "2"}},
            {{"q", "6", "KWT", "1"}, {"p", "6", "KWT", "2"}, {"q", "6", "KWT", "3"}},
            {{"p", "7", "KWH", "9"}, {"p", "7", "KWH", "8"}, {"p", "7", "KWH", "9"}},
        };
        std::string lines;
        std::string sent;
        for (const auto& note : notes) {
            lines += delivery_note_line(account, note);
            for (std::size_t place = 0; place < note.size(); ++place) {
                const Amount& amount = note[place];
                sent += std::to_string(place) + amount.product + "SRW" + amount.quantity + amount.unit +
                        amount.line_item + '\n';
            }
        }
        HttpRequest request = post("", lines);
        request.target = "/v1/data-import/bulk/";
        request.headers[1].second = "application/x-ndjson";
        for (int time = 0; time < 2; ++time) {
            const Answer answer = ask(world().stack(), request);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 200, answer.status);
        }
        const std::string of_account = "account_key = data_import.account_key('ACME', $1)";
        CPPUNIT_ASSERT_EQUAL(sent,
                             world().database().value(
                                 "SELECT string_agg(position || product_identifier || "
                                 "product_identifier_type || quantity || quantity_unit || "
                                 "line_item_identifier || chr(10), '' ORDER BY amount_quantity[1], position) "
                                 "FROM data_import.delivery_note JOIN data_import.delivery_note_amount "
                                 "USING (account_key, content_digest) WHERE " +
                                     of_account,
                                 {account}));
        CPPUNIT_ASSERT_EQUAL(
            std::string("amounts 12, quantity:KWH 36.5, quantity:KWT 23, records 5"),
            world().database().value(
                "SELECT string_agg(figure || ' ' || trim_scale(value), ', ' ORDER BY figure) "
                "FROM (SELECT figure, sum(value) AS value FROM data_import.record_figure WHERE " +
                    of_account + " AND kind = 'delivery_notes' GROUP BY figure) AS summed",
                {account}));
        const std::string quantities = R"("quantity:KWH":"36.5","quantity:KWT":"23")";
        const Answer totals =
            ask(world().stack(),
                {.target = "/v1/data-import/account-control-totals/ACME/?external_account_number=" + account,
                 .headers = {{"Host", "localhost"}, {"Authorization", "Token " + *world().shared("token")}},
                 .body = ""});
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(totals), 200, totals.status);
        CPPUNIT_ASSERT_MESSAGE(totals.body, totals.body.find(quantities) != std::string::npos);
        CPPUNIT_ASSERT_MESSAGE(totals.body,
                               totals.body.find(fingerprint_of(account, lines)) != std::string::npos);
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

// payment_vendors/details: keeps certain fields of an answer, and never a number of a card or an account.
#include "data/payment_vendors/details.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>
#include <vector>

#include "../../table.h"
#include "data/json/reader.h"

namespace data_import {

namespace {

struct Row {
    std::string answer;
    std::string kept;
};

const std::vector<Row> details = {
    {R"({"status": "active", "type": "CARD", "reference": "PI-1", "n": 42, "b": true, "z": null})", "{}"},
    {R"({"holder": "K\u00e4the Gro\u00dfmann", "created_at": "2024-01-31T10:00:00.123456+01:00"})",
     R"({"holder":"Käthe Großmann","created_at":"2024-01-31T10:00:00.123456+01:00"})"},
    {R"({"card": {"number": "4111 1111 1111 1111", "brand": "VISA", "expires": "2031-12", "cvc": "737"}})",
     R"({"card":{"brand":"VISA","expires":"2031-12"}})"},
    {R"({"account": {"iban": "DE89370400440532013000", "bank": "Bank", "holder": "Anna"}})",
     R"({"account":{"bank":"Bank","holder":"Anna"}})"},
    {R"({"createdAt": "2024-01-31T10:00:00Z", "Expires": 1231})",
     R"({"createdAt":"2024-01-31T10:00:00Z","Expires":1231})"},
    // fields that are left out because of their place or type
    {R"({"sepa": {"holder": "Anna"}, "card": {"card": {"brand": "VISA"}}, "history": ["x"]})",
     R"({"card":{}})"},
    {R"({"holder": ["Anna"], "bank": {"holder": "x"}, "brand": true, "expires": null, "card": "x"})", "{}"},
    // A text with 12 digits or more may contain the number of a card or an account, so it is left out. The
    // last row has a text with 11 digits, which is kept.
    {R"({"holder": "4111111111111111", "bank": "to 4111-1111-1111-1111.", "brand": 4111111111111111})", "{}"},
    {R"({"holder": "NL91 ABNA 0417 1643 00", "bank": "4.111111111111111e15", "created_at": "123456789012"})",
     "{}"},
    {R"({"holder": "12345678901"})", R"({"holder":"12345678901"})"},
};

struct Found {
    std::string answer;
    std::string last_four;       ///< empty: none
    std::string masked_account;  ///< empty: none
};

const std::vector<Found> numbers = {
    {R"({"last4": "1111"})", "1111", ""},
    {R"({"lastFour": 2222})", "2222", ""},
    {R"({"last_four": "41111111"})", "", ""},
    {R"({"last_four": "x111"})", "", ""},
    {R"({"card": {"last4": "3333", "number": "5500005555555559"}})", "3333", ""},
    {R"({"card": {"number": "5500 0055 5555 5559"}, "last_four": "1111"})", "1111", ""},
    {R"({"card": {"number": "3782-822463-10005"}})", "0005", ""},
    {R"({"card_number": 4111111111111111})", "1111", ""},
    {R"({"pan": "4222222222222"})", "2222", ""},
    {R"({"pan": "411111"})", "", ""},
    {R"({"number": "4222222222222", "house": {"number": "4111111111111111"}})", "", ""},
    {R"({"iban": "DE89370400440532013000"})", "", "******************3000"},
    {R"({"iban": "DE89 3704 0044 0532 0130 00"})", "", "**** **** **** **** **30 00"},
    {R"({"account": {"number": 12345678}, "iban": "x"})", "", "****5678"},
    {R"({"account": {"accountNumber": "12-34-56-78"}})", "", "**-**-56-78"},
    {R"({"account_number": "1234"})", "", "1234"},
    {R"({"iban": "\uff14\uff11\uff11\uff11 0130 00"})", "", "************ **30 00"},
};

payment_vendors::Details details_of(const std::string& text) {
    const json::Document document = json::read(text);
    return payment_vendors::kept_details(document.root());
}

}  // namespace

class VendorDetailsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(VendorDetailsTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_details);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_numbers);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_details(TestSuiteBuilderContextType& context) {
        for (const Row& row : details) {
            tests::add_row(context, row.answer,
                           [row] { CPPUNIT_ASSERT_EQUAL(row.kept, details_of(row.answer).json); });
        }
    }

    static void add_numbers(TestSuiteBuilderContextType& context) {
        for (const Found& row : numbers) {
            tests::add_row(context, "numbers of " + row.answer, [row] {
                const payment_vendors::Details found = details_of(row.answer);
                CPPUNIT_ASSERT_EQUAL(row.last_four, found.last_four.value_or(""));
                CPPUNIT_ASSERT_EQUAL(row.masked_account, found.masked_account.value_or(""));
            });
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(VendorDetailsTest);

}  // namespace data_import

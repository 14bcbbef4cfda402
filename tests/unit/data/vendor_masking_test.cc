// vendor/masking and vendor/details: no number of a card or an account is kept whole.
#include "data/payment_vendors/masking.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>
#include <vector>

#include "../../table.h"
#include "data/json/reader.h"
#include "data/payment_vendors/details.h"

namespace data_import {

namespace {

struct Row {
    std::string given;
    std::string kept;
};

const std::vector<Row> masked = {
    // cards
    {"4111111111111111", "************1111"},
    {"4111 1111 1111 1111", "**** **** **** 1111"},
    {"4111-1111-1111-1111", "****-****-****-1111"},
    {"4111.1111.1111.1111", "****.****.****.1111"},
    {"4111  1111  1111  1111", "****  ****  ****  1111"},
    {"3782 822463 10005", "**** ****** *0005"},
    {"4222222222222", "*********2222"},
    {"6304000000000000000", "***************0000"},
    {"1234567890123456", "************3456"},
    {"123456789012", "********9012"},
    {"card 4111111111111111, valid", "card ************1111, valid"},
    {"x4111111111111111x", "x************1111x"},
    {"%B4111111111111111^A/B^31121010000?", "%B************1111^A/B^31121010000?"},
    {"4111111111111111 and 5500005555555559", "************1111 and ************5559"},
    {"4111111111111111, 5500005555555559", "************1111, ************5559"},
    {"4111\u00a01111\u00a01111\u00a01111", "****\u00a0****\u00a0****\u00a01111"},
    {"4111\u202f1111\u202f1111\u202f1111", "****\u202f****\u202f****\u202f1111"},
    {"4111\u20131111\u20131111\u20131111", "****\u2013****\u2013****\u20131111"},
    {"4111\u00ad1111\u200b1111\ufeff1111", "****\u00ad****\u200b****\ufeff1111"},
    {"4111_1111/1111\t1111", "****_****/****\t1111"},
    {"\uff14\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11",
     "************\uff11\uff11\uff11\uff11"},
    {"\u0664\u0661\u0661\u0661 \u0661\u0661\u0661\u0661 \u0661\u0661\u0661\u0661 \u0661\u0661\u0661\u0661",
     "**** **** **** \u0661\u0661\u0661\u0661"},
    // IBANs
    {"DE89370400440532013000", "******************3000"},
    {"DE89 3704 0044 0532 0130 00", "**** **** **** **** **30 00"},
    {"de89 3704 0044 0532 0130 00", "**** **** **** **** **30 00"},
    {"de89370400440532013000", "******************3000"},
    {"IBANDE89370400440532013000", "IBAN******************3000"},
    {"IBAN: DE89 3704 0044 0532 0130 00", "IBAN: **** **** **** **** **30 00"},
    {"NL91ABNA0417164300", "**************4300"},
    {"nl91 abna 0417 1643 00", "**** **** **** **43 00"},
    {"NL91-ABNA-0417-1643-00", "****-****-****-**43-00"},
    {"NL 91 ABNA 0417164300", "** ** **** ******4300"},
    {"GB33BUKB20201555555555", "******************5555"},
    {"GB33 BUKB 2020 1555 5555 55", "**** **** **** **** **55 55"},
    {"MT84MALT011000012345MTLCAST001S", "***************************001S"},
    {"BE68539007547034", "************7034"},
    {"NO9386011117947", "***********7947"},
    // by their form alone, the check digits being wrong
    {"NL00ABNA0417164300", "**************4300"},
    {"NL00 ABNA 0417 1643 00", "**** **** **** **43 00"},
    // texts that may be kept
    {"", ""},
    {"1111", "1111"},
    {"12345678901", "12345678901"},
    {"2024-01-31T10:00:00Z", "2024-01-31T10:00:00Z"},
    {"2024-01-31T10:00:00.123456+01:00", "2024-01-31T10:00:00.123456+01:00"},
    {"**** **** **** 1111", "**** **** **** 1111"},
    {"Käthe Großmann", "Käthe Großmann"},
    {"PI-2024-000042", "PI-2024-000042"},
    {"pay_1NxYzAbCdEf", "pay_1NxYzAbCdEf"},
    {"SW19 Wimbledon", "SW19 Wimbledon"},
    {"+49 30 1234567", "+49 30 1234567"},
};

const std::vector<Row> details = {
    {R"({"status": "active", "n": 42, "b": true, "z": null, "a": [1.50, "x"]})",
     R"({"status":"active","n":42,"b":true,"z":null,"a":[1.50,"x"]})"},
    {R"({"x": 4111111111111111})", R"({"x":"************1111"})"},
    {R"({"x": -4111111111111111.0})", R"({"x":"-*************111.0"})"},
    {R"({"x": 4.111111111111111e15})", R"({"x":"*.**************1e15"})"},
    {R"({"x": "\u0034\u0031\u0031\u0031 1111 1111 1111"})", R"({"x":"**** **** **** 1111"})"},
    {R"({"4111111111111111": 1})", R"({"************1111":1})"},
    {R"({"a": {"b": [{"c": "to 4111111111111111."}]}})", R"({"a":{"b":[{"c":"to ************1111."}]}})"},
    {R"({"account_number": "0532013000"})", R"({"account_number":"******3000"})"},
    {R"({"account_number": 532013000})", R"({"account_number":"*****3000"})"},
    {R"({"accountNumber": "12345678"})", R"({"accountNumber":"****5678"})"},
    {R"({"Account No.": "12-34-56-78"})", R"({"Account No.":"**-**-56-78"})"},
    {R"({"account_number": {"value": "12345678"}})", R"({"account_number":{"value":"****5678"}})"},
    {R"({"account_numbers": ["12345678", 87654321]})", R"({"account_numbers":["****5678","****4321"]})"},
    {R"({"account": "12345678"})", R"({"account":"****5678"})"},
    {R"({"account": {"number": "12345678", "holder": "Anna"}})",
     R"({"account":{"number":"****5678","holder":"Anna"}})"},
    {R"({"account_holder": "Anna Huber"})", R"({"account_holder":"Anna Huber"})"},
    {R"({"card": {"number": "123456", "brand": "VISA"}})", R"({"card":{"number":"**3456","brand":"VISA"}})"},
    {R"({"pan": "411111"})", R"({"pan":"**1111"})"},
    {R"({"cvc": "737", "pin": 1234, "track2": "123=45"})", R"({"cvc":"***","pin":"****","track2":"***=**"})"},
    {R"({"security_code": {"value": "737"}})", R"({"security_code":{"value":"***"}})"},
    {R"({"last4": 1111, "last_four": "2222"})", R"({"last4":1111,"last_four":"2222"})"},
    {R"({"last_four": "41111111"})", R"({"last_four":"****1111"})"},
    {R"({"company": "Panther", "expanse": "wide open"})", R"({"company":"Panther","expanse":"wide open"})"},
};

payment_vendors::Details details_of(const std::string& text) {
    const json::Document document = json::read(text);
    return payment_vendors::masked_details(document.root());
}

}  // namespace

class VendorMaskingTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(VendorMaskingTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_texts);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_details);
    CPPUNIT_TEST(finds_the_last_four_of_a_card);
    CPPUNIT_TEST(finds_the_account);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_texts(TestSuiteBuilderContextType& context) {
        for (const Row& row : masked) {
            tests::add_row(context, "text " + row.given, [row] {
                CPPUNIT_ASSERT_EQUAL(row.kept, payment_vendors::masked_text(row.given));
            });
        }
    }

    static void add_details(TestSuiteBuilderContextType& context) {
        for (const Row& row : details) {
            tests::add_row(context, "details " + row.given,
                           [row] { CPPUNIT_ASSERT_EQUAL(row.kept, details_of(row.given).json); });
        }
    }

    void finds_the_last_four_of_a_card() {
        CPPUNIT_ASSERT_EQUAL(std::string("1111"), *details_of(R"({"card": {"last4": "1111"}})").last_four);
        CPPUNIT_ASSERT_EQUAL(std::string("2222"), *details_of(R"({"cardLastFour": 2222})").last_four);
        CPPUNIT_ASSERT_EQUAL(std::string("5559"),
                             *details_of(R"({"card": {"number": "5500 0055 5555 5559"}})").last_four);
        CPPUNIT_ASSERT_EQUAL(std::string("1111"),
                             *details_of(R"({"number": 5500005555555559, "last_four": "1111"})").last_four);
        CPPUNIT_ASSERT(!details_of(R"({"house": {"number": 12345}, "last_four": "41111111"})").last_four);
    }

    void finds_the_account() {
        CPPUNIT_ASSERT_EQUAL(std::string("******************3000"),
                             *details_of(R"({"iban": "DE89370400440532013000"})").masked_account);
        CPPUNIT_ASSERT_EQUAL(
            std::string("****5678"),
            *details_of(R"({"account": {"number": "12345678"}, "iban": "x"})").masked_account);
        CPPUNIT_ASSERT(!details_of(R"({"card": {"number": "4111111111111111"}})").masked_account);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(VendorMaskingTest);

}  // namespace data_import

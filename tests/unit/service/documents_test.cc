// Delivery notes, energy amounts, market participant invoices: valid payloads, and their parameters for the
// database (contract, sections 4.3, 4.4 and 4.7).
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "../../schema_summary.h"
#include "../../table.h"
#include "../array_elements.h"
#include "data/json/reader.h"
#include "data/store/import.h"
#include "data/store/row.h"
#include "service/api/endpoints.h"
#include "service/openapi/prose.h"

namespace data_import {

namespace {

using tests::repeated;

/// A change of the endpoint's example request: the first `from` in the example is replaced by `to`. Then
/// `violations` lists the expected violations of the changed example, as `attr:code attr:code`. Here `attr`
/// is relative to the field that holds the document (Table::field), or begins with a slash and is relative to
/// the whole payload.
struct Row {
    std::string from;
    std::string to;
    std::string violations;
};

struct Table {
    http::Endpoint endpoint;
    std::string field;
    std::vector<Row> rows;
};

std::string changed(const http::Endpoint& endpoint, const std::string& from, const std::string& to) {
    std::string text(openapi::example_of(endpoint));
    const std::size_t place = text.find(from);
    CPPUNIT_ASSERT_MESSAGE("the example lacks " + from, place != std::string::npos);
    return text.replace(place, from.size(), to);
}

std::string long_text(std::size_t length) {
    return '"' + std::string(length, 'x') + '"';
}

const std::string amount =
    R"({"period_start_at": "2024-01-01T00:00:00Z", "period_end_at": "2024-01-01T00:00:00Z", "product_identifier": "p",
        "product_identifier_type": "t", "quantity": 1, "quantity_unit": "u", "line_item_identifier": "l"},)";

const Table delivery_note = {
    api::delivery_note_create(),
    "delivery_note",
    {{"{", "{", ""},
     {"\"50812345678\"", "\"5081234567\"", "malo_number:invalid"},
     {"\"50812345678\"", "50812345678", "malo_number:invalid"},
     {"\"50812345678\"", "\" \"", "malo_number:blank"},
     {"\"malo_number\": \"50812345678\",", "", "malo_number:required"},
     {"\"2024-01-01T00:00:00+01:00\"", "\"2024-02-01T00:00:00.000001+01:00\"",
      "amounts.0.period_end_at:period_end_before_start"},
     {"\"2024-01-01T00:00:00+01:00\"", "\"2024-01-31T23:00:00Z\"", ""},
     {"\"2024-01-01T00:00:00+01:00\"", "\"2024-01-31T18:00:01-05:00\"",
      "amounts.0.period_end_at:period_end_before_start"},
     {"\"2024-01-01T00:00:00+01:00\"", "\"2024-01-01\"", "amounts.0.period_start_at:invalid"},
     {"\"2024-01-01T00:00:00+01:00\"", "null", "amounts.0.period_start_at:null"},
     {"\"1-1:1.29.0\"", long_text(64), ""},
     {"\"1-1:1.29.0\"", long_text(65), "amounts.0.product_identifier:max_length"},
     {"\"SRW\"", long_text(17), "amounts.0.product_identifier_type:max_length"},
     {"\"KWH\"", "\"\"", "amounts.0.quantity_unit:blank"},
     {"\"245.123000000\"", "-999999999.999999999", ""},
     {"\"245.123000000\"", "1000000000", "amounts.0.quantity:max_digits"},
     {"\"245.123000000\"", "0.0000000001", "amounts.0.quantity:max_decimal_places"},
     {"\"245.123000000\"", "5e-05", ""},
     {"\"245.123000000\"", "\"5e-05\"", "amounts.0.quantity:invalid"},
     {"\"245.123000000\"", "null", "amounts.0.quantity:null"},
     {"\"amounts\": [", "\"amounts\": [" + repeated(amount, 9999), ""},
     {"\"amounts\": [", "\"amounts\": [" + repeated(amount, 10000), "amounts:max_items"},
     {"\"amounts\": [", "\"amounts\": [], \"line_items\": [", "amounts:empty line_items:unknown_field"},
     {"\"LS-2023-000815\"", "null", "preceding_reference:null"},
     {"\"LS-2023-000815\"", long_text(129), "preceding_reference:max_length"},
     {"\"cancelled\": false", "\"cancelled\": 0", "cancelled:invalid"},
     {"\"cancelled\": false,", "", "cancelled:required"},
     {"\"validation_status\": true", "\"validation_status\": \"true\"", "validation_status:invalid"},
     {"\"2024-02-02T08:30:00Z\"", "null", "last_validation_at:null"},
     {"\"LS-2024-000042\"", "\"\\t\"", "edifact_reference_number:blank"},
     {"\"delivery_note\": {", "\"x\": 1, \"delivery_note\": {", "/x:unknown_field"}}};

const Table energy_amount = {
    api::energy_amount_create(),
    "energy_amount",
    {{"{", "{", ""},
     {"\"2024-01-01T00:00:00+01:00\"", "\"2024-02-01T00:00:00Z\"", "period_end_at:period_end_before_start"},
     {"\"cancelled_at\": null", "\"cancelled_at\": \"2024-02-01T00:00:00Z\"", ""},
     {"\"cancelled_at\": null,", "", ""},
     {"\"cancelled_at\": null", "\"cancelled_at\": \"\"", "cancelled_at:invalid"},
     {"\"cancelled_reference\": null", "\"cancelled_reference\": \"r\"", ""},
     {"\"cancelled_reference\": null", "\"cancelled_reference\": \"\"", "cancelled_reference:blank"},
     {"\"cancelled_reference\": null", "\"cancelled_reference\": " + long_text(129),
      "cancelled_reference:max_length"},
     {"\"220\"", "220", "qualifier:invalid"},
     {"\"220\"", long_text(33), "qualifier:max_length"},
     {"\"Z85\"", "null", "estimate_method:null"},
     {"\"Z74\"", "\"\"", "estimate_reason:blank"},
     {"\"Z78\"", "[]", "correction_reason:invalid"},
     {"[\"Z83\"]", "[]", ""},
     {"[\"Z83\"]", "[" + repeated("\"a\",", 99) + "\"a\"]", ""},
     {"[\"Z83\"]", "[" + repeated("\"a\",", 100) + "\"a\"]", "plausibility_indications:max_items"},
     {"[\"Z83\"]", "[\"a\", null, 1]", "plausibility_indications.1:null plausibility_indications.2:invalid"},
     {"[\"Z30\"]", "[\"\"]", "measurement_classifications.0:blank"},
     {"[\"Z30\"]", "null", "measurement_classifications:null"}}};

const Table invoice = {
    api::market_participant_invoice_create(),
    "market_participant_invoice",
    {{"{", "{", ""},
     {"\"INVOICE\"", long_text(65), "invoice_type:max_length"},
     {"\"MONTHLY\"", long_text(128), ""},
     {"\"MONTHLY\"", long_text(129), "invoice_sub_type:max_length"},
     {"\"MONTHLY\"", "null", "invoice_sub_type:null"},
     {"\"melo_number\": null", "\"melo_number\": \"DE0001234567890000000000000123456\"", ""},
     {"\"melo_number\": null", "\"melo_number\": \"DE000123456789000000000000012345\"",
      "melo_number:invalid"},
     {"\"period_end_at\": \"2024-02-01T00:00:00+01:00\"", "\"period_end_at\": \"2023-12-31T00:00:00Z\"",
      "period_end_at:period_end_before_start"},
     {"\"period_end_at\": \"2024-02-01T00:00:00+01:00\",", "", ""},
     {"\"balancing_period_start_at\": null,\n    \"supply_period_end_at\": null",
      "\"balancing_period_start_at\": \"2024-02-01T00:00:00Z\", \"supply_period_end_at\": "
      "\"2023-02-01T00:00:00Z\"",
      ""},
     {"\"amount_total\": 2499", "\"amount_total\": 9223372036854775807", ""},
     {"\"amount_total\": 2499", "\"amount_total\": -9223372036854775808", ""},
     {"\"amount_total\": 2499", "\"amount_total\": 9223372036854775808", "amount_total:max_value"},
     {"\"amount_total\": 2499", "\"amount_total\": -9223372036854775809", "amount_total:min_value"},
     {"\"amount_due\": 2499", "\"amount_due\": 24.99", "amount_due:invalid"},
     {"\"amount_due\": 2499", "\"amount_due\": \"2499\"", "amount_due:invalid"},
     {"\"amount_discount\": null", "\"amount_discount\": -1", ""},
     {"\"is_duplicate\": false", "\"is_duplicate\": null", "is_duplicate:null"},
     {"\"reference_document\": null", "\"reference_document\": \"\"", "reference_document:blank"},
     {"\"interchange_reference\": \"I-2024-0007\"", "\"interchange_reference\": null",
      "interchange_reference:null"},
     {"9900000000001", "0", ""},
     {"9900000000001", "-1", "sender_id:min_value"},
     {"9900000000002", "9999999999999", ""},
     {"9900000000002", "10000000000000", "recipient_id:max_value"},
     {"\"name\": \"Example Grid\",", "", "sender_address.name:required"},
     {"\"DE\"", "\"de\"", "sender_address.country_code:invalid"},
     {"\"DE\"", "\"DEU\"", "sender_address.country_code:invalid"},
     {"\"10115\"", "10115", "sender_address.postcode:invalid"},
     {"\"VA\"", long_text(9), "sender_address.tax_number_type:max_length"},
     {"\"position\": 1", "\"position\": 1000000", ""},
     {"\"position\": 1", "\"position\": 1000001", "line_items.0.position:max_value"},
     {"\"quantity_interval\": null", "\"quantity_interval\": 1e-400", ""},
     {"\"quantity_interval\": null", "\"quantity_interval\": []", "line_items.0.quantity_interval:invalid"},
     {"\"quantity_interval\": null", "\"quantity_interval\": \"\"", "line_items.0.quantity_interval:blank"},
     {"\"quantity_correction_factor\": null", "\"quantity_correction_factor\": true", ""},
     {"\"period_end_at\": \"2024-02-01T00:00:00+01:00\",\n        \"service",
      "\"period_end_at\": \"2023-02-01T00:00:00+01:00\",\n        \"service",
      "line_items.0.period_end_at:period_end_before_start"},
     {"\"amount_net\": 2100", "\"amount_net\": 1e2", "line_items.0.amount_net:invalid"},
     {"\"amount_adjustment\": null", "\"amount_adjustment\": 9223372036854775808",
      "line_items.0.amount_adjustment:max_value"},
     {"\"0.085671000\"", "\"0.0856710001\"", "line_items.0.price:max_decimal_places"},
     {"\"19.0000\"", "\"10000\"", "line_items.0.tax_rate:max_digits"},
     {"\"19.0000\"", "19.00001", "line_items.0.tax_rate:max_decimal_places"},
     {"\"external_id\": \"INV-42-1\"", "\"external_id\": \"\"", "line_items.0.external_id:blank"},
     {"\"tax_amount\": 399", "\"tax_amount\": 399.0", "tax_amounts.0.tax_amount:invalid"},
     {"\"tax_amount_assessment_basis\": 2100,", "", "tax_amounts.0.tax_amount_assessment_basis:required"},
     {"\"amount_paid_in_advance\": null", "\"amount_paid_in_advance\": {}",
      "tax_amounts.0.amount_paid_in_advance:invalid"},
     {"\"paid_in_advance_amounts\": []", "\"paid_in_advance_amounts\": [{}]",
      "paid_in_advance_amounts:max_items"},
     {"\"paid_in_advance_amounts\": []", "\"paid_in_advance_amounts\": null",
      "paid_in_advance_amounts:null"}}};

/// The import that the endpoint would send to the database.
store::Import imported(const http::Endpoint& endpoint, const std::string& body) {
    http::Request request;
    request.request_id = "0123456789abcdef0123456789abcdef";
    const auto access = std::make_shared<store::ApiKeyAccess>("7", "o");
    const http::Context context{.request = request, .document = json::read(body), .access = access};
    return endpoint.import(context);
}

std::string column(const store::Import& import, std::string_view name) {
    const json::Document row = json::read(import.row);
    return std::string(row.root().at(name).text());
}

/// Returns a line `NAME VALUE` for each figure, with a line break before each.
std::string figures(const http::Endpoint& endpoint, const std::string& body) {
    std::vector<std::string> parameters;
    imported(endpoint, body).rows.at(0).take_parameters(parameters);
    std::istringstream names(tests::elements_of(parameters.at(1)));
    std::istringstream values(tests::elements_of(parameters.at(2)));
    std::string lines = "\n";
    for (std::string name, value; std::getline(names, name, '|') && std::getline(values, value, '|');)
        ((lines += name) += ' ') += value + '\n';
    return lines;
}

}  // namespace

class DocumentsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(DocumentsTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(rows_name_account_and_origin);
    CPPUNIT_TEST(the_same_content_has_the_same_digest);
    CPPUNIT_TEST(other_content_has_another_digest);
    CPPUNIT_TEST(numbers_that_may_be_any_scalar_reach_the_database_as_sent);
    CPPUNIT_TEST(decimals_and_instants_reach_the_database_in_a_form_that_it_takes);
    CPPUNIT_TEST(fields_reach_the_database_as_columns);
    CPPUNIT_TEST(receipts_have_the_figures_of_a_document);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Table* table : {&delivery_note, &energy_amount, &invoice}) {
            for (const Row& row : table->rows) {
                tests::add_row(context, table->field + ": " + row.from + " -> " + row.to,
                               [table, row] { check(*table, row); });
            }
        }
    }

    void rows_name_account_and_origin() {
        const store::Import import =
            imported(invoice.endpoint, std::string(openapi::example_of(invoice.endpoint)));
        const std::string account_key = store::account_key("ACME", "4711");
        const std::string digest = column(import, "content_digest");
        CPPUNIT_ASSERT(import.fields == std::vector<std::string>({account_key, "ACME", digest}));
        CPPUNIT_ASSERT_EQUAL(digest, import.content);
        CPPUNIT_ASSERT_EQUAL(std::size_t{32}, digest.size());
        CPPUNIT_ASSERT_EQUAL(std::string("0123456789abcdef0123456789abcdef"), column(import, "request_id"));
        CPPUNIT_ASSERT_EQUAL(std::string("7"), column(import, "api_key_id"));
        CPPUNIT_ASSERT_EQUAL(std::string("now"), column(import, "imported_at"));
        CPPUNIT_ASSERT_EQUAL(account_key, column(import, "account_key"));
    }

    void the_same_content_has_the_same_digest() {
        const std::string first = digest("4711", "4711");
        CPPUNIT_ASSERT_EQUAL(first, digest("\"245.123000000\"", "245.123"));
        CPPUNIT_ASSERT_EQUAL(first, digest("\"245.123000000\"", "2.45123e2"));
        CPPUNIT_ASSERT_EQUAL(first, digest("2024-01-01T00:00:00+01:00", "2023-12-31T23:00:00.0Z"));
        CPPUNIT_ASSERT_EQUAL(first, digest("\"KWH\"", "\"\\u004bWH\""));
        CPPUNIT_ASSERT_EQUAL(first, digest("\n", " "));
        // the digest leaves the account out, because the unique key has the account beside the digest
        CPPUNIT_ASSERT_EQUAL(first, digest("4711", "4712"));
    }

    void other_content_has_another_digest() {
        const std::string first = digest("4711", "4711");
        for (const auto& [from, to] : {std::pair("245.123000000", "245.1230001"), std::pair("KWH", "kWH"),
                                       std::pair("\"cancelled_at\": null,", ""), std::pair("[\"Z83\"]", "[]"),
                                       std::pair("\"cancelled\": false", "\"cancelled\": true")}) {
            CPPUNIT_ASSERT_MESSAGE(from, first != digest(from, to));
        }
    }

    void numbers_that_may_be_any_scalar_reach_the_database_as_sent() {
        const auto sent = [](const std::string& number) {
            const store::Import import = imported(
                invoice.endpoint,
                changed(invoice.endpoint, "\"quantity_interval\": null", "\"quantity_interval\": " + number));
            const std::string& text = import.row;
            const std::string name = "\"quantity_interval\":";
            const std::size_t begin = text.find(name) + name.size();
            return text.substr(begin, text.find(',', begin) - begin);
        };
        for (const auto& [number, expected] :
             {std::pair("1.50", "1.50"), std::pair("-0", "-0"), std::pair("15e-1", "15e-1"),
              std::pair("0e400", "0e400"), std::pair("1e-20", "1e-20"), std::pair("\"1e2\"", "\"1e2\""),
              std::pair("true", "true")}) {
            CPPUNIT_ASSERT_EQUAL(std::string(expected), sent(number));
        }
    }

    /// The service rewrites some decimals and instants, because PostgreSQL refuses the number zero with
    /// certain exponents, such as `0E-999999`, and values of too many characters.
    void decimals_and_instants_reach_the_database_in_a_form_that_it_takes() {
        const auto declared =
            schema::object().may("n", schema::decimal(4, 2)).may("at", schema::nullable(schema::datetime()));
        const auto row = [&](const std::string& sent) {
            return store::row_of(declared, json::read(sent).root()).text;
        };
        const std::string zeros(20'000, '0');
        for (const auto& [sent, expected] :
             std::vector<std::pair<std::string, std::string>>{{"1.50", "1.50"},
                                                              {"\"-1.50\"", "\"-1.50\""},
                                                              {"15e-1", "1.5"},
                                                              {"-0e400", "0"},
                                                              {"0E-999999", "0"},
                                                              {"\"1.5" + zeros + "\"", "\"1.5\""},
                                                              {"\"-" + zeros + "." + zeros + "\"", "\"0\""},
                                                              {"\"" + zeros + "12.5\"", "\"12.5\""}})
            CPPUNIT_ASSERT_EQUAL("{\"n\":" + expected + "}", row("{\"n\":" + sent + "}"));
        CPPUNIT_ASSERT_EQUAL(std::string(R"({"at":"2024-01-31T23:00:00.1200000+01:00"})"),
                             row(R"({"at":"2024-01-31T23:00:00.1200000+01:00"})"));
        CPPUNIT_ASSERT_EQUAL(std::string(R"({"at":"2024-01-31T22:00:00.12Z"})"),
                             row("{\"at\":\"2024-01-31T23:00:00.12" + zeros + "+01:00\"}"));
    }

    void fields_reach_the_database_as_columns() {
        const auto row = [](const schema::Object& declared, const std::string& sent) {
            return store::row_of(declared, json::read(sent).root());
        };
        using schema::array;
        using schema::integer;
        using schema::nullable;
        using schema::object;
        using schema::text;
        const auto item = object().need("a", integer()).may("b", nullable(text(0, 9)));
        const auto declared = object()
                                  .may("one", nullable(text(0, 9)))
                                  .may("part", object().may("x", integer()).may("y", integer()))
                                  .may("codes", array(text(0, 9)))
                                  .may("lines", array(item))
                                  .may("amounts", array(item).columns("amount"));
        CPPUNIT_ASSERT_EQUAL(std::string(R"({"sent_as_null":"{one}"})"),
                             row(declared, R"({"one": null, "other": 1, "part": {}})").text);
        CPPUNIT_ASSERT_EQUAL(std::string("{}"), row(declared, R"({"other": null})").text);
        CPPUNIT_ASSERT_EQUAL(std::string(R"({"one":"1","part_x":1,"part_y":2,"codes":["a"]})"),
                             row(declared, R"({"part": {"y": 2, "x": 1}, "codes": ["a"], "one": "1"})").text);
        CPPUNIT_ASSERT_EQUAL(
            std::string(R"({"has_lines":true,"lines":[{"ordinal":0,"a":1,"sent_as_null":"{b}"},)"
                        R"({"ordinal":1,"a":2,"b":"x"}],"sent_as_null":"{one}"})"),
            row(declared,
                R"({"one": null, "lines": [{"a": 1, "b": null}, {"ordinal": 7, "b": "x", "a": 2}]})")
                .text);
        CPPUNIT_ASSERT_EQUAL(std::string(R"({"has_lines":true,"lines":[]})"),
                             row(declared, R"({"lines": []})").text);
        store::RecordRow columns = row(declared, R"({"amounts": [{"a": 1}, {"a": 2, "b": "\""}]})");
        CPPUNIT_ASSERT_EQUAL(std::string("{}"), columns.text);
        CPPUNIT_ASSERT_EQUAL(std::size_t{2}, columns.columns.size());
        CPPUNIT_ASSERT_EQUAL(std::string("1|2"), tests::elements_of(columns.columns[0].take()));
        CPPUNIT_ASSERT_EQUAL(std::string("NULL|\""), tests::elements_of(columns.columns[1].take()));
        columns = row(declared, R"({"amounts": [{"a": 1, "b": "x"}, {"a": 1, "b": "x"}]})");
        CPPUNIT_ASSERT_EQUAL(std::string("1|1"), tests::elements_of(columns.columns[0].take()));
        CPPUNIT_ASSERT_EQUAL(std::string("x"), tests::elements_of(columns.columns[1].take()));
    }

    void receipts_have_the_figures_of_a_document() {
        CPPUNIT_ASSERT_EQUAL(
            std::string("\nrecords 1\namounts 3\nquantity:KWH 245.123\nquantity:u 2\n"),
            figures(delivery_note.endpoint, changed(delivery_note.endpoint, "\"amounts\": [",
                                                    "\"amounts\": [" + repeated(amount, 2))));
        CPPUNIT_ASSERT_EQUAL(
            std::string("\nrecords 1\nquantity:k\"\\ -0.000015\n"),
            figures(energy_amount.endpoint, changed(energy_amount.endpoint, R"("245.123000000",
    "quantity_unit": "KWH")",
                                                    R"(-1.5e-5, "quantity_unit": "k\"\\")")));
        const std::string of_invoice = figures(
            invoice.endpoint,
            changed(invoice.endpoint, "\"amount_total\": 2499", "\"amount_total\": -9223372036854775808"));
        for (const char* line :
             {"\nrecords 1\n", "\namount_total -9223372036854775808\n", "\nline_items 1\n"})
            CPPUNIT_ASSERT_MESSAGE(of_invoice, of_invoice.find(line) != std::string::npos);
    }

private:
    static void check(const Table& table, const Row& row) {
        std::istringstream relative(row.violations);
        std::string expected;
        for (std::string violation; relative >> violation;) {
            if (!expected.empty()) expected += ' ';
            expected += violation.front() == '/' ? violation.substr(1) : table.field + '.' + violation;
        }
        CPPUNIT_ASSERT_EQUAL(expected,
                             tests::summary(*table.endpoint.body, changed(table.endpoint, row.from, row.to)));
    }

    static std::string digest(const std::string& from, const std::string& to) {
        return column(imported(energy_amount.endpoint, changed(energy_amount.endpoint, from, to)),
                      "content_digest");
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(DocumentsTest);

}  // namespace data_import

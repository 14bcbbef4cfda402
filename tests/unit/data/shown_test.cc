// schema: the part of a sent value that a violation shows (contract, section 3.3).
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>
#include <vector>

#include "../../schema_summary.h"
#include "../../table.h"
#include "data/json/reader.h"
#include "data/payload/imports.h"
#include "data/schema/schema.h"

namespace data_import {

namespace {

using namespace schema;
using tests::repeated;

std::string first_told(const Schema& schema, const std::string& payload) {
    const json::Document document = json::read(payload);
    const auto violations = check(schema, document.root(), UnknownFields::refuse);
    return violations.empty() ? "" : violations.front().told();
}

struct Row {
    std::string name;
    Schema schema;
    std::string value;
    std::string end;  ///< the sentence about how `value` violates `schema` has to end with this text
};

const std::vector<Row> rows = {
    {"a decimal with a unit", decimal(12, 2), "\"12.50 \xE2\x82\xAC\"",
     "a number. It is \"12.50 \xE2\x82\xAC\"."},
    {"a decimal of another type", decimal(12, 2), "true", "like \"-12.50\". It is true."},
    {"too many places", decimal(12, 2), "1.234", "do not count. It is 1.234."},
    {"a long number", decimal(12, 2), repeated("1", 50),
     "decimal point. It is " + repeated("1", 40) + "...."},
    {"a positive decimal", positive_decimal(12, 2), R"("0")", "greater than 0. It is \"0\"."},
    {"an integer", integer(1, 5), "6", "greater than 5. It is 6."},
    {"an integer as a string", integer(1, 5), R"("3")", "exponent. It is \"3\"."},
    {"a date", date(), R"("03.05.2024")", "YYYY-MM-DD. It is \"03.05.2024\"."},
    {"a time", datetime(), R"("2024-05-03 10:00:00Z")", "no blank. It is \"2024-05-03 10:00:00Z\"."},
    {"a choice", choice({"A", "B"}), R"("C")", "one of: A, B. It is \"C\"."},
    {"a boolean", boolean(), R"("ja")", "true or false. It is \"ja\"."},
    {"digits", digits(11), R"("123")", "11 digits. It is \"123\"."},
    {"a country", country_code(), R"("de")", "(A to Z). It is \"de\"."},
    {"a known text", known_text(64, "known", [](std::string_view) { return false; }), R"("PAYPAL")",
     "known. It is \"PAYPAL\"."},
    {"a code as a number", code(16), "4711", "a string. It is 4711."},
    {"a blank code", code(16), R"(" \u00a0")", "only. It is \" <U+00A0>\"."},
    {"a long code", code(16), '"' + repeated("x", 41) + '"',
     "16 characters. It is \"" + repeated("x", 40) + "...\"."},
    {"a code of 40", code(16), '"' + repeated("x", 40) + '"', "It is \"" + repeated("x", 40) + "\"."},
    {"long characters", code(16), '"' + repeated("\xC3\xA4", 41) + '"',
     "It is \"" + repeated("\xC3\xA4", 40) + "...\"."},
    {"a scalar", scalar(), R"("")", "only. It is \"\"."},
    {"or null", nullable(date()), R"("x")", "It is \"x\"."},
    {"control characters", date(), R"("\u001b[31m\n\u0085")", "It is \"<U+001B>[31m<U+000A><U+0085>\"."},
    {"direction controls", date(), R"("\u202e1")", "It is \"<U+202E>1\"."},
    {"an invisible character", date(), R"("2024-05-03\u200b")", "It is \"2024-05-03<U+200B>\"."},
    {"an array", date(), "[1]", "a string with a date like \"2024-02-29\"."},
    {"an object", decimal(12, 2), "{}", "a decimal string like \"-12.50\"."},
    {"null", date(), "null", "must not be null."},
    {"free text as a number", text(1, 8), "4711", "must be a string."},
    {"long free text", text(1, 8), R"("of a customer")", "at most 8 characters."},
    {"an e-mail address", email(), R"("jane@example")", "name@example.org."},
    {"a phone number", phone(), R"("0049 1")", "the first not 0."},
    {"a document path", document_path(), R"("/jane/doe.pdf")", "URL scheme."},
    {"a text of an address", url_text(64), R"("../x")", "percent-encoded or not."},
    {"an unknown field", object(), R"({"name": 1})", "Known fields are: ."},
    {"an object's place", object(), R"("secret")", "must be an object."}};

struct PayloadRow {
    std::string name;
    std::string kind;  ///< a kind of payload::imports()
    std::string payload;
    std::string end;
};

std::string in_account(const std::string& members) {
    return R"({"import_supplier": "ACME", "external_account_number": "1", )" + members + "}";
}

std::string note(const std::string& members) {
    return in_account(R"("notes": [{)" + members + "}]");
}

std::string payment(const std::string& members) {
    return in_account(R"("transactions": [{"type": "PAYMENT", "transaction_id": "T1", "amount": "1.00", )"
                      R"("transaction_date": "2024-05-03")" +
                      members + "}]");
}

const std::vector<PayloadRow> payload_rows = {
    {"a rule across fields", "notes",
     note(R"("body": "x", "created_at": "2024-05-03T00:00:00Z", "unpin_at": "2024-05-02T00:00:00Z")"),
     "It is \"2024-05-02T00:00:00Z\"."},
    {"a body", "notes", note(R"("body": 4711)"), "must be a string."},
    {"a reason", "transactions", payment(R"(, "reason": 4711)"), "must be a string."},
    {"a note of a transaction", "transactions", payment(R"(, "note": 4711)"), "must be a string."},
    {"a reference", "transactions", payment(R"(, "reference": 4711)"), "must be a string."},
    {"a payment type", "transactions", payment(R"(, "payment_type": 4711)"), "It is 4711."},
    {"an account number", "notes",
     R"({"import_supplier": "ACME", "external_account_number": 1000002, "notes": [{"body": "x"}]})",
     "must be a string. It is 1000002."},
    {"a repeated identifier", "transactions",
     in_account(R"("transactions": [{"type": "PAYMENT", "transaction_id": "T1", "amount": "1.00", )"
                R"("transaction_date": "2024-05-03"}, {"type": "PAYMENT", "transaction_id": "T1", )"
                R"("amount": "1.00", "transaction_date": "2024-05-03"}])"),
     "more than once. It is \"T1\"."}};

}  // namespace

class ShownTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(ShownTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_values);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_payloads);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_values(TestSuiteBuilderContextType& context) {
        for (const Row& row : rows) {
            tests::add_row(context, row.name, [row] {
                const std::string told =
                    first_told(object().may("field", row.schema), "{\"field\":" + row.value + "}");
                CPPUNIT_ASSERT_MESSAGE(told, told.ends_with(row.end));
            });
        }
    }

    static void add_payloads(TestSuiteBuilderContextType& context) {
        for (const PayloadRow& row : payload_rows) {
            tests::add_row(context, row.name, [row] {
                const std::string told = first_told(payload::import_of(row.kind).body, row.payload);
                CPPUNIT_ASSERT_MESSAGE(told, told.ends_with(row.end));
            });
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(ShownTest);

}  // namespace data_import

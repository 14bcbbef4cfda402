// Transactions: the fields of each type, the rules between the fields, and their echo in the answer.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include "../../schema_summary.h"
#include "../../table.h"
#include "data/payload/declarations.h"
#include "data/store/transactions.h"
#include "service/api/endpoints.h"
#include "service/api/transactions_echo.h"
#include "service/http/problem.h"

namespace data_import::tests {

namespace {

/// A transaction that is checked. Its members are those in the constant `any`, which every row has, and then
/// those in `more`.
struct Row {
    std::string more;
    std::string violations;  ///< as `attr:code`, without `transactions.0.`
};

const std::string any = R"("transaction_id":"1","transaction_date":"2024-05-01","amount":1)";
const std::string line =
    R"("start_date":"2024-05-01","end_date":"2024-05-01","number_of_units":1,"net_amount":1)";
const std::string tax = R"("amount":1,"tax_type":"VAT","value_taxed":1,"rate":1,"unit_type":"PROPORTION")";

std::string supply(const std::string& more_of_line) {
    return R"("type":"SUPPLY_CHARGE","product_code":"P","line_items":[{)" + line + more_of_line + "}]";
}

const std::vector<Row> rows = {
    {R"("type":"CHARGE","reason":"R")", ""},
    {R"("type":"CHARGE","reason":"R","note":"n","display_note":"d","tax_items":[{)" + tax + "}]", ""},
    {R"("type":"CHARGE")", "reason:required"},
    {R"("type":"CHARGE","reason":"R","reference":"r")", "reference:unknown_field"},
    {R"("type":"CREDIT","reason":"R","note":"n","display_note":"d")", ""},
    {R"("type":"CREDIT","reason":"R","tax_items":[])", "tax_items:unknown_field"},
    {R"("type":"CREDIT","reason":")" + std::string(65, 'x') + "\"", "reason:max_length"},
    {R"("type":"PAYMENT")", ""},
    {R"("type":"PAYMENT","reason":"R","reference":"r","payment_type":"p","note":"n","display_note":"d")", ""},
    {R"("type":"REPAYMENT","reason":"R","reference":"r","payment_type":"p","note":"n","display_note":"d")",
     ""},
    {R"("type":"REPAYMENT","product_code":"p","line_items":[],"tax_items":[])",
     "product_code:unknown_field line_items:unknown_field tax_items:unknown_field"},
    {R"("type":"PAYMENT","payment_type":null)", "payment_type:null"},
    {R"("type":"REFUND","reason":1)", "type:invalid_choice"},
    {R"("type":"charge")", "type:invalid_choice"},
    {R"("reason":"R")", "type:required"},
    {R"("type":null)", "type:null"},
    {supply(""), ""},
    {supply(R"(,"price_per_unit":1.1234567,"rate_band":"B","units":[1,"2.5"])"), ""},
    {supply("") + R"(,"display_note":"d","note":"n","tax_items":[])", ""},
    {supply("") + R"(,"reason":"R")", "reason:unknown_field"},
    {supply("") + R"(,"reference":"R")", "reference:unknown_field"},
    {R"("type":"SUPPLY_CHARGE")", "product_code:required line_items:required"},
    {R"("type":"SUPPLY_CHARGE","product_code":"P","line_items":[])", "line_items:empty"},
    {R"("type":"SUPPLY_CHARGE","product_code":"P","line_items":[{}])",
     "line_items.0.start_date:required line_items.0.end_date:required "
     "line_items.0.number_of_units:required line_items.0.net_amount:required"},
    {supply(R"(,"units":[])"), "line_items.0.units:line_item_units_must_be_two_values"},
    {supply(R"(,"units":[1])"), "line_items.0.units:line_item_units_must_be_two_values"},
    {supply(R"(,"units":[1,2,"x"])"),
     "line_items.0.units:line_item_units_must_be_two_values line_items.0.units.2:invalid"},
    {supply(R"(,"units":["x",2])"), "line_items.0.units.0:invalid"},
    {supply(R"(,"units":1)"), "line_items.0.units:invalid"},
    {supply(R"(,"units":null)"), "line_items.0.units:null"},
    {supply(R"(,"price_per_unit":1.12345678)"), "line_items.0.price_per_unit:max_decimal_places"},
    {R"("type":"SUPPLY_CHARGE","product_code":"P","line_items":[{"start_date":"2024-05-02","end_date":"2024-05-01",)"
     R"("number_of_units":1,"net_amount":1}])",
     "line_items.0.end_date:start_date_later_than_end_date"},
    {R"("type":"SUPPLY_CHARGE","product_code":"P","line_items":[{"start_date":"2024-05-32","end_date":"2024-05-01",)"
     R"("number_of_units":1e12,"net_amount":1}])",
     "line_items.0.start_date:invalid line_items.0.number_of_units:max_digits"},
    {supply("") +
         R"(,"tax_items":[{"amount":1,"tax_type":"","value_taxed":1,"rate":1.123456,"unit_type":"X"}])",
     "tax_items.0.tax_type:blank tax_items.0.rate:max_decimal_places tax_items.0.unit_type:invalid_choice"},
    {supply("") + R"(,"tax_items":[)" + repeated("{" + tax + "},", 100) + "{" + tax + "}]",
     "tax_items:max_items"},
};

struct AmountRow {
    const char* type;
    const char* amount;
    const char* violation;  ///< code of the expected violation; empty: no violation
    const char* echoed;     ///< the amount as the answer repeats it if there is no violation
};

const std::vector<AmountRow> amounts = {
    {"CREDIT", "0", "", "0.00"},
    {"CREDIT", "-0.0", "", "0.00"},
    {"CREDIT", "-1.5", "", "-1.50"},
    {"CREDIT", "1e2", "", "100.00"},
    {"CREDIT", "15e-1", "", "1.50"},
    {"CREDIT", "\"007\"", "", "7.00"},
    {"CREDIT", "9999999999.99", "", "9999999999.99"},
    {"CREDIT", "10000000000", "max_digits", ""},
    {"CREDIT", "1.001", "max_decimal_places", ""},
    {"CREDIT", "\"1e2\"", "invalid", ""},
    {"CREDIT", "null", "null", ""},
    {"PAYMENT", "0.01", "", "0.01"},
    {"PAYMENT", "\"0.01\"", "", "0.01"},
    {"PAYMENT", "0", "min_value", ""},
    {"PAYMENT", "-0.00", "min_value", ""},
    {"PAYMENT", "\"0.00\"", "min_value", ""},
    {"REPAYMENT", "-1", "min_value", ""},
    {"REPAYMENT", "\"-1.5\"", "min_value", ""},
};

std::string payload(const std::string& transactions) {
    return R"({"import_supplier":"A","external_account_number":"1","transactions":[)" + transactions + "]}";
}

std::string violations_of(const std::string& transactions) {
    return summary(payload::transactions(), payload(transactions));
}

std::string with_prefix(std::string violations) {
    const std::string prefix = "transactions.0.";
    if (violations.empty()) return violations;
    for (std::size_t blank = violations.find(' '); blank != std::string::npos;
         blank = violations.find(' ', blank + 1)) {
        violations.insert(blank + 1, prefix);
    }
    return prefix + violations;
}

std::string result_of(const std::string& transaction, const store::ImportedTransaction& imported) {
    const json::Document document = json::read(transaction);
    json::Writer writer;
    api::write_result(writer, document.root(), imported);
    return writer.take();
}

/// Returns a JSON object with the members `status`, `error_detail` and `transaction_data`, which show the
/// failing transaction of the payload `text`; an empty object if no transaction fails. In an answer, these
/// members stand before those that every refusal has, and only refusals of transactions have them.
std::string refusal_of(const std::string& text) {
    const http::Request request;
    const http::Context context{.request = request, .document = json::read(text)};
    const http::Problem problem = http::validation_error(
        schema::check(payload::transactions(), context.body(), schema::UnknownFields::refuse));
    json::Writer writer;
    writer.begin_object();
    api::write_failing_transaction(writer, context, problem);
    return writer.end_object().take();
}

}  // namespace

class TransactionsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(TransactionsTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_amounts);
    CPPUNIT_TEST(a_transaction_id_stands_in_a_payload_once);
    CPPUNIT_TEST(repetitions_bear_any_payload);
    CPPUNIT_TEST(an_added_transaction_is_echoed_as_sent_with_the_stored_fields);
    CPPUNIT_TEST(one_that_was_there_is_echoed_as_stored);
    CPPUNIT_TEST(the_first_failing_transaction_is_shown_as_sent);
    CPPUNIT_TEST(the_first_of_many_failing_transactions_is_shown);
    CPPUNIT_TEST(failures_elsewhere_show_no_transaction);
    CPPUNIT_TEST(bounds_tell_of_all_transactions_of_a_request);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : rows) {
            add_row(context, row.more, [row] {
                CPPUNIT_ASSERT_EQUAL(with_prefix(row.violations),
                                     violations_of("{" + any + "," + row.more + "}"));
            });
        }
    }

    static void add_amounts(TestSuiteBuilderContextType& context) {
        for (const AmountRow& row : amounts) {
            add_row(context, std::string(row.type) + " of " + row.amount, [row] { check_amount(row); });
        }
    }

    static void check_amount(const AmountRow& row) {
        const std::string transaction =
            R"({"transaction_id":"1","transaction_date":"2024-05-01","reason":"R","type":")" +
            std::string(row.type) + R"(","amount":)" + row.amount + "}";
        const std::string violation =
            *row.violation == '\0' ? "" : "transactions.0.amount:" + std::string(row.violation);
        CPPUNIT_ASSERT_EQUAL(violation, violations_of(transaction));
        if (!violation.empty()) return;
        const std::string result = result_of(transaction, {.transaction_date = "2024-05-01"});
        CPPUNIT_ASSERT_MESSAGE(
            result, result.find(R"("amount":")" + std::string(row.echoed) + "\"") != std::string::npos);
    }

    void a_transaction_id_stands_in_a_payload_once() {
        const auto credit = [](const std::string& id, const std::string& amount) {
            return R"({"transaction_date":"2024-05-01","type":"CREDIT","reason":"R","transaction_id":)" + id +
                   R"(,"amount":)" + amount + "}";
        };
        CPPUNIT_ASSERT_EQUAL(std::string(), violations_of(credit("\"1\"", "1") + "," + credit("\"2\"", "1")));
        CPPUNIT_ASSERT_EQUAL(std::string("transactions.0.amount:invalid "
                                         "transactions.2.transaction_id:duplicate_transaction_ids "
                                         "transactions.3.transaction_id:duplicate_transaction_ids"),
                             violations_of(credit("\"1\"", "\"x\"") + "," + credit("\"2\"", "1") + "," +
                                           credit("\"\\u0031\"", "1") + "," + credit("\"1\"", "1")));
        CPPUNIT_ASSERT_EQUAL(
            std::string("transactions.0.transaction_id:blank transactions.1.transaction_id:blank"),
            violations_of(credit("\"\"", "1") + "," + credit("\"\"", "1")));
    }

    void repetitions_bear_any_payload() {
        CPPUNIT_ASSERT_EQUAL(std::string("transactions.0:null transactions.1:invalid transactions.2:invalid"),
                             violations_of(R"(null,[],"x")"));
        CPPUNIT_ASSERT_EQUAL(std::string("transactions:empty"), violations_of(""));
        CPPUNIT_ASSERT_EQUAL(std::string("transactions:max_items"), violations_of([] {
                                 std::string items;
                                 for (int number = 0; number <= 1000; ++number) {
                                     items += (number == 0 ? "{" : ",{") +
                                              std::string(R"("type":"PAYMENT","transaction_id":")") +
                                              std::to_string(number % 1000) +
                                              R"(","transaction_date":"2024-05-01","amount":1})";
                                 }
                                 return items;
                             }()));
    }

    void an_added_transaction_is_echoed_as_sent_with_the_stored_fields() {
        const std::string sent =
            R"({"amount":1.5,"unknown":1,"type":"CHARGE","tax_items":[{"rate":0.190,"amount":"2.0","x":1}],)"
            R"("transaction_date":"2024-04-30","transaction_id":"ü","reason":"R"})";
        CPPUNIT_ASSERT_EQUAL(
            std::string(
                R"({"status":"TRANSACTION_ADDED_TO_ACCOUNT","transaction_data":{"amount":"1.50","type":"CHARGE",)"
                R"("tax_items":[{"rate":0.190,"amount":"2.0"}],"transaction_date":"2024-05-01",)"
                R"("transaction_id":"ü","reason":"R","description":"why"}})"),
            result_of(sent, {.transaction_date = "2024-05-01", .description = "why"}));
    }

    void one_that_was_there_is_echoed_as_stored() {
        const std::string sent =
            R"({"type":"PAYMENT","transaction_id":"1","transaction_date":"2024-04-30","amount":1})";
        CPPUNIT_ASSERT_EQUAL(
            std::string(
                R"({"status":"TRANSACTION_ALREADY_EXISTS","differs":true,"transaction_data":{"type":"CREDIT","amount":"2.00",)"
                R"("line_items":[{"net_amount":1.500}],"status":"TRANSACTION_IMPORT_SUCCESS"}})"),
            result_of(sent, {.stored = R"({"type" : "CREDIT", "amount" : "2.00", )"
                                       R"("line_items" : [{"net_amount" : 1.500}]})"}));
    }

    void the_first_failing_transaction_is_shown_as_sent() {
        CPPUNIT_ASSERT_EQUAL(
            std::string(
                R"({"status":"TRANSACTION_IMPORT_ERROR","error_detail":"The field reason is required.",)"
                R"("transaction_data":{"amount":1.50,"type":"CREDIT","transaction_id":"2","transaction_date":"2024-05-01"}})"),
            refusal_of(payload(R"({"type":"PAYMENT",)" + any + "}," +
                               R"({"amount" : 1.50,"type":"CREDIT","transaction_id":"2",)"
                               R"("transaction_date":"2024-05-01"},{"x":1})")));
        CPPUNIT_ASSERT_EQUAL(std::string(R"({"status":"TRANSACTION_IMPORT_ERROR","error_detail":)"
                                         R"("This value must not be null.","transaction_data":null})"),
                             refusal_of(payload("null")));
    }

    /// The answer shows the failing transaction that comes first in the payload, even if many faults of later
    /// ones were found before.
    void the_first_of_many_failing_transactions_is_shown() {
        const std::string supply_with_faults =
            R"({"transaction_id":"1","transaction_date":"2024-05-01","type":"SUPPLY_CHARGE","product_code":"P",)"
            R"("amount":1,"line_items":[1)" +
            repeated(",1", 150) + "]}";
        const std::string repeated_id =
            R"({"transaction_id":"1","transaction_date":"2024-05-01","type":"CREDIT","reason":"R","amount":2})";
        const std::string first =
            R"({"transaction_id":"1","transaction_date":"2024-05-01","type":"CREDIT","reason":"R","amount":1})";
        const std::string text = refusal_of(payload(first + "," + repeated_id + "," + supply_with_faults));
        CPPUNIT_ASSERT_EQUAL_MESSAGE(text, text.size() - repeated_id.size() - 1, text.rfind(repeated_id));
        const std::string all = violations_of(first + "," + repeated_id + "," + supply_with_faults);
        CPPUNIT_ASSERT(
            all.starts_with("transactions.1.transaction_id:duplicate_transaction_ids "
                            "transactions.2.transaction_id:duplicate_transaction_ids "
                            "transactions.2.line_items.0:invalid"));
        CPPUNIT_ASSERT(all.ends_with("transactions.2.line_items.97:invalid"));
    }

    void failures_elsewhere_show_no_transaction() {
        const std::string good = R"({"type":"PAYMENT",)" + any + "}";
        const std::vector<std::string> payloads = {
            "[]",
            "1",
            "{}",
            payload(""),
            R"({"transactions":[)" + good + "]}",
            R"({"transactions":{"0":1}})",
            R"({"import_supplier":"A","external_account_number":"1","transactions.0":1,"transactions":[)" +
                good + "]}",
        };
        for (const std::string& text : payloads) {
            CPPUNIT_ASSERT_EQUAL_MESSAGE(text, std::string("{}"), refusal_of(text));
        }
    }

    /// The bounds are the first and the last id in the order of their bytes, as in PostgreSQL's collation C.
    void bounds_tell_of_all_transactions_of_a_request() {
        std::string sent;
        for (const auto& [id, date] : std::initializer_list<std::pair<std::string, std::string>>{
                 {"b", "2024-05-09"}, {"Ä", "2023-12-31"}, {"B10", "2024-05-10"}, {"a", "2024-01-01"}}) {
            sent += sent.empty() ? "" : ",";
            sent += R"({"type":"CREDIT","reason":"R","amount":1,"transaction_id":")" + id +
                    R"(","transaction_date":")" + date + "\"}";
        }
        http::Request request;
        request.request_id = "aa";
        request.body = payload(sent);
        const auto access = std::make_shared<store::ApiKeyAccess>("7", "o");
        const http::Context context{
            .request = request,
            .query = {{{"check_previously_added", "false"}, {"force_add_to_current_statement", "true"}}},
            .document = json::read(request.body),
            .access = access};
        const store::Import import = api::transactions_create().import(context);
        const std::vector<std::string> own(import.fields.begin() + 4, import.fields.end());
        CPPUNIT_ASSERT(
            (std::vector<std::string>{"f", "t", "262144", "B10", "Ä", "2023-12-31", "2024-05-10"} == own));
        CPPUNIT_ASSERT(!import.retryable);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(TransactionsTest);

}  // namespace data_import::tests

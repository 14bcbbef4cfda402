// Transactions: the same ones in concurrent requests, many in one request, and numbers that keep all their
// digits.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <Poco/JSON/Array.h>
#include <Poco/JSON/Object.h>

#include <map>
#include <thread>

#include "../../support/answer_check.h"
#include "../../support/at_once.h"
#include "../../support/json_match.h"
#include "../../support/load.h"
#include "../../support/world.h"
#include "data/json/reader.h"
#include "data/json/writer.h"
#include "data/store/import.h"
#include "service/api/endpoints.h"

namespace data_import::tests {

namespace {

/// The query parameters of a request.
struct How {
    bool check_previously_added = true;
    bool force_add_to_statement = true;
};

/// Transactions `PREFIX0`, `PREFIX1`, ... of one date.
std::string transactions(int count, const std::string& date, const std::string& prefix = "T-") {
    json::Writer writer;
    writer.begin_array();
    for (int number = 0; number < count; ++number) {
        writer.begin_object().key("transaction_id").string(prefix + std::to_string(number));
        writer.key("transaction_date").string(date).key("amount").raw("1.5");
        writer.key("type").string("CREDIT").key("reason").string("IMPORTED_CREDIT").end_object();
    }
    return writer.end_array().take();
}

/// Transactions `S-0`, `S-1`, ..., each with `items` line items.
std::string request_of_supplies(int count, int items) {
    json::Writer writer;
    writer.begin_array();
    for (int number = 0; number < count; ++number) {
        writer.begin_object().key("transaction_id").string("S-" + std::to_string(number));
        writer.key("transaction_date").string("2024-04-30").key("amount").raw("1.5");
        writer.key("type")
            .string("SUPPLY_CHARGE")
            .key("product_code")
            .string("P")
            .key("line_items")
            .begin_array();
        for (int item = 0; item < items; ++item) {
            writer.begin_object().key("start_date").string("2024-04-01").key("end_date").string("2024-04-30");
            writer.key("number_of_units").raw("1").key("net_amount").raw("1").end_object();
        }
        writer.end_array().end_object();
    }
    return writer.end_array().take();
}

/// Returns for each status in the answer's list `results` the number of items with this status.
std::map<std::string, int> statuses_in(const Answer& answer) {
    std::map<std::string, int> statuses;
    const auto body = parse_json(answer.body).extract<Poco::JSON::Object::Ptr>();
    const auto results = body->getArray("results");
    for (unsigned index = 0; index < results->size(); ++index) {
        ++statuses[results->getObject(index)->getValue<std::string>("status")];
    }
    return statuses;
}

void require_status(int expected, const Answer& answer) {
    CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), expected, answer.status);
}

}  // namespace

class TransactionsSystemTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(TransactionsSystemTest);
    CPPUNIT_TEST(a_period_that_closes_meanwhile_leaves_all_or_nothing);
    CPPUNIT_TEST(a_note_on_many_moved_transactions_is_bounded);
    CPPUNIT_TEST(many_moved_transactions_can_be_repeated);
    CPPUNIT_TEST(stored_numbers_keep_their_digits);
    CPPUNIT_TEST(requests_of_one_call_do_not_know_of_each_other);
    CPPUNIT_TEST(receipts_carry_the_sums_of_stored_records);
    CPPUNIT_TEST(a_short_request_asks_for_no_long_answer);
    CPPUNIT_TEST_SUITE_END();

public:
    /// The answer to a repeat has all stored fields. A short request is refused if this answer would be far
    /// longer than the request.
    void a_short_request_asks_for_no_long_answer() {
        constexpr int supplies = 20;
        const std::string account = account_with_period();
        const std::string sent = request_of_supplies(supplies, 200);
        require_status(201, ask(world().stack(), request(account, sent)));
        const Answer repeated = ask(world().stack(), request(account, sent));
        require_status(201, repeated);
        CPPUNIT_ASSERT_EQUAL(supplies, statuses_in(repeated)["TRANSACTION_ALREADY_EXISTS"]);
        const Answer refused =
            ask(world().stack(), request(account, transactions(supplies + 1, "2024-04-30", "S-")));
        require_status(413, refused);
        CPPUNIT_ASSERT_EQUAL(std::string("payload_too_large"), parse_error_body(refused.body).code);
        CPPUNIT_ASSERT_EQUAL(static_cast<long>(supplies), stored("financial_transaction", account));
        require_status(201, ask(world().stack(), request(account, transactions(2, "2024-04-30", "S-"))));
    }

    void a_period_that_closes_meanwhile_leaves_all_or_nothing() {
        const std::string account = account_with_period();
        std::thread closing([&] { run_ctl(world().stack(), "statement close ACME " + account); });
        const std::vector<Answer> answers = ask_at_once(world().stack(), 16, [&](std::size_t number) {
            return request(account, transactions(200, "2024-05-01", "C" + std::to_string(number) + "-"));
        });
        closing.join();
        long added = 0;
        for (const Answer& answer : answers) {
            if (answer.status != 400) require_status(201, answer);
            added += answer.status == 201 ? 200 : 0;
        }
        CPPUNIT_ASSERT_EQUAL(added, stored("financial_transaction", account));
        require_status(400, ask(world().stack(), request(account, transactions(1, "2024-05-01", "later-"))));
    }

    void a_note_on_many_moved_transactions_is_bounded() {
        const std::string account = account_with_period();
        const std::string prefix = std::string(120, 'x') + "\\n";
        require_status(201, ask(world().stack(), request(account, transactions(1000, "2024-06-01", prefix))));
        const std::string body = world().database().value(
            "SELECT body FROM data_import.note WHERE account_key = data_import.account_key('ACME', $1)",
            {account});
        const std::size_t line = body.find('\n', body.find('\n') + 1) - body.find('\n');
        CPPUNIT_ASSERT_MESSAGE(std::to_string(body.size()),
                               body.size() <= 65536 && body.size() + line + 3 > 65536);
        CPPUNIT_ASSERT(body.starts_with("1000 imported transactions were dated outside"));
        const std::size_t last = body.rfind("\nand ");
        CPPUNIT_ASSERT(last != std::string::npos && body.ends_with(" more"));
        const long lines = std::count(body.begin(), body.end(), '\n') - 1;
        CPPUNIT_ASSERT_EQUAL(1000L - lines, std::stol(body.substr(last + 5)));
    }

    /// The stored transactions are longer than those that were sent, because the service has added what it
    /// moved.
    void many_moved_transactions_can_be_repeated() {
        const std::string account = account_with_period();
        const std::string sent = transactions(1000, "2023-01-15", "M-");
        require_status(201, ask(world().stack(), request(account, sent)));
        const Answer repeated = ask(world().stack(), request(account, sent));
        require_status(201, repeated);
        CPPUNIT_ASSERT_EQUAL(1000, statuses_in(repeated)["TRANSACTION_ALREADY_EXISTS"]);
    }

    void stored_numbers_keep_their_digits() {
        const std::string account = account_with_period();
        const std::string sent =
            R"([{"transaction_id":"1","transaction_date":"2024-05-01","amount":1e1,"type":"SUPPLY_CHARGE",)"
            R"("product_code":"P","line_items":[{"start_date":"2024-05-01","end_date":"2024-05-02",)"
            R"("number_of_units":100000000000.1200,"net_amount":-0.0000000001,"price_per_unit":5e-05,)"
            R"("rate_band":"B","units":[1.50,0]}],"tax_items":[{"amount":"2.10","tax_type":"VAT",)"
            R"("value_taxed":3,"rate":0.190,"unit_type":"PROPORTION"}]}])";
        require_status(201, ask(world().stack(), request(account, sent)));
        const Answer again = ask(world().stack(), request(account, sent));
        require_status(201, again);
        CPPUNIT_ASSERT_EQUAL(
            std::string(
                R"({"results":[{"status":"TRANSACTION_ALREADY_EXISTS","transaction_data":{"type":"SUPPLY_CHARGE",)"
                R"("transaction_id":"1","transaction_date":"2024-05-01","amount":"10.00","product_code":"P",)"
                R"("line_items":[{"start_date":"2024-05-01","end_date":"2024-05-02",)"
                R"("number_of_units":100000000000.1200,"net_amount":-0.0000000001,"price_per_unit":5e-05,)"
                R"("rate_band":"B","units":[1.50,0]}],"tax_items":[{"amount":"2.10","tax_type":"VAT",)"
                R"("value_taxed":3,"rate":0.190,"unit_type":"PROPORTION"}],)"
                R"("status":"TRANSACTION_IMPORT_SUCCESS"}}]})"),
            again.body);
    }

    void requests_of_one_call_do_not_know_of_each_other() {
        std::vector<std::string> accounts;
        for (int count = 0; count < 5; ++count) accounts.push_back(account_with_period());
        accounts.push_back(world().take_account("imported"));  // has no open statement period
        accounts.push_back("there is no such account");
        const std::string inside = payment("A", "2024-05-02");
        const std::string before = payment("B", "2024-04-30");
        carry_out({import("ACME", accounts[1], {inside, before})});
        using Rows = std::vector<std::vector<std::string>>;
        const Rows rows = carry_out({
            import("ACME", accounts[0], {inside, supply("S")}),
            import("ACME", accounts[1], {payment("C", "2024-05-02"), inside}),
            import("ACME", accounts[2], {inside, before}),
            import("ACME", accounts[3], {inside, before}, {.force_add_to_statement = false}),
            import("ACME", accounts[4], {inside, supply("S")}),
            import("ACME", accounts[5], {inside, before}),
            import("ACME", accounts[6], {inside}),
        });
        const Rows expected = {{"1", "done", "", "", ""},
                               {"2", "done", "1", "", ""},
                               {"3", "done", "1", "2024-05-01", ""},
                               {"4", "transaction_outside_statement_period", "1", "", "2024-05-01"},
                               {"5", "done", "", "", ""},
                               {"6", "no_open_statement_period", "0", "", ""},
                               {"7", "account_not_found", "", "", ""}};
        CPPUNIT_ASSERT_EQUAL(expected.size(), rows.size());
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const std::vector<std::string>& got = rows[row];
            const bool is_known = !got[5].empty();
            CPPUNIT_ASSERT_EQUAL(row == 1, is_known);
            CPPUNIT_ASSERT_MESSAGE(
                got[0] + got[1] + got[2] + got[3] + got[6],
                (expected[row] ==
                 std::vector<std::string>{got[0], got[1], got[2], is_known ? "" : got[3], got[6]}));
        }
        const std::vector<long> stored_ones = {2, 3, 2, 0, 2, 0};
        for (std::size_t at = 0; at < stored_ones.size(); ++at)
            CPPUNIT_ASSERT_EQUAL(stored_ones[at], stored("financial_transaction", accounts[at]));
        for (const std::size_t at : {0, 4}) {
            CPPUNIT_ASSERT_EQUAL(std::string("S|1|0,S|1|1"), items_of("line", accounts[at]));
            CPPUNIT_ASSERT_EQUAL(std::string("S|1|0"), items_of("tax", accounts[at]));
        }
    }

    void receipts_carry_the_sums_of_stored_records() {
        const std::string code = world().take_fresh();
        run_ctl(world().stack(), "supplier create " + code + " --name X");
        import_accounts(world().database(), code, "A", 3);
        for (const char* account : {"A00001", "A00002"})
            world().database().rows("SELECT data_import.statement_open($1, $2, '2024-05-01', '2024-05-31')",
                                    {code, account});
        const std::string inside = payment("A", "2024-05-02");
        carry_out({import(code, "A00001", {inside, payment("B", "2024-04-01"), supply("S")}),
                   import(code, "A00002", {inside}), import(code, "A00003", {inside})});
        carry_out({import(code, "A00001", {inside, supply("S"), supply("T")})});
        carry_out({import(code, "A00002", {inside}, {.check_previously_added = false})});
        CPPUNIT_ASSERT_EQUAL(
            std::string(
                "notes pinned 1, transactions amount:PAYMENT 6.00, transactions amount:SUPPLY_CHARGE 21.42, "
                "transactions records 6"),
            world().database().value(
                "SELECT string_agg(kind || ' ' || figure || ' ' || value, ', ' ORDER BY kind, figure) FROM "
                "(SELECT kind, figure, sum(value) AS value FROM "
                "(SELECT import_supplier, kind, figure, value FROM data_import.import_receipt UNION ALL "
                "SELECT import_supplier, kind, figure, value FROM data_import.import_total) AS every "
                "WHERE import_supplier = $1 AND kind IN ('notes', 'transactions') GROUP BY 1, 2) AS figures",
                {code}));
    }

private:
    static std::string payment(const std::string& id, const std::string& date) {
        return R"({"transaction_id":")" + id + R"(","type":"PAYMENT","amount":"1.50","transaction_date":")" +
               date + "\"}";
    }

    /// A payload with two line items and a tax item.
    static std::string supply(const std::string& id) {
        const std::string item =
            R"({"start_date":"2024-05-01","end_date":"2024-05-31","number_of_units":"200","net_amount":"4.5"})";
        return R"({"transaction_id":")" + id +
               R"(","type":"SUPPLY_CHARGE","transaction_date":"2024-05-31","amount":"10.71","product_code":"P",)"
               R"("line_items":[)" +
               item + ',' + item +
               R"(],"tax_items":[{"amount":"1.71","tax_type":"VAT","value_taxed":"9","rate":"0.19",)"
               R"("unit_type":"PROPORTION"}]})";
    }

    static store::Import import(const std::string& supplier, const std::string& account,
                                const std::vector<std::string>& transactions, How how = {}) {
        std::string items;
        for (const std::string& transaction : transactions) items += (items.empty() ? "" : ",") + transaction;
        http::Request request;
        request.request_id = "00000000000000000000000000000001";
        const http::Context context{
            .request = request,
            .query = {{{"check_previously_added", how.check_previously_added ? "true" : "false"},
                       {"force_add_to_current_statement", how.force_add_to_statement ? "true" : "false"}}},
            .document = json::read(R"({"import_supplier":")" + supplier + R"(","external_account_number":")" +
                                   account + R"(","transactions":[)" + items + "]}"),
            .access = std::make_shared<store::ApiKeyAccess>("1", "o")};
        return api::transactions_create().import(context);
    }

    /// Carries out all imports by one call.
    static std::vector<std::vector<std::string>> carry_out(const std::vector<store::Import>& imports) {
        std::vector<const store::Import*> all;
        for (const store::Import& one : imports) all.push_back(&one);
        const database::Call call = store::together(all);
        std::vector<std::string> parameters;
        for (const database::Parameter& parameter : call.parameters) parameters.push_back(parameter.value());
        return world().database().rows(call.sql, parameters, call.binary);
    }

    static std::string items_of(const std::string& kind, const std::string& account) {
        return world().database().value(
            "SELECT string_agg(transaction_id || '|' || copy || '|' || position, ',' ORDER BY position) "
            "FROM data_import.transaction_" +
                kind + "_item WHERE account_key = data_import.account_key('ACME', $1)",
            {account});
    }

    static std::string account_with_period() {
        const std::string account = world().take_account("imported");
        world().database().rows("SELECT data_import.statement_open('ACME', $1, '2024-05-01', '2024-05-31')",
                                {account});
        return account;
    }

    static long stored(const std::string& table, const std::string& account) {
        return world().database().count("SELECT count(*) FROM data_import." + table +
                                            " WHERE account_key = data_import.account_key('ACME', $1)",
                                        {account});
    }

    static HttpRequest request(const std::string& account, const std::string& items,
                               const std::string& query = "") {
        json::Writer writer;
        writer.begin_object().key("import_supplier").string("ACME");
        writer.key("external_account_number").string(account).key("transactions").raw(items).end_object();
        return {"POST",
                "/v1/data-import/transactions/create/" + query,
                {{"Host", "localhost"},
                 {"Authorization", "Token " + *world().shared("token")},
                 {"Content-Type", "application/json"}},
                writer.take()};
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(TransactionsSystemTest);

}  // namespace data_import::tests

// Account control totals and `reconcile`: held totals come from the records themselves, so that every change
// by an administrator is found.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <Poco/JSON/Array.h>
#include <Poco/JSON/Object.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "../../support/answer_check.h"
#include "../../support/command.h"
#include "../../support/json_match.h"
#include "../../support/load.h"
#include "../../support/world.h"

namespace data_import::tests {

namespace {

using Poco::JSON::Array;
using Poco::JSON::Object;

/// RECONCILE_ACCOUNTS=20000 makes a longer book.
int accounts_of_book() {
    const char* wanted = std::getenv("RECONCILE_ACCOUNTS");
    return wanted == nullptr ? 1000 : std::atoi(wanted);
}

__extension__ typedef unsigned __int128 Sum;

/// The sum of digests modulo 2^128, by other means than the service's.
class HexSum {
public:
    void add(const std::string& digits) {
        sum_ += static_cast<Sum>(half(digits, 0)) << 64 | half(digits, 16);
    }
    [[nodiscard]] std::string text() const {
        char text[33];
        std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(sum_ >> 64),
                      static_cast<unsigned long long>(sum_));
        return text;
    }

private:
    static unsigned long long half(const std::string& digits, std::size_t from) {
        return std::strtoull(digits.substr(from, 16).c_str(), nullptr, 16);
    }

    Sum sum_ = 0;
};

struct Endpoint {
    std::string path;
    std::string before;  ///< text of the payload between the account's number and the record
    std::string behind;  ///< text of the payload after the record
};

const std::map<std::string, Endpoint> endpoints = {
    {"notes", {"notes", R"("notes":[)", "]"}},
    {"transactions", {"transactions", R"("transactions":[)", "]"}},
    {"historical_statements", {"historical-statements", R"("statements":[)", "]"}},
    {"delivery_notes", {"delivery-note", R"("delivery_note":)", ""}},
    {"energy_amounts", {"energy-amount", R"("energy_amount":)", ""}},
    {"market_participant_invoices", {"market-participant-invoice", R"("market_participant_invoice":)", ""}},
};

Object::Ptr published_vectors() {
    std::ostringstream text;
    text << std::ifstream("tests/fingerprint-vectors.json").rdbuf();
    return parse_json(text.str()).extract<Object::Ptr>();
}

}  // namespace

class ReconcileTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(ReconcileTest);
    CPPUNIT_TEST(imported_records_have_their_published_fingerprints);
    CPPUNIT_TEST(a_change_by_an_administrator_is_found);
    CPPUNIT_TEST(a_declaration_may_be_long);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override {
        supplier_ = world().take_fresh();
        run_ctl(stack(), "supplier create " + supplier_ + " --name Proof");
        token_ = token_for(stack(), "Proof", supplier_);
    }

    void imported_records_have_their_published_fingerprints() {
        const Object::Ptr published = published_vectors();
        std::map<std::pair<std::string, std::string>, HexSum> expected;
        for (const auto& each : *published->getArray("vectors")) {
            const auto vector = each.extract<Object::Ptr>();
            const std::string kind = vector->getValue<std::string>("kind");
            const std::string number = vector->getValue<std::string>("external_account_number");
            make_account(number);
            expected[{number, kind}].add(vector->getValue<std::string>("digest"));
            import(kind, number, vector->getValue<std::string>("input"));
        }
        std::map<std::pair<std::string, std::string>, std::string> held;
        const Array::Ptr all = totals();
        for (const auto& each : *all) {
            const auto account = each.extract<Object::Ptr>();
            const auto kinds = account->getObject("kinds");
            for (const std::string& kind : kinds->getNames())
                held[{account->getValue<std::string>("external_account_number"), kind}] =
                    kinds->getObject(kind)->getValue<std::string>("fingerprint");
        }
        CPPUNIT_ASSERT_EQUAL(expected.size(), held.size());
        for (const auto& [place, sum] : expected)
            CPPUNIT_ASSERT_EQUAL_MESSAGE(place.first + " " + place.second, sum.text(), held[place]);
    }

    void a_change_by_an_administrator_is_found() {
        make_book();
        CPPUNIT_ASSERT_EQUAL(0, reconcile().status);
        CPPUNIT_ASSERT_EQUAL(accounts_of_book() * 7, count_of_kinds());

        change("DELETE FROM data_import.energy_amount WHERE account_key = $1", 3);
        change(
            "UPDATE data_import.financial_transaction SET amount = amount + 0.01 WHERE account_key = $1 AND "
            "type = 'CHARGE'",
            5);
        change("UPDATE data_import.note SET body = replace(body, 'letter', 'lettre') WHERE account_key = $1",
               7);
        change(
            "UPDATE data_import.transaction_line_item SET units = ARRAY[units[2], units[1]] WHERE "
            "account_key = $1",
            9);
        change(
            "INSERT INTO data_import.market_participant_invoice SELECT (json_populate_record(invoice, "
            "'{\"content_digest\": \"00000000-0000-0000-0000-000000000001\"}')).* "
            "FROM data_import.market_participant_invoice AS invoice WHERE account_key = $1",
            11);
        change(
            "UPDATE data_import.delivery_note SET amount_quantity[1] = amount_quantity[1] + 1 WHERE "
            "account_key = $1",
            13);
        change(
            "UPDATE data_import.delivery_note SET amount_quantity[1] = amount_quantity[1] - 1 WHERE "
            "account_key = $1",
            14);
        swap_charges(15, 16);

        const CommandResult found = reconcile();
        CPPUNIT_ASSERT_EQUAL(1, found.status);
        for (const char* line :
             {"B-00003\n  energy_amounts records: declared 1, stored 0\n",
              "B-00005\n  transactions amount: declared 42.50, stored 42.51\n  transactions fingerprint:",
              "B-00007\n  notes fingerprint:", "B-00009\n  transactions fingerprint:",
              "B-00011\n  market_participant_invoices records: declared 1, stored 2\n",
              "B-00013\n  delivery_notes amount: declared 3.5, stored 4.5\n",
              "B-00014\n  delivery_notes amount: declared 3.5, stored 2.5\n",
              "B-00015\n  transactions amount: declared 42.50, stored 43.50\n",
              "B-00016\n  transactions amount: declared 43.50, stored 42.50\n"})
            CPPUNIT_ASSERT_MESSAGE(found.output + found.errors, found.output.find(line) != std::string::npos);
        CPPUNIT_ASSERT_MESSAGE(found.output,
                               found.output.find(": 9 differences, 0 accepted ones\n") != std::string::npos);
        accepted_differences_are_explained();
    }

    /// The bodies are longer than workers of short bodies take; the second one is longer than a megabyte.
    void a_declaration_may_be_long() {
        for (const int units : {5'000, 50'000}) {
            std::string body = R"({"kinds": {"energy_amounts": {"sums": {)";
            for (int unit = 0; unit < units; ++unit)
                body += (unit > 0 ? R"(, "quantity:)" : R"("quantity:)") + std::string("UNIT-") +
                        std::to_string(unit) + R"(": "1.5")";
            body += "}}}}";
            HttpRequest request = get_request("/v1/data-import/control-totals/" + supplier_ + "/", token_);
            request.method = "PUT";
            request.headers.emplace_back("Content-Type", "application/json");
            request.body = body;
            const Answer answer = ask(stack(), request);
            // an object may have 10,000 members
            CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer).substr(0, 500), units <= 10'000 ? 200 : 400,
                                         answer.status);
        }
    }

private:
    static const Stack& stack() { return world().stack(); }

    void make_account(const std::string& number) {
        if (!made_.insert(number).second) return;
        for (const char* step : {"account_stage", "account_begin"})
            world().database().rows("SELECT data_import." + std::string(step) + "($1, $2)",
                                    {supplier_, number});
        world().database().rows(
            "SELECT data_import.account_complete($1, $2, NULL, now(), '2024-03-01', '2024-03-31')",
            {supplier_, number});
    }

    std::string payload(const std::string& kind, const std::string& number, const std::string& record) const {
        const Endpoint& endpoint = endpoints.at(kind);
        return R"({"import_supplier":")" + supplier_ + R"(","external_account_number":")" + number + "\"," +
               endpoint.before + record + endpoint.behind + "}";
    }

    void import(const std::string& kind, const std::string& number, const std::string& record) {
        if (kind == "payment_instructions") {
            const auto sent = parse_json(record).extract<Object::Ptr>();
            world().database().rows(
                "INSERT INTO data_import.payment_instruction (account_key, vendor, reference, type, status, "
                "details, request_id, "
                "api_key_id) VALUES (data_import.account_key($1, $2), $3, $4, $5, 'active', '{}', "
                "gen_random_uuid(), 1)",
                {supplier_, number, sent->getValue<std::string>("vendor"),
                 sent->getValue<std::string>("reference"), sent->getValue<std::string>("type")});
            return;
        }
        const Answer answer =
            ask(stack(), {.method = "POST",
                          .target = "/v1/data-import/" + endpoints.at(kind).path + "/create/",
                          .headers = {{"Host", "localhost"},
                                      {"Authorization", "Token " + token_},
                                      {"Content-Type", "application/json"}},
                          .body = payload(kind, number, record)});
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 201, answer.status);
    }

    Array::Ptr totals() {
        const Answer answer =
            ask(stack(), {.target = "/v1/data-import/account-control-totals/" + supplier_ + "/",
                          .headers = {{"Host", "localhost"}, {"Authorization", "Token " + token_}},
                          .body = ""});
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 200, answer.status);
        return parse_json(answer.body).extract<Array::Ptr>();
    }

    void make_book() {
        std::ofstream accounts(file("accounts.csv"));
        accounts << "external_account_number,state,service_account_number,account_created_at,statement_from,"
                    "statement_to\n";
        for (int account = 1; account <= accounts_of_book(); ++account)
            accounts << number_of(account) << ",imported,,2024-01-01T00:00:00Z,2024-03-01,2024-03-31\n";
        accounts.close();
        run_ctl(stack(), "account load " + supplier_ + " " + file("accounts.csv"));
        for (int account = 1; account <= accounts_of_book(); account += 250) import_some(account);
        world().database().rows(
            "INSERT INTO data_import.payment_instruction (account_key, vendor, reference, type, status, "
            "details, request_id, "
            "api_key_id) SELECT account_key, 'acme', 'r', 'CARD', 'active', '{}', gen_random_uuid(), 1 "
            "FROM data_import.account WHERE import_supplier = $1",
            {supplier_});
        const Array::Ptr held = totals();
        write_declared(*held);
    }

    void import_some(int first) {
        std::string lines;
        for (int account = first; account < first + 250 && account <= accounts_of_book(); ++account) {
            for (const auto& [kind, record] : book_records(account))
                lines += R"({"path":"/v1/data-import/)" + endpoints.at(kind).path + R"(/create/","body":)" +
                         payload(kind, number_of(account), record) + "}\n";
        }
        const Answer answer = ask(stack(), {.method = "POST",
                                            .target = "/v1/data-import/bulk/?results=errors",
                                            .headers = {{"Host", "localhost"},
                                                        {"Authorization", "Token " + token_},
                                                        {"Content-Type", "application/x-ndjson"}},
                                            .body = lines});
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer).substr(0, 2000), 200, answer.status);
    }

    static std::string charge_of(int account) { return account % 2 == 0 ? "13.50" : "12.50"; }

    static std::vector<std::pair<std::string, std::string>> book_records(int account) {
        static const std::string energy_amount = vector_input("energy_amounts");
        static const std::string invoice = vector_input("market_participant_invoices");
        return {
            {"notes",
             R"({"body":"a letter","created_at":"2024-01-01T00:00:00Z"},{"body":"now","is_pinned":true})"},
            {"transactions",
             R"({"type":"CHARGE","transaction_id":"1","transaction_date":"2024-03-05","reason":"R","amount":)" +
                 charge_of(account) +
                 R"(},)"
                 R"({"type":"SUPPLY_CHARGE","transaction_id":"2","transaction_date":"2020-01-01","amount":30,"product_code":"P",)"
                 R"("line_items":[{"start_date":"2024-03-01","end_date":"2024-03-31","number_of_units":1,"net_amount":1,"units":[1,2]}]})"},
            {"historical_statements",
             R"({"statement_id":"S","bill_period_from_date":"2023-01-01","bill_period_to_date":"2023-12-31","gross_amount":1})"},
            {"delivery_notes", document("delivery note, amounts", 3.5)},
            {"energy_amounts", energy_amount},
            {"market_participant_invoices", invoice}};
    }

    static std::string vector_input(const std::string& kind) {
        const Object::Ptr published = published_vectors();
        for (const auto& each : *published->getArray("vectors")) {
            const auto vector = each.extract<Object::Ptr>();
            if (vector->getValue<std::string>("kind") == kind) return vector->getValue<std::string>("input");
        }
        throw std::runtime_error("there is no vector of " + kind);
    }

    static std::string document(const std::string& reference, double quantity) {
        std::ostringstream text;
        text
            << R"({"malo_number":"12345678901","cancelled":false,"validation_status":true,"edifact_reference_number":")"
            << reference
            << R"(","amounts":[{"period_start_at":"2024-01-01T00:00:00Z","period_end_at":"2024-01-01T00:15:00Z",)"
            << R"("product_identifier":"1","product_identifier_type":"SRW","quantity":)" << quantity
            << R"(,"quantity_unit":"KWH","line_item_identifier":"1"}]})";
        return text.str();
    }

    /// Writes a supplier's file of totals that declares the held values.
    void write_declared(const Array& held) {
        std::ofstream declared(file("totals.csv"));
        declared << "external_account_number,kind,records,amount,fingerprint\n";
        static const std::map<std::string, std::string> amounts = {{"historical_statements", "1"},
                                                                   {"delivery_notes", "3.500"},
                                                                   {"energy_amounts", "0.000000001"},
                                                                   {"market_participant_invoices", ""}};
        for (const auto& each : held) {
            const auto account = each.extract<Object::Ptr>();
            const auto kinds = account->getObject("kinds");
            const auto number = account->getValue<std::string>("external_account_number");
            const bool is_even = (number.back() - '0') % 2 == 0;
            for (const std::string& kind : kinds->getNames()) {
                const auto found = amounts.find(kind);
                std::string amount = found == amounts.end() ? "" : found->second;
                if (kind == "transactions") amount = is_even ? "43.50" : "42.50";
                declared << number << ',' << kind << ',' << kinds->getObject(kind)->getValue<long>("records")
                         << ',' << amount << ','
                         << kinds->getObject(kind)->getValue<std::string>("fingerprint") << '\n';
            }
        }
    }

    int count_of_kinds() {
        int kinds = 0;
        const Array::Ptr all = totals();
        for (const auto& each : *all)
            kinds += static_cast<int>(each.extract<Object::Ptr>()->getObject("kinds")->size());
        return kinds;
    }

    void change(const std::string& sql, int account) {
        world().database().rows(sql, {world().database().value("SELECT data_import.account_key($1, $2)",
                                                               {supplier_, number_of(account)})});
    }

    void swap_charges(int one, int other) {
        world().database().rows(
            "UPDATE data_import.financial_transaction SET amount = 26 - amount WHERE type = 'CHARGE' AND "
            "account_key IN (data_import.account_key($1, $2), data_import.account_key($1, $3))",
            {supplier_, number_of(one), number_of(other)});
    }

    void accepted_differences_are_explained() {
        std::ofstream(file("known.csv"))
            << "external_account_number,kind,reason\nB-00003,energy_amounts,\"lost, known\"\n"
               "B-00005,transactions,rounding\nB-00007,notes,spelling\nB-00009,transactions,swapped\n"
               "B-00011,market_participant_invoices,twice\nB-00013,delivery_notes,moved\n"
               "B-00014,delivery_notes,moved\nB-00015,transactions,swapped\nB-00016,transactions,swapped\n";
        const CommandResult accepted = reconcile("--accept " + file("known.csv"));
        CPPUNIT_ASSERT_EQUAL_MESSAGE(accepted.errors, 0, accepted.status);
        const CommandResult again = reconcile();
        CPPUNIT_ASSERT_EQUAL(0, again.status);
        CPPUNIT_ASSERT_MESSAGE(again.output, again.output.find(": lost, known\n") != std::string::npos);
        CPPUNIT_ASSERT_MESSAGE(again.output,
                               again.output.find(": 0 differences, 9 accepted ones\n") != std::string::npos);
        change(
            "UPDATE data_import.financial_transaction SET amount = amount + 0.01 WHERE account_key = $1 AND "
            "type = 'CHARGE'",
            5);
        CPPUNIT_ASSERT_EQUAL(1, reconcile().status);
    }

    CommandResult reconcile(const std::string& more = "") {
        return run_command(stack().value("CTL") + " reconcile " + supplier_ + " " + file("totals.csv") + " " +
                           more);
    }

    std::string file(const std::string& name) const {
        return (world().directory() / (supplier_ + "-" + name)).string();
    }

    static std::string number_of(int account) {
        char text[16];
        std::snprintf(text, sizeof text, "B-%05d", account);
        return text;
    }

    std::string supplier_;
    std::string token_;
    std::set<std::string> made_;
};

CPPUNIT_TEST_SUITE_REGISTRATION(ReconcileTest);

}  // namespace data_import::tests

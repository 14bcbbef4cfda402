// data-import-load --totals, --declare and --verify: the totals of files are those that the service holds.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <Poco/JSON/Object.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "../../support/command.h"
#include "../../support/json_match.h"
#include "../../support/stack.h"
#include "../../support/world.h"

namespace data_import::tests {

namespace {

using Poco::JSON::Object;

/// The address of an import, and the members of its body except supplier and account.
struct Import {
    std::string path;
    std::string members;
};

std::string vector_input(const std::string& kind) {
    std::ostringstream text;
    text << std::ifstream("tests/fingerprint-vectors.json").rdbuf();
    const auto published = parse_json(text.str()).extract<Object::Ptr>();
    for (const auto& each : *published->getArray("vectors")) {
        const auto vector = each.extract<Object::Ptr>();
        if (vector->getValue<std::string>("kind") == kind) return vector->getValue<std::string>("input");
    }
    throw std::runtime_error("there is no vector of " + kind);
}

/// Imports of one account, including repeats. Some records come from tests/fingerprint-vectors.json.
const std::vector<Import>& imports_of_account() {
    static const std::string charge =
        R"({"type":"CHARGE","transaction_id":"1","transaction_date":"2024-03-05","amount":12.50,"reason":"R"})";
    static const std::string moved =
        R"({"type":"PAYMENT","transaction_id":"2","transaction_date":"2020-01-01","amount":"30.0"})";
    static const std::string statement =
        R"({"statement_id":"S","bill_period_from_date":"2023-01-01","bill_period_to_date":"2023-12-31","gross_amount":)";
    static const std::vector<Import> imports = {
        {"notes/create/",
         R"("notes":[{"body":"a letter","created_at":"2024-01-01T00:00:00Z"},{"body":"now","is_pinned":true}])"},
        {"notes/create/",
         R"("notes":[{"body":"a letter","created_at":"2024-01-01T01:00:00+01:00"},{"body":"a letter"},)"
         R"({"body":"now"},{"body":"a letter","created_at":"2024-01-02T00:00:00.5Z"}])"},
        {"transactions/create/?force_add_to_current_statement=true",
         R"("transactions":[)" + charge + "," + moved + "]"},
        {"transactions/create/", R"("transactions":[)" + charge + "]"},
        {"transactions/create/?check_previously_added=false", R"("transactions":[)" + charge + "]"},
        {"historical-statements/create/", R"("statements":[)" + statement + "1.10}]"},
        {"historical-statements/create/", R"("statements":[)" + statement + R"("1.1","is_annulled":false}])"},
        {"delivery-note/create/", R"("delivery_note":)" + vector_input("delivery_notes")},
        {"energy-amount/create/", R"("energy_amount":)" + vector_input("energy_amounts")},
        {"energy-amount/create/", R"("energy_amount":)" + vector_input("energy_amounts")},
        {"market-participant-invoice/create/",
         R"("market_participant_invoice":)" + vector_input("market_participant_invoices")},
        {"payment-instruction/create/", R"("vendor":"NORDPAY","reference":"PI-1","type":"CARD")"},
        {"payment-instruction/create/", R"("vendor":"NORDPAY","reference":"PI-1","type":"CARD")"}};
    return imports;
}

}  // namespace

class LoadedTotalsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(LoadedTotalsTest);
    CPPUNIT_TEST(loaded_and_held_records_are_equal);
    CPPUNIT_TEST(transactions_that_are_stored_otherwise_are_told);
    CPPUNIT_TEST(a_supplier_that_is_unknown_keeps_no_other_from_its_proof);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override {
        supplier_ = world().take_fresh();
        run_ctl(stack(), "supplier create " + supplier_ + " --name Totals");
        directory_ = world().directory() / supplier_;
        std::filesystem::create_directory(directory_);
        std::ofstream(file("key")) << run_ctl(stack(),
                                              "key create --organisation Totals --supplier " + supplier_)
                                   << '\n';
        std::filesystem::permissions(file("key"), std::filesystem::perms::owner_read);
    }

    void loaded_and_held_records_are_equal() {
        make_accounts();
        write_book();
        require(1, load("--verify"), "DIFFERENT: 20 accounts compared, 20 differ\n");
        require(0, load("--no-journal"), "");
        require(0, load("--verify"), "EQUAL: 20 accounts compared, 0 differ\n");
        require(0, load("--totals --declare"), supplier_ + ": EQUAL\n");
        require(0, load("--totals --per-account " + file("totals.csv")), "notes records: 60\n");
        run_ctl(stack(), "reconcile " + supplier_ + " " + file("totals.csv"));

        world().database().rows(
            "UPDATE data_import.financial_transaction SET amount = amount + 0.01 WHERE account_key = "
            "data_import.account_key($1, $2) AND type = 'PAYMENT'",
            {supplier_, "B00007"});
        world().database().rows(
            "DELETE FROM data_import.energy_amount WHERE account_key = data_import.account_key($1, $2)",
            {supplier_, "B00020"});
        const CommandResult found = load("--verify");
        require(1, found,
                supplier_ +
                    " B00007\n  transactions amount:PAYMENT: files 30, stored 30.01\n"
                    "  transactions fingerprint: files ");
        require(1, found, supplier_ + " B00020\n  energy_amounts records: files 1, stored 0\n");
        require(1, found, "DIFFERENT: 20 accounts compared, 2 differ\n");
        require(1, load("--verify --json"), "\"verdict\":\"DIFFERENT\"}");
        only_held_records_are_found();
        declared_totals_differ();
    }

    /// Each run of the client sends a transaction that is stored with another date or other content. The
    /// client must report this after a dry run, a bulk request and a single request. The answers for
    /// `long.csv` are so long that the client parses one result at a time.
    void transactions_that_are_stored_otherwise_are_told() {
        make_accounts();
        const std::string head =
            "import_supplier,external_account_number,type,transaction_id,transaction_date,"
            "amount,reason\n";
        const std::string account = supplier_ + ",B00001,";
        std::ofstream(file("first.csv")) << head << account << "CHARGE,C-1,2024-03-05,12.50,R\n";
        require(0, load("", "first.csv"), "1 accepted");
        std::ofstream(file("moved.csv")) << head << account << "CHARGE,M-1,2020-03-05,12.50,R\n";
        for (const char* const options : {"--dry-run", "", "--single"})
            require(0, load(options, "moved.csv"), "1 transaction has the nearest date in the open");
        std::ofstream(file("second.csv")) << head << account << "CHARGE,C-2,2024-03-05,1.00,R\n"
                                          << account << "CHARGE,C-1,2024-03-05,99.99,R\n";
        std::ofstream long_one(file("long.csv"));
        long_one << "note," << head;
        for (int id = 1; id < 600; ++id)
            long_one << std::string(2000, 'n') << ',' << account << "CHARGE,L-" << id
                     << ",2024-03-05,1.00,R\n";
        long_one << ',' << account << "CHARGE,C-1,2024-03-05,99.99,R\n";
        long_one.close();
        for (const auto& [book, options, line] : {std::tuple("second.csv", "--dry-run", 3),
                                                  {"second.csv", "--single", 3},
                                                  {"second.csv", "", 3},
                                                  {"long.csv", "", 601},
                                                  {"long.csv", "--single", 601}}) {
            const std::string place = file(book) + " line " + std::to_string(line) + ": ";
            const std::string detail =
                "The account B00001 of " + supplier_ + " has the transaction_id C-1 with other content.";
            const CommandResult result =
                load(std::string(options) + " --rejects " + file("rejects/") + " --report " + file("report"),
                     book);
            require(1, result, "1 record is stored with other content, which does not change:\n");
            require(1, result, "stored_with_other_content at transactions.N: 1, such as " + place + detail);
            std::ifstream report(file("report"));
            const std::string told(std::istreambuf_iterator<char>(report), {});
            CPPUNIT_ASSERT_MESSAGE(told, told.find("\"line\":" + std::to_string(line)) != std::string::npos &&
                                             told.find(detail) != std::string::npos &&
                                             std::ranges::count(told, '\n') == 1);
            CPPUNIT_ASSERT(std::filesystem::is_empty(file("rejects")));
        }
    }

    void a_supplier_that_is_unknown_keeps_no_other_from_its_proof() {
        make_accounts();
        std::ofstream lines(file("book.csv"));
        lines << "import_supplier,external_account_number,body\n";
        for (const std::string& supplier : {"0" + supplier_, supplier_, supplier_ + "0"})
            lines << supplier << ",B00001,a letter\n" << supplier << ",B00002,\n";
        lines.close();
        require(1, load("--no-journal", "book.csv"), "1 accepted, 5 refused");
        const CommandResult declared = load("--totals --declare", "book.csv");
        const CommandResult verified = load("--verify", "book.csv");
        require(1, declared, supplier_ + ": EQUAL\n");
        require(1, verified, "DIFFERENT: 1 account compared, 0 differ, 2 not compared\n");
        for (const CommandResult& result : {declared, verified}) {
            for (const std::string& supplier : {"0" + supplier_, supplier_ + "0"})
                require_error(result,
                              "data-import-load: " + supplier + ": the service answers 404 not_found: ");
            require_error(result, "data-import-load: 3 records, 0 of them repeats\n");
            require_error(
                result,
                "left out requests that the service would refuse: 6 requests with 6 CSV records: 3 accepted");
        }
        require(1, load("--verify --json", "book.csv"), R"("not_compared":2,"verdict":"DIFFERENT"})");
        require(1, load("--totals --declare --json", "book.csv"), R"("verdict":"EQUAL")");
    }

private:
    static constexpr int accounts = 20;

    static const Stack& stack() { return world().stack(); }

    static std::string number_of(int account) { return "B" + std::to_string(100'000 + account).substr(1); }

    [[nodiscard]] std::string file(const std::string& name) const { return (directory_ / name).string(); }

    void make_accounts() const {
        std::ofstream rows(file("accounts.csv"));
        rows << "external_account_number,state,service_account_number,account_created_at,statement_from,"
                "statement_to\n";
        for (int account = 1; account <= accounts; ++account)
            rows << number_of(account) << ",imported,,2024-01-01T00:00:00Z,2024-03-01,2024-03-31\n";
        rows.close();
        run_ctl(stack(), "account load " + supplier_ + " " + file("accounts.csv"));
    }

    void write_book() const {
        std::ofstream book(file("book.ndjson"));
        for (const Import& import : imports_of_account()) {
            for (int account = 1; account <= accounts; ++account)
                book << R"({"path":"/v1/data-import/)" << import.path << R"(","body":{"import_supplier":")"
                     << supplier_ << R"(","external_account_number":")" << number_of(account) << "\","
                     << import.members << "}}\n";
        }
    }

    /// part.ndjson names only one account. The service also holds records of other accounts.
    void only_held_records_are_found() const {
        std::ofstream(file("part.ndjson"))
            << R"({"path":"/v1/data-import/notes/create/","body":{"import_supplier":")" << supplier_
            << R"(","external_account_number":"B00010","notes":[{"body":"now"}]}})" << '\n';
        const CommandResult found = load("--verify", "part.ndjson");
        require(1, found, supplier_ + " B00009\n");
        require(1, found, "DIFFERENT: 20 accounts compared, 20 differ\n");
    }

    void declared_totals_differ() const {
        const CommandResult declared = load("--totals --declare", "part.ndjson");
        require(1, declared, supplier_ + ": DIFFERENT\n");
        require(1, declared, "  notes records: declared 1, stored 60, difference 59\n");
        require(1, declared, "  transactions records: declared 0, stored ");
    }

    [[nodiscard]] CommandResult load(const std::string& options,
                                     const std::string& book = "book.ndjson") const {
        return run_command(stack().value("LOAD") + " --api-key-file " + shell_word(file("key")) + " " +
                           options + " " + shell_word(file(book)));
    }

    static void require(int status, const CommandResult& result, const std::string& part) {
        const std::string all = result.output + result.errors;
        CPPUNIT_ASSERT_EQUAL_MESSAGE(all, status, result.status);
        CPPUNIT_ASSERT_MESSAGE(all + "\nlacks\n" + part, result.output.find(part) != std::string::npos);
    }

    static void require_error(const CommandResult& result, const std::string& part) {
        CPPUNIT_ASSERT_MESSAGE(result.errors + "\nlacks\n" + part,
                               result.errors.find(part) != std::string::npos);
    }

    std::string supplier_;
    std::filesystem::path directory_;
};

CPPUNIT_TEST_SUITE_REGISTRATION(LoadedTotalsTest);

}  // namespace data_import::tests

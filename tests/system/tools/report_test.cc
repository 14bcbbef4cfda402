// Tests of the command `report`: a signed report has the held values, and `report verify` fails if the file
// of a report was changed.
#include <Poco/URI.h>
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <sstream>
#include <string>
#include <thread>

#include "../../support/answer_check.h"
#include "../../support/command.h"
#include "../../support/http.h"
#include "../../support/load.h"
#include "../../support/world.h"
#include "data/database/failures.h"
#include "data/json/reader.h"
#include "data/proof/account_totals.h"
#include "data/report/report.h"

namespace data_import::tests {

namespace {

Answer ask_locally(const std::string& target) {
    HttpConnection connection(Poco::URI(world().stack().value("METRICS_URL")).getPort());
    return connection.ask({"GET", target, {{"Host", "localhost"}, {"Connection", "close"}}, ""});
}

std::string text_of(const json::Value& object, const char* name) {
    return std::string(object.at(name).text());
}

std::string content_of(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

}  // namespace

class ReportSystemTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(ReportSystemTest);
    CPPUNIT_TEST(without_a_declaration_nothing_is_signed);
    CPPUNIT_TEST(an_explained_difference_is_signed);
    CPPUNIT_TEST(what_changes_after_signing_is_told);
    CPPUNIT_TEST(an_accepted_difference_hides_no_other_one);
    CPPUNIT_TEST(items_are_compared_account_by_account);
    CPPUNIT_TEST(figures_are_those_of_the_records);
    CPPUNIT_TEST(records_that_were_changed_by_hand_are_found);
    CPPUNIT_TEST(every_unit_is_compared);
    CPPUNIT_TEST(accounts_are_read_until_the_deadline);
    CPPUNIT_TEST(figures_are_of_one_moment_while_others_import);
    CPPUNIT_TEST(files_are_never_written_over_others);
    CPPUNIT_TEST(operators_get_a_draft_from_the_page);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override {
        supplier_ = world().take_fresh();
        run_ctl(stack(), "supplier create " + supplier_ + " --name \"Report <of> all\"");
        import_accounts(world().database(), supplier_, prefix(), 3);
        run_ctl(stack(), "account stage " + supplier_ + " failing");
        run_ctl(stack(), "account begin " + supplier_ + " failing");
        run_ctl(stack(), "account fail " + supplier_ + " failing --reason \"<no> meter\"");
        token_ = token_for(stack(), "Org " + supplier_, supplier_);
        directory_ = world().directory() / ("reports-" + supplier_);
        std::filesystem::create_directory(directory_);
        run_ctl(stack(), "statement open " + supplier_ + " " + number(1) + " 2024-05-01:2024-05-31");
        for (const int account : {1, 2}) add_notes(account, 2);
        add_transactions(1);
    }

    void without_a_declaration_nothing_is_signed() {
        const CommandResult refused = report();
        CPPUNIT_ASSERT_EQUAL(1, refused.status);
        CPPUNIT_ASSERT_MESSAGE(refused.errors, refused.errors.find("has not declared") != std::string::npos);
        CPPUNIT_ASSERT(std::filesystem::is_empty(directory_));
        CPPUNIT_ASSERT_EQUAL(2, run_command(stack().value("CTL") + " report " + supplier_).status);
        CPPUNIT_ASSERT_EQUAL(1, report("--draft", "nobody-" + supplier_).status);
        const std::string draft = content_of(file_of("--draft", "html"));
        CPPUNIT_ASSERT(draft.find("DRAFT") != std::string::npos);
        CPPUNIT_ASSERT(draft.find("UNDECLARED") != std::string::npos);
        CPPUNIT_ASSERT(draft.find("were not compared one by one") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(0L, signed_reports());
    }

    void an_explained_difference_is_signed() {
        declare(R"({"accounts": 4, "kinds": {"notes": {"records": 5}, "transactions": {"records": 2,
                 "sums": {"amount:CHARGE": "12.5", "amount:PAYMENT": "40"}}}})");
        const CommandResult refused = report();
        CPPUNIT_ASSERT_EQUAL(1, refused.status);
        CPPUNIT_ASSERT_MESSAGE(
            refused.errors, refused.errors.find("notes records 5 declared, 4 stored") != std::string::npos);
        CPPUNIT_ASSERT(std::filesystem::is_empty(directory_));
        accept_missing_note();

        const std::filesystem::path html = file_of("", "html");
        std::filesystem::path json = html;
        json.replace_extension("json");
        CPPUNIT_ASSERT_EQUAL(1L, signed_reports());
        const std::string page = content_of(html);
        for (const char* text : {"all differences are explained", "lost &lt;letter&gt;", "&lt;no&gt; meter",
                                 "Jane &amp; Joe", " compared 4 accounts one by one",
                                 "0 differences that were not accepted, 1 difference accepted."})
            CPPUNIT_ASSERT_MESSAGE(text, page.find(text) != std::string::npos);
        CPPUNIT_ASSERT(page.find("The figures have changed since") == std::string::npos);
        CPPUNIT_ASSERT(page.find("DRAFT") == std::string::npos);
        for (const auto& file : {html, json}) {
            const CommandResult verified = verify(file);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(verified.errors, 0, verified.status);
            CPPUNIT_ASSERT(verified.output.find("Jane & Joe") != std::string::npos);
            every_changed_byte_is_found(file);
        }
        const std::string audit = run_ctl(stack(), "audit --json");
        CPPUNIT_ASSERT(audit.find(R"("action":"report_signed")") != std::string::npos);
        const std::string sha256 = must_run("sha256sum " + html.string()).substr(0, 64);
        CPPUNIT_ASSERT(audit.find("\"html_sha256\":\"" + sha256 + '"') != std::string::npos);

        // one note too many: the account has changed since its difference was accepted
        add_notes(3, 2);
        CPPUNIT_ASSERT_EQUAL(1, report().status);
        CPPUNIT_ASSERT(content_of(file_of("--draft", "html")).find("The figures have changed since") !=
                       std::string::npos);
    }

    /// Operators are told that records, accounts or declarations have changed since the report was signed.
    /// They are not told that receipts were summed up, because this changes no total.
    void what_changes_after_signing_is_told() {
        const char* const declaration = R"({"accounts": 4, "kinds": {"notes": {"records": 4}}})";
        declare(declaration);
        CPPUNIT_ASSERT(!has_changed());
        CPPUNIT_ASSERT_EQUAL(0, report().status);
        CPPUNIT_ASSERT(!has_changed());
        world().database().value("SELECT data_import.sum_up_receipts(1000000)");
        CPPUNIT_ASSERT(!has_changed());
        add_notes(1, 1);
        CPPUNIT_ASSERT(has_changed());

        declare(R"({"accounts": 4, "kinds": {"notes": {"records": 5}}})");
        CPPUNIT_ASSERT(has_changed());
        file_of("", "html");
        CPPUNIT_ASSERT(!has_changed());
        run_ctl(stack(), "account stage " + supplier_ + " failing");
        CPPUNIT_ASSERT(has_changed());

        file_of("", "html");
        CPPUNIT_ASSERT(!has_changed());
        declare(declaration);
        CPPUNIT_ASSERT(has_changed());
    }

    /// The third account lacks a note, and this difference is accepted. The second account has a note that
    /// nobody has declared.
    void an_accepted_difference_hides_no_other_one() {
        declare(R"({"kinds": {"notes": {"records": 5}}})");
        accept_missing_note();
        add_notes(2, 1);
        const CommandResult refused = report();
        CPPUNIT_ASSERT_EQUAL(1, refused.status);
        CPPUNIT_ASSERT_MESSAGE(
            refused.errors,
            refused.errors.find("notes records 5 declared, 5 stored, accepted differences -1") !=
                std::string::npos);
        CPPUNIT_ASSERT(std::filesystem::is_empty(directory_));
        const std::string draft = content_of(file_of("--draft", "html"));
        CPPUNIT_ASSERT(
            draft.find("EQUAL (1 of 2 kinds declared), but accepted differences of accounts hide") !=
            std::string::npos);
        const Answer told = ask_locally("/operator/explanations/" + supplier_ + "/");
        CPPUNIT_ASSERT_MESSAGE(
            told.body,
            told.body.find(R"({"kind":"notes","figure":"records","explained":false})") != std::string::npos);
    }

    /// The first account lacks its delivery note, and this difference is accepted. The delivery note of the
    /// second account has two of five amounts.
    void items_are_compared_account_by_account() {
        declare(
            R"({"kinds": {"delivery_notes": {"records": 2, "sums": {"amounts": "6", "quantity:KWH": "12"}}}})");
        import("delivery-note", 2,
               R"("delivery_note": {"malo_number": "12345678901", "amounts": [)" + amount(1, 4) + ", " +
                   amount(2, 1) +
                   R"(], "cancelled": false, "validation_status": true, "edifact_reference_number": "E"})");
        const auto accept = [&](const std::string& sums) {
            reconcile("external_account_number,kind,records,amount,sums\n" + number(1) +
                          ",delivery_notes,1,7," + sums + "\n",
                      number(1) + ",delivery_notes,was never ours\n");
        };
        accept("");
        const CommandResult untold = report();
        CPPUNIT_ASSERT_EQUAL(1, untold.status);
        CPPUNIT_ASSERT_MESSAGE(untold.errors,
                               untold.errors.find("with the column sums") != std::string::npos);
        const std::string one_amount = R"("{""amounts"": ""1"", ""quantity:KWH"": ""7""}")";
        accept(one_amount);
        const CommandResult hidden = report();
        CPPUNIT_ASSERT_EQUAL(1, hidden.status);
        CPPUNIT_ASSERT_MESSAGE(
            hidden.errors,
            hidden.errors.find("(delivery_notes amounts 6 declared, 2 stored, accepted differences -1)") !=
                std::string::npos);
        declare(
            R"({"kinds": {"delivery_notes": {"records": 2, "sums": {"amounts": "3", "quantity:KWH": "12"}}}})");
        accept(one_amount);
        file_of("", "html");
    }

    void figures_are_those_of_the_records() {
        const json::Document document = read_json(file_of("--draft", "json"));
        const json::Value root = document.root();
        std::map<std::string, std::string> held;
        for (const json::Value figure : root.at("control_totals").at("figures").items())
            held[text_of(figure, "kind") + " " + text_of(figure, "figure")] = text_of(figure, "held");
        const std::map<std::string, std::string> of_records = {
            {"accounts accounts", count("account")},
            {"notes records", count("note")},
            {"transactions records", count("financial_transaction")},
            {"transactions amount:CHARGE", sum_of("CHARGE")},
            {"transactions amount:PAYMENT", sum_of("PAYMENT")}};
        for (const auto& [figure, value] : of_records)
            CPPUNIT_ASSERT_EQUAL_MESSAGE(figure, value, held[figure]);
        CPPUNIT_ASSERT_EQUAL(of_records.size(), held.size());
        const json::Value scan = root.at("scan");
        CPPUNIT_ASSERT_EQUAL(std::string("4"), text_of(scan, "accounts"));
        CPPUNIT_ASSERT_EQUAL(std::string("6"), text_of(scan, "records"));
        CPPUNIT_ASSERT_EQUAL(std::size_t{0}, scan.at("differences").size());
        const json::Value without = scan.at("imported_without");
        CPPUNIT_ASSERT_EQUAL(std::string("1"), text_of(without.at("notes"), "count"));
        CPPUNIT_ASSERT_EQUAL(std::string("2"), text_of(without.at("transactions"), "count"));
        CPPUNIT_ASSERT_EQUAL(number(3),
                             std::string((*without.at("notes").at("accounts").items().begin()).text()));
        const json::Value key = *scan.at("api_keys").items().begin();
        CPPUNIT_ASSERT_EQUAL(std::string("Org " + supplier_), text_of(key, "organisation"));
        CPPUNIT_ASSERT_EQUAL(std::string("6"), text_of(key, "records"));
        CPPUNIT_ASSERT_EQUAL(std::string("1"), text_of(root.at("failed"), "count"));
        CPPUNIT_ASSERT_EQUAL(std::string("3"), text_of(root.at("accounts"), "imported"));
        CPPUNIT_ASSERT(root.at("throughput").at("counts").find("notes"));
        CPPUNIT_ASSERT(text_of(root, "program_version").size() > 0);
    }

    void records_that_were_changed_by_hand_are_found() {
        declare(R"({"kinds": {"notes": {"records": 4}}})");
        world().database().rows(
            "DELETE FROM data_import.note WHERE account_key = data_import.account_key($1, $2)",
            {supplier_, number(1)});
        const CommandResult refused = report();
        CPPUNIT_ASSERT_EQUAL(1, refused.status);
        CPPUNIT_ASSERT_MESSAGE(
            refused.errors,
            refused.errors.find("notes records 2 in the records, 4 in the totals") != std::string::npos);
        CPPUNIT_ASSERT(content_of(file_of("--draft", "html")).find("do not add up") != std::string::npos);
    }

    /// If a supplier has very many units, the totals leave some of them out. These are compared, too.
    void every_unit_is_compared() {
        AdminSession& database = world().database();
        import("energy-amount", 1,
               R"("energy_amount": {"malo_number": "12345678901", "period_start_at": "2023-12-31T23:00:00Z",
               "period_end_at": "2024-01-31T23:00:00Z", "product_identifier": "1-1:1.29.0",
               "product_identifier_type": "SRW", "quantity": 1, "quantity_unit": "KWH", "line_item_identifier": "1",
               "cancelled": false, "edifact_reference_number": "EDI-2"})");
        database.rows(
            "INSERT INTO data_import.energy_amount SELECT (json_populate_record(amount, json_build_object("
            "'content_digest', gen_random_uuid(), 'quantity_unit', 'U-' || unit))).* "
            "FROM data_import.energy_amount AS amount, generate_series(10001, 11100) AS unit "
            "WHERE account_key = data_import.account_key($1, $2)",
            {supplier_, number(1)});
        database.rows(
            "INSERT INTO data_import.import_receipt (import_supplier, kind, figure, value) SELECT $1, "
            "'energy_amounts', figure, 1 FROM generate_series(10001, 11100) AS unit, "
            "LATERAL (VALUES ('records'), ('quantity:U-' || unit)) AS told (figure)",
            {supplier_});
        declare(R"({"kinds": {"energy_amounts": {"records": 1101}}})");
        file_of("", "html");
        database.rows(
            "UPDATE data_import.energy_amount SET quantity_unit = 'V' WHERE quantity_unit = 'U-11100' AND "
            "account_key = data_import.account_key($1, $2)",
            {supplier_, number(1)});
        const CommandResult refused = report();
        CPPUNIT_ASSERT_EQUAL(1, refused.status);
        CPPUNIT_ASSERT_MESSAGE(
            refused.errors, refused.errors.find("do not add up to the stored totals") != std::string::npos);
    }

    /// A report reads the records of each account with an accepted difference. There can be very many such
    /// accounts, so this reading has to end at the deadline.
    void accounts_are_read_until_the_deadline() {
        accept_missing_note();
        AdminSession holder(stack().value("DATABASE_URL"));
        holder.rows("BEGIN");
        holder.rows("LOCK TABLE data_import.note IN ACCESS EXCLUSIVE MODE");
        std::promise<void> ended;
        std::thread release([&] {
            static_cast<void>(ended.get_future().wait_for(5s));
            holder.rows("COMMIT");
        });
        database::Database session({.conninfo = stack().value("DATABASE_URL")});
        const auto began = std::chrono::steady_clock::now();
        const report::ReportRequest request{.import_supplier = supplier_, .deadline = began + 1s};
        bool timed_out = false;
        try {
            proof::with_snapshot(session,
                                 [&] { static_cast<void>(report::take_explanations(session, request)); });
        } catch (const database::TimedOut&) {
            timed_out = true;
        }
        const auto took = std::chrono::steady_clock::now() - began;
        ended.set_value();
        release.join();
        CPPUNIT_ASSERT(timed_out);
        CPPUNIT_ASSERT(took < 4s);
    }

    void figures_are_of_one_moment_while_others_import() {
        Load load(stack(), {.token = token_, .supplier = supplier_, .account = number(1), .clients = 2});
        std::string last;
        for (int time = 0; time < 3; ++time) {
            const json::Document document = read_json(file_of("--draft", "json"));
            CPPUNIT_ASSERT_EQUAL(std::size_t{0}, document.root().at("scan").at("differences").size());
            last = text_of(document.root().at("scan"), "records");
        }
        load.stop();
        CPPUNIT_ASSERT_MESSAGE(load.examples(), load.failures().empty());
        CPPUNIT_ASSERT_MESSAGE("nothing was imported meanwhile", std::stol(last) > 6);
    }

    void files_are_never_written_over_others() {
        const CommandResult nowhere = report("--draft", supplier_, directory_ / "missing");
        CPPUNIT_ASSERT_EQUAL(1, nowhere.status);
        CPPUNIT_ASSERT(nowhere.errors.find("--output") != std::string::npos);
        // these empty files have the names that a report of the next 90 seconds would get
        must_run("for after in {0..90}; do touch " + directory_.string() + "/" + supplier_ +
                 "-draft-$(date --utc --date=\"$after seconds\" +%Y%m%dT%H%M%SZ).json; done");
        const CommandResult refused = report("--draft");
        CPPUNIT_ASSERT_EQUAL(1, refused.status);
        CPPUNIT_ASSERT_MESSAGE(refused.errors,
                               refused.errors.find("cannot be written: File exists") != std::string::npos);
        for (const auto& entry : std::filesystem::directory_iterator(directory_))
            CPPUNIT_ASSERT_MESSAGE(entry.path(),
                                   entry.path().extension() == ".json" && entry.file_size() == 0);
    }

    void operators_get_a_draft_from_the_page() {
        declare(R"({"kinds": {"notes": {"records": 4}}})");
        const Answer draft = ask_locally("/operator/report/" + supplier_ + "/");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(draft), 200, draft.status);
        CPPUNIT_ASSERT(draft.header("Content-Type") == "text/html; charset=utf-8");
        CPPUNIT_ASSERT(draft.header("Content-Disposition").value_or("").starts_with("attachment; filename="));
        for (const char* text : {"DRAFT", "EQUAL (1 of 2 kinds declared): ", "Report &lt;of&gt; all",
                                 "were not read", "&lt;no&gt; meter"})
            CPPUNIT_ASSERT_MESSAGE(text, draft.body.find(text) != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(404, ask_locally("/operator/report/nobody/").status);
        std::ofstream(directory_ / "draft.html") << draft.body;
        CPPUNIT_ASSERT(verify(directory_ / "draft.html").errors.find("is unknown") != std::string::npos);
    }

private:
    static const Stack& stack() { return world().stack(); }
    std::string prefix() const { return supplier_ + "-R-"; }
    std::string number(int account) const { return prefix() + "0000" + std::to_string(account); }

    void import(const std::string& path, int account, const std::string& items) {
        const Answer answer = ask(
            stack(), {.method = "POST",
                      .target = "/v1/data-import/" + path + "/create/",
                      .headers = {{"Host", "localhost"},
                                  {"Authorization", "Token " + token_},
                                  {"Content-Type", "application/json"}},
                      .body = R"({"import_supplier": ")" + supplier_ + R"(", "external_account_number": ")" +
                              number(account) + "\", " + items + "}"});
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 201, answer.status);
    }

    void add_notes(int account, int count) {
        std::string notes;
        for (int note = 0; note < count; ++note)
            notes += (note > 0 ? R"(, {"body": ")" : R"({"body": ")") + std::to_string(++notes_) + "\"}";
        import("notes", account, "\"notes\": [" + notes + "]");
    }

    void add_transactions(int account) {
        import("transactions", account,
               R"("transactions": [{"type": "CHARGE", "transaction_id": "1", "transaction_date": "2024-05-02",
               "amount": "12.50", "reason": "R"}, {"type": "PAYMENT", "transaction_id": "2",
               "transaction_date": "2024-05-02", "amount": "40.00"}])");
    }

    void declare(const std::string& body) {
        const Answer answer = ask(stack(), {.method = "PUT",
                                            .target = "/v1/data-import/control-totals/" + supplier_ + "/",
                                            .headers = {{"Host", "localhost"},
                                                        {"Authorization", "Token " + token_},
                                                        {"Content-Type", "application/json"}},
                                            .body = body});
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 200, answer.status);
    }

    /// Accepts that the third account has no note, though the supplier declares one.
    void accept_missing_note() {
        reconcile("external_account_number,kind,records,amount\n" + number(1) + ",notes,2,\n" + number(1) +
                      ",transactions,2,52.5\n" + number(2) + ",notes,2,\n" + number(3) + ",notes,1,\n",
                  number(3) + ",notes,lost <letter>\n");
    }

    /// Compares the totals and accepts the differences that have a reason in `reasons`. Other differences may
    /// remain.
    void reconcile(const std::string& totals, const std::string& reasons) {
        const std::string files[] = {(directory_ / "totals").string(), (directory_ / "reasons").string()};
        std::ofstream(files[0]) << totals;
        std::ofstream(files[1]) << "external_account_number,kind,reason\n" << reasons;
        const CommandResult compared = run_command(stack().value("CTL") + " reconcile " + supplier_ + " " +
                                                   files[0] + " --accept " + files[1]);
        CPPUNIT_ASSERT_MESSAGE(compared.errors,
                               compared.output.find(", 1 accepted one\n") != std::string::npos);
        for (const std::string& file : files) std::filesystem::remove(file);
    }

    static std::string amount(int item, int quantity) {
        return R"({"period_start_at": "2024-01-01T00:00:00Z", "period_end_at": "2024-02-01T00:00:00Z",
                   "product_identifier": "1-1:1.29.0", "product_identifier_type": "SRW", "quantity": )" +
               std::to_string(quantity) + R"(, "quantity_unit": "KWH", "line_item_identifier": ")" +
               std::to_string(item) + "\"}";
    }

    CommandResult report(const std::string& more = "") { return report(more, supplier_, directory_); }
    CommandResult report(const std::string& more, const std::string& code) {
        return report(more, code, directory_);
    }
    static CommandResult report(const std::string& more, const std::string& code,
                                const std::filesystem::path& directory) {
        return run_command(stack().value("CTL") + " report " + code + " --signed-by 'Jane & Joe' --output " +
                           directory.string() + " --json " + more);
    }

    /// Makes a report with the further options `more`, which has to succeed. Returns the path of the report's
    /// file in this format (`html` or `json`).
    std::filesystem::path file_of(const std::string& more, const char* format) {
        for (const auto& entry : std::filesystem::directory_iterator(directory_))
            std::filesystem::remove(entry);
        const CommandResult made = report(more);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(made.errors, 0, made.status);
        const json::Document document = json::read(made.output);
        return text_of(document.root(), format);
    }

    static json::Document read_json(const std::filesystem::path& file) {
        return json::read(content_of(file));
    }

    static CommandResult verify(const std::filesystem::path& file) {
        return run_command(stack().value("CTL") + " report verify " + file.string());
    }

    void every_changed_byte_is_found(const std::filesystem::path& file) {
        const std::string content = content_of(file);
        for (const std::size_t place : {content.size() / 2, content.size() - 1}) {
            std::string changed = content;
            changed[place] = static_cast<char>(changed[place] ^ 1);
            const std::filesystem::path copy = directory_ / "changed";
            std::ofstream(copy) << changed;
            const CommandResult found = verify(copy);
            CPPUNIT_ASSERT_EQUAL(1, found.status);
            CPPUNIT_ASSERT_MESSAGE(found.errors, found.errors.find("was changed") != std::string::npos);
            std::filesystem::remove(copy);
        }
        CPPUNIT_ASSERT_EQUAL(
            1, run_command("head -c -1 " + file.string() + " | " + stack().value("CTL") + " report verify -")
                   .status);
    }

    std::string count(const std::string& table) {
        return world().database().value(
            "SELECT count(*) FROM data_import." + table +
                " AS counted JOIN data_import.account USING (account_key) WHERE account.import_supplier = $1",
            {supplier_});
    }
    std::string sum_of(const std::string& type) {
        return world().database().value(
            "SELECT trim_scale(sum(amount)) FROM data_import.financial_transaction "
            "JOIN data_import.account USING (account_key) WHERE account.import_supplier = $1 AND type = $2",
            {supplier_, type});
    }
    /// Whether operators are told that something has changed since the report was signed.
    bool has_changed() {
        const json::Document told = json::read(ask_locally("/operator/suppliers/" + supplier_ + "/").body);
        const json::Value row = *told.root().at("import_suppliers").items().begin();
        return row.at("has_changed_since_signed").boolean();
    }
    long signed_reports() {
        return world().database().count(
            "SELECT count(*) FROM data_import.signed_report WHERE import_supplier = $1", {supplier_});
    }

    std::string supplier_;
    std::string token_;
    std::filesystem::path directory_;
    int notes_ = 0;
};

CPPUNIT_TEST_SUITE_REGISTRATION(ReportSystemTest);

}  // namespace data_import::tests

// A migration from the first staged account to the last imported one: after each step the database, the
// listings, the progress endpoint, `supplier show` and the accounts' histories say the same.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <Poco/JSON/Object.h>

#include <fstream>
#include <map>

#include "../../support/answer_check.h"
#include "../../support/command.h"
#include "../../support/json_match.h"
#include "../../support/load.h"
#include "../../support/world.h"

namespace data_import::tests {

namespace {

constexpr int all_accounts = 100'000;
constexpr int begun_accounts = 60'000;
constexpr int failed_accounts = 1'000;
constexpr int first_imports = 40'000;

using Object = Poco::JSON::Object::Ptr;
using Counts = std::map<std::string, long>;  ///< accounts by state

std::string number_of(int account) {
    return "account-" + std::to_string(1'000'000 + account);
}

long count_of(const std::string& text, std::string_view part) {
    long count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
        ++count;
    return count;
}

Counts counts_in(const Object& accounts) {
    Counts counts;
    for (const auto& [state, count] : *accounts) counts[state] = count.convert<long>();
    return counts;
}

std::string shown_counts(const Counts& counts) {
    std::string text;
    for (const auto& [state, count] : counts) text += state + ' ' + std::to_string(count) + ' ';
    return text;
}

}  // namespace

class MigrationTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(MigrationTest);
    CPPUNIT_TEST(from_the_first_account_to_the_last);
    CPPUNIT_TEST_SUITE_END();

public:
    void from_the_first_account_to_the_last() {
        begin();
        stage();
        attempt();
        repeat_failed_accounts();
        import_the_first();
        pause();
        resume();
        complete();
    }

private:
    void begin() {
        supplier_ = world().take_fresh();
        run_ctl(world().stack(), "supplier create " + supplier_ + " --name Migrated");
        token_ = token_for(world().stack(), "Migrated " + supplier_, supplier_);
        check("no account", {{"staged", 0}, {"in_progress", 0}, {"failed", 0}, {"imported", 0}});
    }

    void stage() {
        load("staged", 0, all_accounts);
        check("staged", {{"staged", all_accounts}, {"in_progress", 0}, {"failed", 0}, {"imported", 0}});
        check_status(0, "UNKNOWN");
    }

    void attempt() {
        load("in_progress", 0, begun_accounts);
        step("account begin", begun_accounts);
        load("failed", 0, failed_accounts);
        step("account fail", begun_accounts, " --reason 'no tariff'");
        check("attempted", {{"staged", all_accounts - begun_accounts - 1},
                            {"in_progress", begun_accounts - failed_accounts},
                            {"failed", failed_accounts + 1},
                            {"imported", 0}});
        check_status(0, "UNKNOWN");
        check_status(failed_accounts, "IN_PROGRESS");
    }

    void repeat_failed_accounts() {
        refuse_step("account complete", 0, "failed");
        load("staged", 0, failed_accounts);
        step("account stage", begun_accounts);
        load("in_progress", 0, failed_accounts);
        check("repeated", {{"staged", all_accounts - begun_accounts},
                           {"in_progress", begun_accounts},
                           {"failed", 0},
                           {"imported", 0}});
        CPPUNIT_ASSERT_EQUAL(std::string("staged,in_progress,failed,staged,in_progress"), history_of(0));
        CPPUNIT_ASSERT_EQUAL(std::string("staged,in_progress,failed,staged"), history_of(begun_accounts));
    }

    void import_the_first() {
        load("imported", 0, first_imports);
        step("account complete", first_imports);
        check("partly imported", {{"staged", all_accounts - begun_accounts},
                                  {"in_progress", begun_accounts - first_imports - 1},
                                  {"failed", 0},
                                  {"imported", first_imports + 1}});
        CPPUNIT_ASSERT_EQUAL(0L, accounts_unlike_their_history());
        check_status(first_imports, "COMPLETED");
        for (int account = 0; account < 20; ++account) CPPUNIT_ASSERT_EQUAL(201, post(account).status);
        for (int account = 0; account < 20; ++account) CPPUNIT_ASSERT_EQUAL(201, post(account).status);
        CPPUNIT_ASSERT_EQUAL(404, post(all_accounts - 1).status);
        check_records(20);
        const Object progress = ask_progress();
        CPPUNIT_ASSERT(!progress->isNull("estimated_end_at"));
        CPPUNIT_ASSERT(!progress->isNull("last_import_at"));
        const Object day = progress->getObject("rates")->getObject("last_day");
        CPPUNIT_ASSERT_EQUAL(long{first_imports + 1}, day->getValue<long>("accounts"));
        CPPUNIT_ASSERT_EQUAL(20L, day->getValue<long>("records"));
    }

    void pause() {
        const Counts before = counts_in_database();
        run_ctl(world().stack(), "supplier set " + supplier_ + " --status Paused");
        refuse_post();
        refuse_step("account stage", all_accounts, "is paused");
        refuse_step("account begin", all_accounts - 1, "is paused");
        refuse_step("account complete", all_accounts - 1, "is paused");
        check("paused", before);
        CPPUNIT_ASSERT_EQUAL(std::string("Paused"), ask_progress()->getValue<std::string>("status"));
        CPPUNIT_ASSERT(ask_progress()->isNull("estimated_end_at"));
        check_records(20);
    }

    void resume() {
        run_ctl(world().stack(), "supplier set " + supplier_ + " --status Ongoing");
        CPPUNIT_ASSERT_EQUAL(201, post(20).status);
        load("imported", first_imports + 1, all_accounts);
        check("imported", {{"staged", 0}, {"in_progress", 0}, {"failed", 0}, {"imported", all_accounts}});
        check_records(21);
        CPPUNIT_ASSERT(ask_progress()->isNull("estimated_end_at"));
    }

    void complete() {
        run_ctl(world().stack(), "supplier set " + supplier_ + " --status Complete");
        refuse_post();
        refuse_step("account stage", all_accounts, "is complete");
        check("complete", {{"staged", 0}, {"in_progress", 0}, {"failed", 0}, {"imported", all_accounts}});
        CPPUNIT_ASSERT_EQUAL(std::string("Complete"), ask_progress()->getValue<std::string>("status"));
        CPPUNIT_ASSERT_EQUAL(0L, accounts_unlike_their_history());
    }

    /// Moves the accounts from `first` up to, but not including, `end` into a state.
    void load(const std::string& state, int first, int end) const {
        const std::string file = (world().directory() / "migrated.csv").string();
        std::ofstream stream(file);
        stream << "external_account_number,state,service_account_number,account_created_at,statement_from,"
                  "statement_to\n";
        for (int account = first; account < end; ++account)
            stream << number_of(account) << ',' << state << ",,,,\n";
        stream.close();
        run_ctl(world().stack(), "account load " + supplier_ + ' ' + file);
    }

    void step(const std::string& command, int account, const std::string& options = "") const {
        run_ctl(world().stack(), command + ' ' + supplier_ + ' ' + number_of(account) + options);
    }

    void refuse_step(const std::string& command, int account, const std::string& reason) const {
        const CommandResult result = run_command(world().stack().value("CTL") + ' ' + command + ' ' +
                                                 supplier_ + ' ' + number_of(account));
        CPPUNIT_ASSERT_EQUAL_MESSAGE(command, 1, result.status);
        CPPUNIT_ASSERT_MESSAGE(result.errors, result.errors.find(reason) != std::string::npos);
    }

    [[nodiscard]] Answer get(const std::string& target) const {
        Answer answer = ask(world().stack(), get_request("/v1/data-import/" + target, token_));
        check_any_answer(answer);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(target, 200, answer.status);
        return answer;
    }

    [[nodiscard]] Answer post(int account) const {
        return ask(world().stack(), notes_request(token_, supplier_, number_of(account),
                                                  {{"a note", "2024-01-01T00:00:00Z"}}));
    }

    void refuse_post() const {
        const Answer answer = post(0);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 400, answer.status);
        const ErrorBody body = parse_error_body(answer.body);
        CPPUNIT_ASSERT_EQUAL(std::string("import_supplier_migration_not_ongoing"), body.errors.at(0).code);
    }

    [[nodiscard]] Object ask_progress() const {
        return parse_json(get("progress/" + supplier_ + '/').body).extract<Object>();
    }

    [[nodiscard]] Object show_supplier() const {
        return parse_json(run_ctl(world().stack(), "supplier show " + supplier_ + " --json"))
            .extract<Object>();
    }

    [[nodiscard]] Counts counts_in_database() const {
        Counts counts;
        for (const auto& row :
             world().database().rows("SELECT state, count(account_key) FROM unnest(ARRAY['staged', "
                                     "'in_progress', 'failed', 'imported']) "
                                     "AS known (state) LEFT JOIN (SELECT * FROM data_import.account WHERE "
                                     "import_supplier = $1) AS account "
                                     "USING (state) GROUP BY state",
                                     {supplier_})) {
            counts[row.at(0)] = std::stol(row.at(1));
        }
        return counts;
    }

    [[nodiscard]] long listed(const std::string& kind) const {
        return count_of(get(kind + "-account-import-processes/" + supplier_ + '/').body,
                        R"("external_account_number":)");
    }

    void check_status(int account, const std::string& status) const {
        const Answer answer = get("account-transfer-status/" + supplier_ + '/' + number_of(account) + '/');
        CPPUNIT_ASSERT_EQUAL(status,
                             parse_json(answer.body).extract<Object>()->getValue<std::string>("status"));
    }

    [[nodiscard]] std::string history_of(int account) const {
        return world().database().value(
            "SELECT string_agg(state, ',' ORDER BY number) FROM data_import.account_step "
            "WHERE account_key = data_import.account_key($1, $2)",
            {supplier_, number_of(account)});
    }

    /// Fails unless all figures of the migration's progress agree, before receipts are summed up and after
    /// it.
    void check(const std::string& stage, const Counts& expected) const {
        const std::string text = shown_counts(expected);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(stage, text, shown_counts(counts_in_database()));
        CPPUNIT_ASSERT_EQUAL_MESSAGE(stage, text,
                                     shown_counts(counts_in(ask_progress()->getObject("accounts"))));
        world().database().rows("SELECT data_import.housekeeping(14, 30, '1 day')");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(stage, text,
                                     shown_counts(counts_in(ask_progress()->getObject("accounts"))));
        CPPUNIT_ASSERT_EQUAL_MESSAGE(stage, text,
                                     shown_counts(counts_in(show_supplier()->getObject("accounts"))));
        const long imported = expected.at("imported");
        const long pending = expected.at("staged") + expected.at("in_progress") + expected.at("failed");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(stage, imported, listed("imported"));
        CPPUNIT_ASSERT_EQUAL_MESSAGE(stage, pending, listed("pending"));
        CPPUNIT_ASSERT_EQUAL_MESSAGE(stage, imported + pending, listed("all"));
    }

    [[nodiscard]] long accounts_unlike_their_history() const {
        return world().database().count(
            "SELECT count(*) FROM data_import.account LEFT JOIN LATERAL ("
            "SELECT step.state FROM data_import.account_step AS step WHERE step.account_key = "
            "account.account_key "
            "ORDER BY number DESC LIMIT 1) AS last ON true "
            "WHERE import_supplier = $1 AND last.state IS DISTINCT FROM account.state",
            {supplier_});
    }

    void check_records(long notes) const {
        for (const Object& figures : {ask_progress(), show_supplier()}) {
            const Object records = figures->getObject("records");
            CPPUNIT_ASSERT_EQUAL(notes, records->getValue<long>("notes"));
            CPPUNIT_ASSERT_EQUAL(0L, records->getValue<long>("transactions"));
        }
        CPPUNIT_ASSERT_EQUAL(
            notes, world().database().count("SELECT count(*) FROM data_import.note JOIN data_import.account "
                                            "USING (account_key) WHERE import_supplier = $1",
                                            {supplier_}));
    }

    std::string supplier_;
    std::string token_;
};

CPPUNIT_TEST_SUITE_REGISTRATION(MigrationTest);

}  // namespace data_import::tests

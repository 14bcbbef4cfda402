// Reset and erasure of accounts: the totals agree with the tables even during imports, and nothing is left of
// an erased account.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

#include "../../support/answer_check.h"
#include "../../support/command.h"
#include "../../support/load.h"
#include "../../support/mutation.h"
#include "../../support/processes.h"
#include "../../support/world.h"
#include "data/records/kinds.h"
#include "service/api/routes.h"
#include "service/openapi/prose.h"

namespace data_import::tests {

namespace {

const std::vector<http::Endpoint>& all_endpoints() {
    static const std::vector<http::Endpoint> endpoints = api::endpoints({});
    return endpoints;
}

std::string json_string(const std::string& text) {
    return '"' + text + '"';
}

}  // namespace

class AccountRemovalTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(AccountRemovalTest);
    CPPUNIT_TEST(figures_are_those_that_receipts_told);
    CPPUNIT_TEST(metrics_count_stored_records);
    CPPUNIT_TEST(totals_follow_a_reset);
    CPPUNIT_TEST(a_reset_of_many_that_fails_is_recorded);
    CPPUNIT_TEST(imports_during_resets_are_before_or_behind);
    CPPUNIT_TEST(imports_during_an_erasure_leave_nothing);
    CPPUNIT_TEST(the_platform_looks_behind_the_lock);
    CPPUNIT_TEST(a_missing_value_changes_nothing);
    CPPUNIT_TEST(refusals_are_counted_during_an_erasure);
    CPPUNIT_TEST(an_erasure_takes_the_lock_of_refusals_last);
    CPPUNIT_TEST(accepted_differences_of_an_erased_account_go);
    CPPUNIT_TEST(every_table_of_accounts_is_known);
    CPPUNIT_TEST(a_reset_leaves_tables_that_no_import_fills);
    CPPUNIT_TEST(an_answer_is_kept_before_or_behind_an_erasure);
    CPPUNIT_TEST(no_answer_is_kept_during_an_erasure);
    CPPUNIT_TEST(a_dump_holds_nothing_of_an_erased_account);
    CPPUNIT_TEST(a_dump_holds_nothing_of_an_erased_supplier);
    CPPUNIT_TEST(a_supplier_that_is_being_removed_gets_nothing_more);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override {
        code_ = world().take_fresh();
        run_ctl(world().stack(), "supplier create " + code_ + " --name X");
        import_accounts(world().database(), code_, code_ + "-A-", 2);
        account_ = code_ + "-A-00001";
        token_ = token_for(world().stack(), "Org " + code_, code_);
    }

    void figures_are_those_that_receipts_told() {
        import_everything();
        const std::string told =
            "SELECT string_agg(kind || ' ' || figure || ' ' || trim_scale(value), ', ' ORDER BY kind, "
            "figure) "
            "FROM (SELECT kind, figure, sum(value) AS value FROM ";
        const std::string receipts = world().database().value(
            told + all_receipts + " WHERE kind NOT LIKE 'account\\_%' GROUP BY kind, figure) AS summed",
            {code_});
        CPPUNIT_ASSERT_EQUAL(
            receipts, world().database().value(told + "data_import.record_figure "
                                                      "WHERE account_key = data_import.account_key($1, $2) "
                                                      "GROUP BY kind, figure) AS summed WHERE value <> 0",
                                               {code_, account_}));
        CPPUNIT_ASSERT_MESSAGE(receipts, receipts.find("notes pinned 1,") != std::string::npos);
        for (const records::Kind& kind : records::kinds()) {
            std::vector<std::string> figures = records::sums_of(kind);
            figures.emplace_back("records ");
            for (const std::string& figure : figures)
                CPPUNIT_ASSERT_MESSAGE(
                    std::string(kind.name) + ' ' + figure + " is not among " + receipts,
                    receipts.find(std::string(kind.name) + ' ' + figure) != std::string::npos);
        }
    }

    // The metric does not count repeats and dry runs, which store nothing, nor the payment instruction, which
    // is stored without the service.
    void metrics_count_stored_records() {
        const std::map<std::string, long> before = items_by_kind();
        import_everything();
        std::map<std::string, long> wanted = before;
        for (const auto& row : world().database().rows(
                 "SELECT kind, sum(value)::bigint FROM " + std::string(all_receipts) +
                     " WHERE figure = 'records' AND kind NOT LIKE 'account\\_%' AND kind <> "
                     "'payment_instructions' GROUP BY kind",
                 {code_}))
            wanted.at(row.at(0)) += std::stol(row.at(1));
        CPPUNIT_ASSERT(wanted != before);
        CPPUNIT_ASSERT(items_by_kind() == wanted);
        import_everything();
        for (const http::Endpoint& endpoint : all_endpoints()) {
            if (endpoint.supplier != http::SupplierIn::body) continue;
            const Answer answer = post(endpoint, "?dry_run=true");
            CPPUNIT_ASSERT_MESSAGE(
                shown(answer),
                answer.status == 200 || endpoint.path.ends_with("/payment-instruction/create/"));
        }
        CPPUNIT_ASSERT(items_by_kind() == wanted);
    }

    void totals_follow_a_reset() {
        import_everything();
        CPPUNIT_ASSERT(rows_of_account() > 10);
        run_ctl(world().stack(), "account reset " + code_ + " " + account_);
        CPPUNIT_ASSERT_EQUAL(0L, rows_of_account());
        CPPUNIT_ASSERT_EQUAL(0L, world().database().count(
                                     "SELECT count(*) FROM (SELECT kind FROM " + std::string(all_receipts) +
                                         " WHERE kind NOT LIKE 'account\\_%' GROUP BY kind, figure "
                                         "HAVING sum(value) <> 0) AS wrong",
                                     {code_}));
        CPPUNIT_ASSERT_EQUAL(0L,
                             world().database().count(
                                 "SELECT count(*) FROM data_import.migration_progress($1) WHERE last_minute "
                                 "< 0 OR last_hour < 0 OR last_day < 0",
                                 {code_}));
        import_everything();
        CPPUNIT_ASSERT(rows_of_account() > 10);
    }

    /// The audit history records the accounts that were reset before the line of the input that failed.
    void a_reset_of_many_that_fails_is_recorded() {
        AdminSession holder(world().stack().value("DATABASE_URL"));
        holder.rows("BEGIN");
        holder.rows("SELECT data_import.lock_account(data_import.account_key($1, $2))",
                    {code_, code_ + "-A-00002"});
        CommandResult result;
        std::jthread reset([&] {
            result = run_command("printf '%s\\n' " + account_ + " " + code_ + "-A-00002 | " +
                                 world().stack().value("CTL") + " account reset " + code_ + " --from -");
        });
        const bool was_cancelled = wait_until(
            [&] {
                return world().database().count(
                           "SELECT count(*) FILTER (WHERE pg_cancel_backend(pid)) FROM "
                           "pg_stat_activity WHERE wait_event_type = 'Lock' AND "
                           "query LIKE '%account_reset%'") > 0;
            },
            20s);
        holder.rows("ROLLBACK");
        reset.join();
        CPPUNIT_ASSERT(was_cancelled);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(result.output + result.errors, 1, result.status);
        const std::string audit = run_ctl(world().stack(), "audit");
        CPPUNIT_ASSERT_MESSAGE(audit,
                               audit.find(code_ + ": 1 of 1 account reset, 0 records") != std::string::npos);
    }

    /// Both commands wait for the removal, and then find no supplier.
    void a_supplier_that_is_being_removed_gets_nothing_more() {
        for (const std::string command :
             {"account stage CODE 4711", "key create --organisation O --supplier CODE"}) {
            const std::string code = world().take_fresh();
            run_ctl(world().stack(), "supplier create " + code + " --name X");
            AdminSession holder(world().stack().value("DATABASE_URL"));
            holder.rows("BEGIN");
            holder.rows("SELECT data_import.remove_import_supplier($1)", {code});
            std::string arguments = command;
            arguments.replace(arguments.find("CODE"), 4, code);
            CommandResult result;
            std::jthread late([&] { result = run_command(world().stack().value("CTL") + " " + arguments); });
            const bool waits = wait_until([&] { return waiting("locktype = 'transactionid'") > 0; }, 60s);
            holder.rows("COMMIT");
            late.join();
            CPPUNIT_ASSERT(waits);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(result.output, 1, result.status);
            CPPUNIT_ASSERT_MESSAGE(result.errors, result.errors.find("there is no import supplier " + code) !=
                                                      std::string::npos);
        }
    }

    void imports_during_resets_are_before_or_behind() {
        Load load(world().stack(), {.token = token_, .supplier = code_, .account = account_, .clients = 4});
        long removed = 0;
        int rounds = 0;
        const bool met_imports = wait_until(
            [&] {
                removed +=
                    world().database().count("SELECT data_import.account_reset($1, $2)", {code_, account_});
                return ++rounds >= 30 && removed > 0;
            },
            30s);
        load.stop();
        CPPUNIT_ASSERT_EQUAL_MESSAGE(load.examples(), 0, load.failed());
        CPPUNIT_ASSERT(met_imports);
        const long left = world().database().count(
            "SELECT count(*) FROM data_import.note WHERE account_key = data_import.account_key($1, $2)",
            {code_, account_});
        CPPUNIT_ASSERT_EQUAL(static_cast<long>(load.acknowledged().size()), removed + left);
        CPPUNIT_ASSERT_EQUAL(
            left,
            world().database().count(
                "SELECT sum(value) FROM " + std::string(all_receipts) + " WHERE kind = 'notes'", {code_}));
    }

    /// The functions that change an account refuse the isolation levels REPEATABLE READ and SERIALIZABLE,
    /// because a snapshot from before the account's lock would not show imports that ended between the
    /// snapshot and the lock.
    void the_platform_looks_behind_the_lock() {
        for (const std::string level : {"REPEATABLE READ", "SERIALIZABLE"}) {
            for (const std::string step :
                 {"account_erase", "account_reset", "account_hold", "account_complete", "statement_close"}) {
                AdminSession platform(world().stack().value("DATABASE_URL"));
                platform.rows("BEGIN ISOLATION LEVEL " + level);
                CPPUNIT_ASSERT_EQUAL(std::string("refused"),
                                     outcome_of(platform, step + "($1, $2)", "READ COMMITTED"));
            }
        }
        CPPUNIT_ASSERT_EQUAL(std::string("done"),
                             outcome_of(world().database(), "account_erase($1, $2)", ""));
    }

    void a_missing_value_changes_nothing() {
        AdminSession& platform = world().database();
        for (const auto& [step, reason] : std::map<std::string, std::string>{
                 {"account_hold($1, $2, NULL)", "on hold or not"},
                 {"statement_open($1, $2, '2024-01-01', NULL)", "a first and a last day"},
                 {"account_complete($1, $2, NULL, NULL, NULL, '2024-05-31')", "a first and a last day"},
                 {"statement_open($1, $2, '2024-01-01', 'infinity')",
                  "statement_period_is_of_the_years_1_to_9999"},
                 {"statement_open($1, $2, '-infinity', '2024-01-01')",
                  "statement_period_is_of_the_years_1_to_9999"}}) {
            CPPUNIT_ASSERT_EQUAL_MESSAGE(step, std::string("refused"), outcome_of(platform, step, reason));
        }
        const std::string other = code_ + "-A-00003";
        platform.rows("SELECT data_import.account_stage($1, $2)", {code_, other});
        for (const std::string time : {"infinity", "-infinity", "0044-03-15 BC"}) {
            bool is_refused = false;
            try {
                platform.rows("SELECT data_import.account_complete($1, $2, NULL, $3)", {code_, other, time});
            } catch (const std::runtime_error& failure) {
                is_refused =
                    std::string(failure.what()).find("account_created_at_is_of_the_years_1_to_9999") !=
                    std::string::npos;
            }
            CPPUNIT_ASSERT_MESSAGE(time, is_refused);
        }
    }

    void imports_during_an_erasure_leave_nothing() {
        for (int round = 0; round < 5; ++round) {
            Load load(world().stack(),
                      {.token = token_, .supplier = code_, .account = account_, .clients = 4});
            CPPUNIT_ASSERT(wait_until([&] { return load.answered() > 20; }, 20s));
            CPPUNIT_ASSERT_EQUAL(
                std::string("t"),
                world().database().value("SELECT data_import.account_erase($1, $2) > 20", {code_, account_}));
            const int answered = load.answered();
            CPPUNIT_ASSERT(wait_until([&] { return load.answered() > answered + 20; }, 20s));
            load.stop();
            CPPUNIT_ASSERT_EQUAL(std::size_t{1}, load.failures().size());
            CPPUNIT_ASSERT_EQUAL(404, load.failures().begin()->first);
            CPPUNIT_ASSERT_EQUAL(0L, rows_of_account());
            CPPUNIT_ASSERT_EQUAL(
                0L, world().database().count(
                        "SELECT sum(value) FROM " + std::string(all_receipts) + " WHERE kind = 'notes'",
                        {code_}));
            world().database().rows("SELECT data_import.account_stage($1, $2, true)", {code_, account_});
            world().database().rows("SELECT data_import.account_complete($1, $2)", {code_, account_});
        }
    }

    /// The platform erases account A in a transaction that stays open. Meanwhile a request for account B is
    /// refused, and the refusal is counted at once. The refusal gets its entry in the history of account B
    /// after the end of the transaction.
    void refusals_are_counted_during_an_erasure() {
        AdminSession platform(world().stack().value("DATABASE_URL"));
        platform.rows("BEGIN");
        CPPUNIT_ASSERT_EQUAL(std::string("0"), platform.value("SELECT data_import.account_erase($1, $2)",
                                                              {code_, code_ + "-A-00002"}));
        HttpRequest request = notes_request(token_, code_, account_, {{"x"}});
        request.body = "{\"unknown\": 1, " + request.body.substr(1);
        CPPUNIT_ASSERT_EQUAL(400, ask(world().stack(), request).status);
        const bool was_counted = wait_until(
            [&] {
                return world().database().count(
                           "SELECT count(*) FROM data_import.refused_request WHERE import_supplier = $1",
                           {code_}) > 0;
            },
            10s);
        const long kept = refusals_of_account();
        std::this_thread::sleep_for(3s);  // longer than a worker's tick of about a second
        const long counted = world().database().count(
            "SELECT coalesce(sum(count), 0) FROM data_import.refused_request WHERE import_supplier = $1",
            {code_});
        platform.rows("COMMIT");
        CPPUNIT_ASSERT(was_counted);
        CPPUNIT_ASSERT_EQUAL(0L, kept);
        CPPUNIT_ASSERT_EQUAL(1L, counted);
        CPPUNIT_ASSERT(wait_until([&] { return refusals_of_account() == 1; }, 10s));
    }

    /// An erasure that waits for the supplier's events does not hold the lock that workers need to store
    /// refusals. The erasure waits because the session `holder` has locked the events.
    ///
    /// Because housekeeping would wait for `holder`, too, and the erasure for housekeeping, the test first
    /// waits until housekeeping has no work left with the events.
    void an_erasure_takes_the_lock_of_refusals_last() {
        CPPUNIT_ASSERT(wait_until(
            [&] {
                return world().database().count(
                           "SELECT count(*) FROM data_import.event WHERE "
                           "import_supplier = $1 AND place IS NULL",
                           {code_}) == 0;
            },
            20s));
        const std::string conninfo = world().stack().value("DATABASE_URL");
        AdminSession holder(conninfo);
        holder.rows("BEGIN");
        holder.rows("SELECT 1 FROM data_import.event WHERE import_supplier = $1 FOR UPDATE", {code_});
        AdminSession platform(conninfo);
        const std::string backend = platform.value("SELECT pg_backend_pid()");
        std::thread erasure([&] {
            platform.rows("SELECT data_import.account_erase($1, $2)", {code_, account_});
        });
        const bool waits = wait_until(
            [&] {
                return world().database().count(
                           "SELECT count(*) FROM pg_stat_activity WHERE pid = $1 AND wait_event = "
                           "'transactionid'",
                           {backend}) > 0;
            },
            20s);
        const long has_lock = world().database().count(
            "SELECT count(*) FROM pg_locks WHERE pid = $1 AND locktype = 'advisory' AND "
            "(classid::bigint << 32) | objid::bigint = data_import.lock_number('account_refusal', '')",
            {backend});
        holder.rows("COMMIT");
        erasure.join();
        CPPUNIT_ASSERT(waits);
        CPPUNIT_ASSERT_EQUAL(0L, has_lock);
        CPPUNIT_ASSERT_EQUAL(
            0L,
            world().database().count(
                "SELECT count(*) FROM data_import.event WHERE import_supplier = $1 AND $2 = ANY (subjects)",
                {code_, account_}));
    }

    /// A reconcile whose snapshot is older than the erasure stores an accepted difference of the erased
    /// account. A second erasure removes it.
    void accepted_differences_of_an_erased_account_go() {
        const std::string erase = "account erase " + code_ + " " + account_;
        run_ctl(world().stack(), erase);
        world().database().rows(
            "INSERT INTO data_import.accepted_difference (account_key, kind, import_supplier, "
            "external_account_number, declared_records, held_records, held_amount, held_fingerprint, "
            "accepted_by, reason) VALUES (data_import.account_key($1, $2), 'notes', $1, $2, 1, 0, 0, "
            "gen_random_uuid(), 'X', 'lost')",
            {code_, account_});
        const auto said = [&](const std::string& part) {
            const std::string output = run_ctl(world().stack(), erase);
            CPPUNIT_ASSERT_MESSAGE(output, output.find(part) != std::string::npos);
        };
        said(" is erased");
        CPPUNIT_ASSERT_EQUAL(
            0L,
            world().database().count(
                "SELECT count(*) FROM data_import.accepted_difference WHERE import_supplier = $1", {code_}));
        said(" was erased already");
    }

    /// A new table with a column account_key fails this test until somebody has decided whether the table's
    /// rows come with imports. If they do, the table belongs to a kind of records, and tables_of_accounts()
    /// has to name it; else the table is added to the list below. The test does not find a table that holds
    /// personal data without this column.
    void every_table_of_accounts_is_known() {
        std::set<std::string> tables = {"idempotency_key"};
        for (const records::Kind& kind : records::kinds()) {
            tables.emplace(kind.table);
            for (const records::Items& items : kind.items)
                if (!items.table.empty()) tables.emplace(items.table);
        }
        std::string imported;
        for (const std::string& table : tables) (imported += imported.empty() ? "" : " ") += table;
        CPPUNIT_ASSERT_EQUAL(
            imported, world().database().value("SELECT string_agg(table_name, ' ' ORDER BY table_name) "
                                               "FROM data_import.tables_of_accounts() WHERE is_imported"));
        CPPUNIT_ASSERT_EQUAL(
            std::string(
                "accepted_difference account account_action account_hold account_refusal account_step "
                "service_account_number statement_period"),
            world().database().value("SELECT string_agg(table_name, ' ' ORDER BY table_name) "
                                     "FROM data_import.tables_of_accounts() WHERE NOT is_imported"));
    }

    /// The test makes two tables, of which only `later` belongs to the schema's owner. A reset leaves the
    /// rows of both tables. An erasure removes the row from `later` only.
    void a_reset_leaves_tables_that_no_import_fills() {
        AdminSession session(world().stack().value("DATABASE_URL"));
        const auto rows_left = [&] {
            return session.value(
                "SELECT (SELECT count(*) FROM data_import.later) || ' ' || (SELECT count(*) FROM "
                "data_import.of_others)");
        };
        session.rows("BEGIN");
        for (const std::string table : {"data_import.later", "data_import.of_others"}) {
            session.rows("CREATE TABLE " + table + " (account_key uuid PRIMARY KEY)");
            session.rows("INSERT INTO " + table + " SELECT data_import.account_key($1, $2)",
                         {code_, account_});
        }
        session.rows("ALTER TABLE data_import.later OWNER TO \"data-import-owner\"");
        session.rows("SELECT data_import.account_reset($1, $2)", {code_, account_});
        const std::string behind_reset = rows_left();
        session.rows("SELECT data_import.account_erase($1, $2)", {code_, account_});
        const std::string behind_erasure = rows_left();
        session.rows("ROLLBACK");
        CPPUNIT_ASSERT_EQUAL(std::string("1 1"), behind_reset);
        CPPUNIT_ASSERT_EQUAL(std::string("0 1"), behind_erasure);
    }

    /// A request that will be refused begins before the erasure. The session `holder` has inserted an answer
    /// under the request's Idempotency-Key without a commit, so the service cannot keep the request's answer
    /// until `holder` ends its transaction. The erasure waits for the kept answer, and then deletes it.
    void an_answer_is_kept_before_or_behind_an_erasure() {
        const std::string conninfo = world().stack().value("DATABASE_URL");
        const std::string key = world().take_fresh();
        AdminSession holder(conninfo);
        holder.rows("BEGIN");
        holder.rows(
            "INSERT INTO data_import.idempotency_key (organisation, key, content_sha256, status, body, "
            "request_id, api_key_id) VALUES ($1, $2, sha256(''), 400, '{}', gen_random_uuid(), 1)",
            {"Org " + code_, key});
        Answer refused;
        std::thread request([&] { refused = post_refused(key); });
        const bool waits = wait_until([&] { return waiting("locktype = 'transactionid'") > 0; }, 60s);
        AdminSession platform(conninfo);
        const std::string backend = platform.value("SELECT pg_backend_pid()");
        std::thread erasure([&] {
            platform.rows("SELECT data_import.account_erase($1, $2)", {code_, account_});
        });
        const bool waits_for_answer = wait_until([&] { return waiting("pid = " + backend) > 0; }, 60s);
        holder.rows("ROLLBACK");
        request.join();
        erasure.join();
        CPPUNIT_ASSERT(waits);
        CPPUNIT_ASSERT(waits_for_answer);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(refused), 400, refused.status);
        CPPUNIT_ASSERT_EQUAL(0L, kept_answers());
    }

    /// The request does not wait for the platform's transaction.
    void no_answer_is_kept_during_an_erasure() {
        AdminSession platform(world().stack().value("DATABASE_URL"));
        platform.rows("BEGIN");
        platform.rows("SELECT data_import.account_erase($1, $2)", {code_, account_});
        const Answer refused = post_refused(world().take_fresh());
        platform.rows("COMMIT");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(refused), 400, refused.status);
        CPPUNIT_ASSERT_EQUAL(0L, kept_answers());
    }

    /// After the erasure, a dump of the database has neither the planted word nor the unit of quantities. The
    /// word is the account's number. It stands in every text that a row of the account can have, except the
    /// organisation of the supplier. Units of quantities are another word, because they are part of totals.
    void a_dump_holds_nothing_of_an_erased_account() {
        const std::string word = fill_with_word();
        AdminSession& database = world().database();
        CPPUNIT_ASSERT(lines_of_dump(word) > 30);
        CPPUNIT_ASSERT(lines_of_dump(unit_) > 3);
        run_ctl(world().stack(), "account hold " + code_ + " " + account_);
        run_ctl(world().stack(), "account hold --off " + code_ + " " + account_);
        run_ctl(world().stack(), "account erase " + code_ + " " + account_);
        CPPUNIT_ASSERT_EQUAL(0L, lines_of_dump(word));
        CPPUNIT_ASSERT_EQUAL(0L, lines_of_dump(unit_));
        CPPUNIT_ASSERT_EQUAL(0L, rows_of_account());
        CPPUNIT_ASSERT_EQUAL(1L, database.count("SELECT count(*) FROM data_import.erased_account "
                                                "WHERE account_key = data_import.account_key($1, $2)",
                                                {code_, account_}));
    }

    /// After the erasure, a dump of the database does not have the account's number, not even when a later
    /// request for the account was refused. The unit of quantities is not searched for, because the
    /// supplier's figures stay, and the name of a figure can contain the unit.
    void a_dump_holds_nothing_of_an_erased_supplier() {
        const std::string word = fill_with_word();
        run_ctl(world().stack(), "supplier set " + code_ + " --status Complete --force");
        run_ctl(world().stack(), "supplier erase " + code_ + " --force");
        CPPUNIT_ASSERT_EQUAL(0L, lines_of_dump(word));
        CPPUNIT_ASSERT_EQUAL(0L, rows_of_account());
        const std::string refusals =
            "SELECT coalesce(sum(kept), 0) FROM data_import.account_refusal_count WHERE import_supplier = $1";
        const long before = world().database().count(refusals, {code_});
        const Answer refused = ask(world().stack(), notes_request(token_, code_, account_, {{"x"}}));
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(refused), 400, refused.status);
        CPPUNIT_ASSERT(wait_until([&] { return world().database().count(refusals, {code_}) > before; }, 20s));
        CPPUNIT_ASSERT_EQUAL(0L, lines_of_dump(word));
    }

private:
    /// The outcome of a step on the account: `refused` for this reason, or `done`.
    std::string outcome_of(AdminSession& session, const std::string& step, const std::string& reason) const {
        try {
            session.rows("SELECT data_import." + step, {code_, account_});
        } catch (const std::runtime_error& failure) {
            const std::string said = failure.what();
            return said.find(reason) != std::string::npos ? "refused" : said;
        }
        return "done";
    }

    static constexpr const char* all_receipts =
        "(SELECT kind, figure, value FROM data_import.import_total WHERE import_supplier = $1 "
        "UNION ALL SELECT kind, figure, value FROM data_import.import_receipt WHERE import_supplier = $1) AS "
        "told";

    /// Imports the example of each endpoint; one of the transactions lies outside the statement period. The
    /// payment instruction is stored by a call of the database's function, so that no vendor is asked.
    void import_everything() {
        world().database().rows("SELECT data_import.statement_open($1, $2, '2024-05-04', '2024-05-31')",
                                {code_, account_});
        for (const http::Endpoint& endpoint : all_endpoints()) {
            if (endpoint.supplier != http::SupplierIn::body ||
                endpoint.path.ends_with("/payment-instruction/create/"))
                continue;
            const Answer answer = post(endpoint, endpoint.path.ends_with("/transactions/create/")
                                                     ? "?force_add_to_current_statement=true"
                                                     : "");
            CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 201, answer.status);
        }
        world().database().rows(
            "SELECT data_import.payment_instruction_import(data_import.account_key($1, $2), $1, "
            "gen_random_uuid(), 1, 'O', 'V', 'R', 'CARD', 'active', '1234', NULL, '{}')",
            {code_, account_});
    }

    /// Makes an account with records of all kinds. Writes the same word into every text of the account's rows
    /// that may hold it, and returns the word.
    std::string fill_with_word() {
        const std::string word = "planted-" + code_;
        account_ = word;
        AdminSession& database = world().database();
        database.rows("SELECT data_import.account_stage($1, $2)", {code_, account_});
        database.rows("SELECT data_import.account_begin($1, $2)", {code_, account_});
        database.rows("SELECT data_import.account_fail($1, $2, $3)", {code_, account_, "reason " + word});
        database.rows("SELECT data_import.account_stage($1, $2)", {code_, account_});
        database.rows("SELECT data_import.account_complete($1, $2, $3)", {code_, account_, "N-" + word});
        // The unit is the end of the supplier's code with a U in front. The code stays in dumps after the
        // erasure; without the U, a search for the unit would find the code.
        unit_ = "U" + code_.substr(code_.size() - 12);
        import_everything();
        refuse_unknown_field(word);
        plant(word);
        return word;
    }

    static constexpr std::size_t shared_kinds = 2;  // market participants and price sheets

    /// The metric data_import_items_total.
    [[nodiscard]] static std::map<std::string, long> items_by_kind() {
        static const std::regex sample("data_import_items_total\\{kind=\"(\\w+)\"\\} (\\d+)\n");
        const std::string text =
            must_run("curl --silent --show-error " + world().stack().value("METRICS_URL"));
        std::map<std::string, long> items;
        for (std::sregex_iterator match(text.begin(), text.end(), sample), end; match != end; ++match)
            items[(*match)[1]] = std::stol((*match)[2]);
        CPPUNIT_ASSERT_EQUAL(records::kinds().size() + shared_kinds, items.size());
        return items;
    }

    [[nodiscard]] Answer post(const http::Endpoint& endpoint, const std::string& query) const {
        HttpRequest request = get_request(std::string(endpoint.path) + query, token_);
        request.method = "POST";
        request.headers.emplace_back("Content-Type", "application/json");
        if (!query.ends_with("dry_run=true"))
            request.headers.emplace_back("Idempotency-Key", world().take_fresh());
        request.body =
            with_field(in_unit(openapi::example_of(endpoint)), "import_supplier", json_string(code_));
        request.body = with_field(request.body, "external_account_number", json_string(account_));
        return ask(world().stack(), request);
    }

    [[nodiscard]] std::string in_unit(std::string_view example) const {
        static const std::regex kwh(R"("KWH")");
        return std::regex_replace(std::string(example), kwh, json_string(unit_));
    }

    /// Sends a request with an unknown field. Its answer, which names the field, is kept, and the account's
    /// history gets the refusal.
    void refuse_unknown_field(const std::string& name) const {
        HttpRequest request = notes_request(token_, code_, account_, {{"x"}});
        request.headers.emplace_back("Idempotency-Key", world().take_fresh());
        request.body = "{\"" + name + "\": 1, " + request.body.substr(1);
        const Answer answer = ask(world().stack(), request);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 400, answer.status);
        CPPUNIT_ASSERT(wait_until([&] { return refusals_of_account() > 0; }, 20s));
    }

    /// Posts a payload that is not valid.
    [[nodiscard]] Answer post_refused(const std::string& key) const {
        HttpRequest request = notes_request(token_, code_, account_, {{""}});
        request.headers.emplace_back("Idempotency-Key", key);
        return ask(world().stack(), request);
    }

    [[nodiscard]] long kept_answers() const {
        return world().database().count(
            "SELECT count(*) FROM data_import.idempotency_key WHERE organisation = $1", {"Org " + code_});
    }

    /// Returns the number of rows of pg_locks in which a session waits for a lock. Counts only rows that meet
    /// the SQL condition `kind`.
    [[nodiscard]] static long waiting(const std::string& kind) {
        return world().database().count("SELECT count(*) FROM pg_locks WHERE NOT granted AND " + kind);
    }

    [[nodiscard]] long refusals_of_account() const {
        return world().database().count(
            "SELECT count(*) FROM data_import.account_refusal WHERE account_key = "
            "data_import.account_key($1, "
            "$2)",
            {code_, account_});
    }

    /// Writes `word` into all text and JSON columns of the account's rows, except columns whose constraints
    /// refuse `word`.
    void plant(const std::string& word) const {
        AdminSession& database = world().database();
        for (const auto& column : database.rows(
                 "SELECT class.relname, attribute.attname, format_type(attribute.atttypid, -1) "
                 "FROM data_import.tables_of_accounts() AS t JOIN pg_class AS class ON class.relname = "
                 "t.table_name "
                 "AND class.relnamespace = 'data_import'::regnamespace "
                 "JOIN pg_attribute AS attribute ON attrelid = class.oid AND attnum > 0 AND NOT attisdropped "
                 "WHERE format_type(atttypid, -1) IN ('text', 'text[]', 'json', 'jsonb') "
                 "AND attname NOT LIKE '%quantity_unit' AND attname <> 'organisation'")) {
            const std::string& type = column[2];
            const std::string value = type == "text" ? "$1"
                                      : type == "text[]"
                                          ? "array_fill($1::text, ARRAY[cardinality(" + column[1] + ")])"
                                          : "json_build_array($1::text)::" + type;
            try {
                database.rows("UPDATE data_import." + column[0] + " SET " + column[1] + " = " +
                                  (type == "text" ? value : "(SELECT " + value + ")") +
                                  " WHERE account_key = data_import.account_key($2, $3) AND " + column[1] +
                                  " IS NOT NULL",
                              {word, code_, account_});
            } catch (const std::runtime_error& failure) {
                // a constraint refuses `word` in a column that may hold only a key or one of a few values
                const std::string reason = failure.what();
                CPPUNIT_ASSERT_MESSAGE(reason, reason.find("constraint") != std::string::npos);
            }
        }
    }

    static long lines_of_dump(const std::string& word) {
        return std::stol(must_run("pg_dump --dbname=" + shell_word(world().stack().value("DATABASE_URL")) +
                                  " | { grep --count --fixed-strings " + shell_word(word) + " || true; }"));
    }

    /// Counts the account's rows in the tables that imports fill. If the account does not exist, also counts
    /// its rows in all other tables of accounts, except in erased_account, the table of tombstones.
    [[nodiscard]] long rows_of_account() const {
        long rows = 0;
        for (const auto& table : world().database().rows(
                 "SELECT table_name FROM data_import.tables_of_accounts() WHERE is_imported OR "
                 "NOT EXISTS (SELECT 1 FROM data_import.account WHERE account_key = "
                 "data_import.account_key($1, $2))",
                 {code_, account_}))
            rows += world().database().count("SELECT count(*) FROM data_import." + table.at(0) +
                                                 " WHERE account_key = data_import.account_key($1, $2)",
                                             {code_, account_});
        return rows;
    }

    std::string code_;
    std::string account_;
    std::string token_;
    std::string unit_ = "KWH";
};

CPPUNIT_TEST_SUITE_REGISTRATION(AccountRemovalTest);

}  // namespace data_import::tests

// The database from the operators' side: figures that are exact while everything moves, a bounded import log,
// and a role of the platform's software that can move accounts along and nothing else.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <Poco/JSON/Object.h>

#include <array>
#include <atomic>
#include <set>
#include <thread>

#include "../../support/command.h"
#include "../../support/json_match.h"
#include "../../support/load.h"
#include "../../support/processes.h"
#include "../../support/world.h"
#include "base/util/datetime.h"
#include "data/database/database.h"
#include "data/database/failures.h"
#include "data/store/housekeeping.h"
#include "data/store/import_log.h"
#include "service/api/endpoints.h"
#include "service/http/refusal_log.h"

namespace data_import::tests {

namespace {

database::Deadline soon() {
    return std::chrono::steady_clock::now() + 30s;
}

/// A session with the rights of the service.
std::unique_ptr<database::Database> service_session() {
    return std::make_unique<database::Database>(
        database::Options{.conninfo = world().stack().value("DATABASE_URL"),
                          .application_name = "operations-test",
                          .role = "data-import"});
}

/// A supplier with one imported account, A-00001, and a token for it.
struct OwnSupplier {
    std::string code = world().take_fresh();
    std::string token;

    OwnSupplier() {
        World& world = tests::world();
        run_ctl(world.stack(), "supplier create " + code + " --name X");
        import_accounts(world.database(), code, code + "-A-", 1);
        token = token_for(world.stack(), "Org " + code, code);
    }
    [[nodiscard]] std::string account() const { return code + "-A-00001"; }
};

}  // namespace

class OperationsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(OperationsTest);
    CPPUNIT_TEST(figures_are_exact_while_everything_moves);
    CPPUNIT_TEST(commits_wait_for_the_disk_under_any_configuration);
    CPPUNIT_TEST(transactions_see_stored_rows_under_any_configuration);
    CPPUNIT_TEST(rates_keep_minutes_of_a_day_and_hours_for_good);
    CPPUNIT_TEST(the_end_is_estimated_from_the_last_hour);
    CPPUNIT_TEST(no_end_is_promised_where_nothing_comes);
    CPPUNIT_TEST(housekeeping_does_a_bounded_part_and_tells_of_the_rest);
    CPPUNIT_TEST(housekeeping_leaves_the_measure_of_dry_runs);
    CPPUNIT_TEST(refusals_are_counted_and_shown);
    CPPUNIT_TEST(refused_requests_reach_the_log);
    CPPUNIT_TEST(the_log_says_when_it_leaves_kinds_out);
    CPPUNIT_TEST(refusals_expire);
    CPPUNIT_TEST(the_platform_moves_accounts);
    CPPUNIT_TEST(a_text_that_fails_leaves_no_block_open);
    CPPUNIT_TEST(a_lost_session_leaves_the_outcome_unknown);
    CPPUNIT_TEST(a_session_that_was_given_up_ends);
    CPPUNIT_TEST(a_long_wait_for_the_log_stores_nothing);
    CPPUNIT_TEST(a_removal_is_no_import);
    CPPUNIT_TEST(a_record_about_to_be_removed_is_not_stored);
    CPPUNIT_TEST(an_answer_outlives_no_reset);
    CPPUNIT_TEST(every_table_can_be_replicated_logically);
    CPPUNIT_TEST(sums_of_as_many_units_as_are_told_leave_none_out);
    CPPUNIT_TEST(a_payment_that_waits_for_its_account_holds_up_no_other);
    CPPUNIT_TEST_SUITE_END();

public:
    /// While clients import notes, two sessions run housekeeping all the time, which replaces receipts by
    /// their sums. Still, in every snapshot, the supplier's number of notes by its receipts and sums equals
    /// the number of its rows in data_import.note.
    void figures_are_exact_while_everything_moves() {
        const OwnSupplier supplier;
        Load load(world().stack(), {.token = supplier.token,
                                    .supplier = supplier.code,
                                    .account = supplier.account(),
                                    .clients = 4});
        std::atomic<bool> stopping = false;
        const auto run_housekeeping = [&] {
            const auto session = service_session();
            while (!stopping) {
                session->execute(
                    store::housekeeping({.import_log_days = 14, .events_days = 30, .idempotency_keys = 24h}),
                    soon());
            }
        };
        std::thread one(run_housekeeping);
        std::thread other(run_housekeeping);
        long wrong = 0;
        const auto until = std::chrono::steady_clock::now() + 3s;
        while (std::chrono::steady_clock::now() < until) wrong += difference_to_tables(supplier.code);
        load.stop();
        stopping = true;
        one.join();
        other.join();
        CPPUNIT_ASSERT_EQUAL(0L, wrong);
        CPPUNIT_ASSERT_EQUAL(0L, difference_to_tables(supplier.code));
        CPPUNIT_ASSERT_EQUAL_MESSAGE(load.examples(), 0, load.failed());
        CPPUNIT_ASSERT_EQUAL(static_cast<long>(load.acknowledged().size()), records(supplier.code, "notes"));
        CPPUNIT_ASSERT(load.acknowledged().size() > 10);
    }

    /// A script that fails between its BEGIN and its COMMIT must leave no transaction block open. This script
    /// fails by a division by zero; others fail there because they are cancelled.
    void a_text_that_fails_leaves_no_block_open() {
        const auto session = service_session();
        CPPUNIT_ASSERT_THROW(session->execute_script("BEGIN; SELECT 1 / 0", soon()), database::Refused);
        const database::Rows rows = session->execute({.name = "one", .sql = "SELECT 1"}, soon());
        CPPUNIT_ASSERT_EQUAL(std::int64_t{1}, rows.integer(0, 0));
    }

    void a_lost_session_leaves_the_outcome_unknown() {
        database::Database session({.conninfo = world().stack().value("DATABASE_URL")});
        CPPUNIT_ASSERT_THROW(
            session.execute({.name = "end", .sql = "SELECT pg_terminate_backend(pg_backend_pid())"}, soon()),
            database::UnavailableOutcomeUnknown);
    }

    /// After a call has timed out, its session ends, whatever it waits for. Otherwise the session would keep
    /// a connection, and maybe locks.
    void a_session_that_was_given_up_ends() {
        const std::string name = world().take_fresh();
        AdminSession holder(world().stack().value("DATABASE_URL"));
        holder.rows("BEGIN");
        holder.rows("SELECT data_import.lock_account(data_import.account_key('ACME', $1))", {name});
        {
            database::Database session({.conninfo = world().stack().value("DATABASE_URL"),
                                        .application_name = name,
                                        .statement_timeout = 60s});
            CPPUNIT_ASSERT_THROW(
                session.execute(
                    {.name = "wait",
                     .sql = "SELECT data_import.lock_account(data_import.account_key('ACME', $1))",
                     .parameters = {name}},
                    std::chrono::steady_clock::now() + 1s),
                database::TimedOut);
        }
        const bool ended = wait_until(
            [&] {
                return world().database().count(
                           "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1", {name}) == 0;
            },
            5s);
        holder.rows("COMMIT");
        CPPUNIT_ASSERT(ended);
    }

    /// The call that stores the log's counts waits for a lock, fails and stores nothing. So the log can send
    /// its counts again.
    void a_long_wait_for_the_log_stores_nothing() {
        const OwnSupplier supplier;
        http::RefusalLog log;
        const http::Endpoint notes = api::notes_create();
        log.note(&notes, supplier.code, {Code::parse_error}, std::string(32, '7'));
        store_refusals(log);
        log.note(&notes, supplier.code, {Code::parse_error}, std::string(32, '7'));
        AdminSession holder(world().stack().value("DATABASE_URL"));
        holder.rows("BEGIN");
        holder.rows("UPDATE data_import.refused_request SET count = count WHERE import_supplier = $1",
                    {supplier.code});
        CPPUNIT_ASSERT_THROW(
            service_session()->execute(log.flush().value(), std::chrono::steady_clock::now() + 2s),
            database::Refused);
        holder.rows("COMMIT");
        store_refusals(log);
        CPPUNIT_ASSERT_EQUAL(
            2L, world().database().count(
                    "SELECT sum(count) FROM data_import.refused_request WHERE import_supplier = $1",
                    {supplier.code}));
    }

    void a_removal_is_no_import() {
        const OwnSupplier supplier;
        AdminSession& database = world().database();
        const auto last_import = [&] {
            const std::string last =
                database.value("SELECT last_at FROM data_import.migration_progress($1) WHERE kind = 'notes'",
                               {supplier.code});
            const std::string shown = run_ctl(world().stack(), "supplier show --json " + supplier.code);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(shown, last.empty(), holds(shown, R"("last_import_at":null)"));
            return last;
        };
        const auto receive = [&](const char* value, const char* at) {
            database.rows(
                "INSERT INTO data_import.import_receipt (import_supplier, kind, value, at) "
                "VALUES ($1, 'notes', $2, $3)",
                {supplier.code, value, at});
        };
        const std::string imported = database.value("SELECT timestamptz '2024-05-02T08:15:29Z'");
        receive("-1", "2024-05-04T00:00:00Z");
        CPPUNIT_ASSERT_EQUAL(std::string(), last_import());
        run_housekeeping();
        CPPUNIT_ASSERT_EQUAL(std::string(), last_import());
        receive("2", "2024-05-02T08:15:29Z");
        receive("-1", "2024-05-03T00:00:00Z");
        CPPUNIT_ASSERT_EQUAL(imported, last_import());
        run_housekeeping();
        CPPUNIT_ASSERT_EQUAL(imported, last_import());
        receive("-1", "2024-05-05T00:00:00Z");
        CPPUNIT_ASSERT_EQUAL(imported, last_import());
        run_housekeeping();
        CPPUNIT_ASSERT_EQUAL(imported, last_import());
    }

    /// An open transaction resets the account, which removes the stored payment instruction.
    /// payment_instruction_look() has to wait until this transaction ends, and must not return `stored`.
    void a_record_about_to_be_removed_is_not_stored() {
        const OwnSupplier supplier;
        const std::string conninfo = world().stack().value("DATABASE_URL");
        world().database().rows(
            "SELECT data_import.payment_instruction_import(data_import.account_key($1, $2), $1, "
            "gen_random_uuid(), 1, 'O', $1, 'R', 'CARD', 'active', '1234', NULL, '{}')",
            {supplier.code, supplier.account()});
        const std::string look =
            "SELECT admission FROM data_import.payment_instruction_look(data_import.account_key($1, $2), $1, "
            "'O', $1, 'R', 60)";
        AdminSession other(conninfo);
        CPPUNIT_ASSERT_EQUAL(std::string("stored"), other.value(look, {supplier.code, supplier.account()}));
        AdminSession platform(conninfo);
        platform.rows("BEGIN");
        platform.rows("SELECT data_import.account_reset($1, $2)", {supplier.code, supplier.account()});
        const std::string backend = other.value("SELECT pg_backend_pid()");
        std::string admission;
        std::thread repeat([&] { admission = other.value(look, {supplier.code, supplier.account()}); });
        const bool waits = wait_until(
            [&] {
                return world().database().count(
                           "SELECT count(*) FROM pg_locks WHERE pid = $1 AND NOT granted", {backend}) > 0;
            },
            5s);
        platform.rows("COMMIT");
        repeat.join();
        CPPUNIT_ASSERT_EQUAL(std::string("call"), admission);
        CPPUNIT_ASSERT(waits);
    }

    void sums_of_as_many_units_as_are_told_leave_none_out() {
        const OwnSupplier supplier;
        AdminSession& database = world().database();
        database.rows(
            "INSERT INTO data_import.import_receipt (import_supplier, kind, figure, value) "
            "SELECT $1, 'delivery_notes', figure, 1 FROM (SELECT 'quantity:U' || number FROM "
            "generate_series(1, 7) AS number UNION ALL VALUES ('records'), ('amounts')) AS held (figure)",
            {supplier.code});
        for (const auto& [most, told, left_out] : {std::array{7L, 9L, 0L}, std::array{6L, 8L, 1L}}) {
            const std::vector<std::string> totals =
                database
                    .rows(
                        "SELECT count(*), max(left_out) FROM data_import.control_totals($1, $2) WHERE kind = "
                        "'delivery_notes'",
                        {supplier.code, std::to_string(most)})
                    .front();
            CPPUNIT_ASSERT_EQUAL(std::to_string(told), totals.at(0));
            CPPUNIT_ASSERT_EQUAL(std::to_string(left_out), totals.at(1));
        }
    }

    /// An account can be reset after a payment instruction was stored, and before the answer to the request
    /// is kept under the request's Idempotency-Key. This answer must then not be kept.
    void an_answer_outlives_no_reset() {
        const OwnSupplier supplier;
        AdminSession& database = world().database();
        const std::string before = database.value("SELECT clock_timestamp()");
        database.rows(
            "SELECT data_import.payment_instruction_import(data_import.account_key($1, $2), $1, "
            "gen_random_uuid(), 1, 'O', $1, 'R', 'CARD', 'active', '1234', NULL, '{}')",
            {supplier.code, supplier.account()});
        database.rows("SELECT data_import.account_reset($1, $2)", {supplier.code, supplier.account()});
        const auto kept_after = [&](const std::string& claimed_at) {
            database.rows(
                "SELECT data_import.idempotency_key_keep('O', $1, sha256(''), $1, "
                "data_import.account_key($1, $2), 201::smallint, '{}', gen_random_uuid(), 1, $3, true)",
                {supplier.code, supplier.account(), claimed_at});
            return database.count("SELECT count(*) FROM data_import.idempotency_key WHERE key = $1",
                                  {supplier.code});
        };
        CPPUNIT_ASSERT_EQUAL(0L, kept_after(before));
        const std::string behind = database.value("SELECT clock_timestamp()");
        CPPUNIT_ASSERT_EQUAL(1L, kept_after(behind));
        CPPUNIT_ASSERT_EQUAL(1L, kept_after(behind));
    }

    /// PostgreSQL refuses to delete from a table that is published for logical replication and has no replica
    /// identity.
    void every_table_can_be_replicated_logically() {
        AdminSession session(world().stack().value("DATABASE_URL"));
        session.rows("BEGIN");
        session.rows("CREATE PUBLICATION everything FOR ALL TABLES");
        const auto tables = session.rows(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'data_import' ORDER BY tablename");
        std::string refused;
        for (const auto& table : tables) {
            session.rows("SAVEPOINT before");
            try {
                session.rows("DELETE FROM data_import." + table.at(0) + " WHERE false");
            } catch (const std::runtime_error& failure) {
                refused += failure.what();
                session.rows("ROLLBACK TO before");
            }
        }
        session.rows("ROLLBACK");
        CPPUNIT_ASSERT(tables.size() > 30);
        CPPUNIT_ASSERT_EQUAL(std::string(), refused);
    }

    void a_payment_that_waits_for_its_account_holds_up_no_other() {
        const OwnSupplier supplier;
        const std::string vendor = supplier.code;
        const std::string conninfo = world().stack().value("DATABASE_URL");
        AdminSession holder(conninfo);
        AdminSession other(conninfo);
        other.rows(
            "INSERT INTO data_import.payment_vendor_circuit (organisation, vendor, failures, time_outs, "
            "changed_at) VALUES ('', $1, 1, 0, now())",
            {vendor});
        holder.rows("BEGIN");
        holder.rows("SELECT data_import.lock_account(data_import.account_key($1, $2))",
                    {supplier.code, supplier.account()});
        AdminSession waiting(conninfo);
        const std::string backend = waiting.value("SELECT pg_backend_pid()");
        std::thread import([&] {
            waiting.rows(
                "SELECT data_import.payment_instruction_import(data_import.account_key($1, $2), $1, "
                "gen_random_uuid(), 1, 'O', $1, 'R', 'CARD', 'active', '1234', NULL, '{}')",
                {supplier.code, supplier.account()});
        });
        const bool waits = wait_until(
            [&] {
                return other.count("SELECT count(*) FROM pg_locks WHERE pid = $1 AND NOT granted",
                                   {backend}) > 0;
            },
            60s);
        std::string failure;
        other.rows("SET statement_timeout = '5s'");
        try {
            other.rows("SELECT data_import.payment_vendor_answered('P', $1, 'R')", {vendor});
        } catch (const std::runtime_error& refused) {
            failure = refused.what();
        }
        holder.rows("COMMIT");
        import.join();
        CPPUNIT_ASSERT(waits);
        CPPUNIT_ASSERT_EQUAL(std::string(), failure);
    }

    void commits_wait_for_the_disk_under_any_configuration() {
        for (const char* weaker : {"off", "local", "remote_write"})
            CPPUNIT_ASSERT_EQUAL(std::string("on"), synchronous_commit_where_it_is(weaker));
        CPPUNIT_ASSERT_EQUAL(std::string("remote_apply"), synchronous_commit_where_it_is("remote_apply"));
    }

    /// A read after a lock sees everything that was stored before the lock was taken.
    void transactions_see_stored_rows_under_any_configuration() {
        CPPUNIT_ASSERT_EQUAL(std::string("read committed"),
                             setting_where_it_is("default_transaction_isolation", "'repeatable read'"));
    }

    void rates_keep_minutes_of_a_day_and_hours_for_good() {
        const std::string code = world().take_fresh();
        run_ctl(world().stack(), "supplier create " + code + " --name X");
        for (const char* age : {"10 seconds", "3 minutes", "50 minutes", "5 hours", "23 hours", "26 hours"}) {
            world().database().rows(
                "INSERT INTO data_import.import_receipt (import_supplier, kind, value, at) "
                "VALUES ($1, 'notes', 1, now() - $2::text::interval)",
                {code, age});
        }
        check_rates(code);
        run_housekeeping();
        check_rates(code);
        run_housekeeping();
        check_rates(code);
        const char* rows =
            "SELECT count(*) FROM data_import.import_rate WHERE import_supplier = $1 AND seconds = $2";
        CPPUNIT_ASSERT_EQUAL(1L, world().database().count(rows, {code, "5"}));
        CPPUNIT_ASSERT_EQUAL(4L, world().database().count(rows, {code, "60"}));
        CPPUNIT_ASSERT_EQUAL(1L, world().database().count(rows, {code, "3600"}));
        CPPUNIT_ASSERT_EQUAL(
            6L,
            world().database().count(
                "SELECT sum(records) FROM data_import.migration_throughput($1, '-infinity', 3600)", {code}));
    }

    /// 300 accounts were imported in half an hour and 600 are left, so the estimated end is an hour away. The
    /// 100 failed accounts do not count.
    ///
    /// Because summing up rounds the times of receipts to a minute, the half hour may be a minute too long,
    /// and the estimate two minutes.
    void the_end_is_estimated_from_the_last_hour() {
        const std::string code = world().take_fresh();
        run_ctl(world().stack(), "supplier create " + code + " --name X");
        for (const auto& [kind, accounts, age] :
             {std::tuple("account_staged", "600", "2 hours"), std::tuple("account_failed", "100", "2 hours"),
              std::tuple("account_imported", "1000", "2 hours"),
              std::tuple("account_imported", "100", "30 minutes"),
              std::tuple("account_imported", "200", "5 minutes")})
            add_receipt(code, kind, accounts, age);
        CPPUNIT_ASSERT_DOUBLES_EQUAL(3660.0, seconds_to_go(code), 90.0);
        run_housekeeping();
        CPPUNIT_ASSERT_DOUBLES_EQUAL(3660.0, seconds_to_go(code), 90.0);
        CPPUNIT_ASSERT(shown(code).find(" UTC, without 100 failed\n") != std::string::npos);
    }

    /// Two accounts of a hundred are left. When their estimated end has passed, no end is shown any more.
    /// After ten minutes without records the migration stands still. It does not stand still if only failed
    /// accounts are left.
    void no_end_is_promised_where_nothing_comes() {
        const std::string code = world().take_fresh();
        run_ctl(world().stack(), "supplier create " + code + " --name X");
        add_receipt(code, "account_staged", "2", "2 hours");
        add_receipt(code, "account_imported", "98", "10 seconds");
        CPPUNIT_ASSERT(seconds_to_go(code) < 10.0);
        age_receipts(code, "8 minutes");
        CPPUNIT_ASSERT(progress_of(code)->isNull("estimated_end_at"));
        CPPUNIT_ASSERT(progress_of(code)->isNull("stands_still_since"));
        CPPUNIT_ASSERT(shown(code).find("none: no account was imported since 20") != std::string::npos);
        age_receipts(code, "8 minutes");
        CPPUNIT_ASSERT(progress_of(code)->isNull("estimated_end_at"));
        CPPUNIT_ASSERT_DOUBLES_EQUAL(-16 * 60.0, seconds_between(code, "as_of", "stands_still_since"), 30.0);
        CPPUNIT_ASSERT(shown(code).find("none: stands still since 20") != std::string::npos);
        add_receipt(code, "notes", "1", "1 minute");
        CPPUNIT_ASSERT(progress_of(code)->isNull("estimated_end_at"));
        CPPUNIT_ASSERT(progress_of(code)->isNull("stands_still_since"));
        age_receipts(code, "1 hour");
        CPPUNIT_ASSERT(!progress_of(code)->isNull("stands_still_since"));
        add_receipt(code, "account_staged", "-2", "1 hour");
        add_receipt(code, "account_failed", "2", "1 hour");
        CPPUNIT_ASSERT(progress_of(code)->isNull("stands_still_since"));
    }

    /// The test's transaction holds the lock of housekeeping, so no worker of the stack runs housekeeping
    /// meanwhile.
    void housekeeping_does_a_bounded_part_and_tells_of_the_rest() {
        const std::string code = world().take_fresh();
        run_ctl(world().stack(), "supplier create " + code + " --name X");
        AdminSession session(world().stack().value("DATABASE_URL"));
        session.rows("BEGIN");
        session.rows("SELECT pg_advisory_xact_lock(data_import.lock_number('housekeeping', ''))");
        session.rows(
            "INSERT INTO data_import.import_receipt (import_supplier, kind, value) "
            "SELECT $1, 'notes', 1 FROM generate_series(1, 2500)",
            {code});
        int calls = 1;
        while (session.value("SELECT data_import.housekeeping(14, 30, '1 day', 1000)") == "t") ++calls;
        session.rows("COMMIT");
        CPPUNIT_ASSERT(calls >= 3);
        CPPUNIT_ASSERT_EQUAL(2500L, records(code, "notes"));
        CPPUNIT_ASSERT_EQUAL(
            0L, world().database().count(
                    "SELECT count(*) FROM data_import.import_receipt WHERE import_supplier = $1", {code}));
    }

    /// Each dry run in a text case (tests/cases/) must leave World::digest() unchanged. Housekeeping may run
    /// during the dry run, so housekeeping must not change World::digest() either.
    void housekeeping_leaves_the_measure_of_dry_runs() {
        const OwnSupplier supplier;
        AdminSession& session = world().database();
        const std::string began = world().moment();
        session.rows("BEGIN");
        session.rows("SELECT pg_advisory_xact_lock(data_import.lock_number('housekeeping', ''))");
        session.rows("SELECT data_import.account_stage($1, 'F')", {supplier.code});
        session.rows("SELECT data_import.account_begin($1, 'F')", {supplier.code});
        session.rows("SELECT data_import.account_fail($1, 'F', 'no tariff')", {supplier.code});
        const std::string before = world().digest(began);
        session.rows("SELECT data_import.housekeeping(14, 30, '1 day')");
        const std::string after = world().digest(began);
        const long settled = session.count(
            "SELECT count(*) FROM data_import.open_account WHERE import_supplier = $1", {supplier.code});
        const long receipts = session.count(
            "SELECT count(*) FROM data_import.import_receipt WHERE import_supplier = $1", {supplier.code});
        session.rows("COMMIT");
        CPPUNIT_ASSERT_EQUAL(before, after);
        CPPUNIT_ASSERT_EQUAL(1L, settled);
        CPPUNIT_ASSERT_EQUAL(0L, receipts);
    }

    void refusals_are_counted_and_shown() {
        const OwnSupplier supplier;
        const http::Endpoint notes = api::notes_create();
        http::RefusalLog log;
        for (int round = 0; round < 2; ++round) {
            log.note(&notes, supplier.code,
                     http::validation_error(
                         {{"notes.7.document_paths.3.document_path", Code::invalid_document_path, ""},
                          {"notes.7.hunter2", Code::unknown_field, ""}}),
                     std::string(32, '7'));
            store_refusals(log);
        }
        log.note(&notes, supplier.code, {Code::parse_error}, std::string(32, '8'));
        store_refusals(log);
        check_log_text(supplier.code);
        check_log_json(supplier.code);
        log.note(&notes, supplier.code, {Code::throttled}, std::string(32, '9'));  // no error
        store_refusals(log);
        const std::string shown = run_ctl(world().stack(), "supplier show " + supplier.code);
        CPPUNIT_ASSERT_MESSAGE(shown,
                               holds(shown, "400 parse_error\n") && holds(shown, std::string(32, '8')));
    }

    void refused_requests_reach_the_log() {
        const OwnSupplier supplier;
        HttpRequest request = notes_request(supplier.token, supplier.code, supplier.account(), {{""}});
        const Answer invalid = ask(world().stack(), request);
        CPPUNIT_ASSERT_EQUAL(400, invalid.status);
        request.body = "{hunter2";
        CPPUNIT_ASSERT_EQUAL(400, ask(world().stack(), request).status);
        const std::string target = "/v1/data-import/account-transfer-status/" + supplier.code + "/hunter2/";
        CPPUNIT_ASSERT_EQUAL(404, ask(world().stack(), get_request(target, supplier.token)).status);
        const std::string command = "import log --json --supplier " + supplier.code;
        std::string log = run_ctl(world().stack(), command);
        const auto until = std::chrono::steady_clock::now() + 20s;
        for (; kinds_in(log) < 3 && std::chrono::steady_clock::now() < until;
             log = run_ctl(world().stack(), command))
            std::this_thread::sleep_for(200ms);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(log, 3L, kinds_in(log));
        CPPUNIT_ASSERT_MESSAGE(log, holds(log, R"("item_code":"blank","attr":"notes.N.body","count":1,)"));
        CPPUNIT_ASSERT_MESSAGE(log, holds(log, invalid.header("X-Request-Id").value()));
        CPPUNIT_ASSERT_MESSAGE(log,
                               holds(log, R"("code":"parse_error")") && holds(log, R"("code":"not_found")"));
        CPPUNIT_ASSERT_MESSAGE(log, !holds(log, "hunter2"));
    }

    void the_log_says_when_it_leaves_kinds_out() {
        const OwnSupplier supplier;
        const auto add = [&](const char* kinds) {
            world().database().rows(
                "SELECT data_import.refused_requests_add(array_agg($1::text), array_agg('/v1/'::text), "
                "array_agg(400), array_agg('error'::text), array_agg(''::text), array_agg('a' || kind), "
                "array_agg(1::bigint), array_agg('00000000000000000000000000000000'::uuid), "
                "array_agg(now())) "
                "FROM generate_series(1, $2::integer) AS kind",
                {supplier.code, kinds});
        };
        const std::string command = world().stack().value("CTL") + " import log";
        const std::string left_out = "only the 1000 kinds of refusals that occurred last are shown";
        add("1000");
        CPPUNIT_ASSERT_EQUAL(std::string(), run_command(command + " --supplier " + supplier.code).errors);
        add("1001");
        for (const std::string options : {"", " --json"}) {
            const CommandResult all = run_command(command + options);
            CPPUNIT_ASSERT_EQUAL(0, all.status);
            CPPUNIT_ASSERT_MESSAGE(all.errors,
                                   holds(all.errors, left_out + ": --supplier CODE shows those of one"));
            const CommandResult own = run_command(command + " --supplier " + supplier.code + options);
            CPPUNIT_ASSERT_MESSAGE(own.errors, holds(own.errors, left_out + "\n"));
            CPPUNIT_ASSERT(options.empty() || kinds_in(own.output) == 1000);
        }
        world().database().rows("DELETE FROM data_import.refused_request WHERE import_supplier = $1",
                                {supplier.code});
    }

    void refusals_expire() {
        const OwnSupplier supplier;
        world().database().rows("BEGIN");
        for (const char* age : {"13 days", "16 days"}) {
            world().database().rows(
                "SELECT data_import.refused_requests_add(ARRAY[$1], ARRAY['/v1/'], ARRAY[400], "
                "ARRAY['error'], "
                "ARRAY[''], ARRAY[''], ARRAY[1::bigint], ARRAY['00000000000000000000000000000000'::uuid], "
                "ARRAY[now() - $2::text::interval])",
                {supplier.code, age});
        }
        CPPUNIT_ASSERT_EQUAL(2L, days_of(supplier.code));
        world().database().rows("COMMIT");
        const char* rates = "SELECT count(*) FROM data_import.refusal_rate WHERE import_supplier = $1";
        CPPUNIT_ASSERT_EQUAL(4L, world().database().count(rates, {supplier.code}));
        run_housekeeping();
        CPPUNIT_ASSERT_EQUAL(1L, days_of(supplier.code));
        CPPUNIT_ASSERT_EQUAL(1L, world().database().count(rates, {supplier.code}));
        const std::string since = "import log --json --supplier " + supplier.code + " --since ";
        CPPUNIT_ASSERT_EQUAL(std::string("[]"), run_ctl(world().stack(), since + "2999-01-01T00:00:00Z"));
        CPPUNIT_ASSERT(holds(run_ctl(world().stack(), since + "2000-01-01T00:00:00Z"), "\"count\":1"));
    }

    void the_platform_moves_accounts() {
        AdminSession platform = platform_session();
        platform.rows("SELECT set_config('data_import.operator', 'somebody else', false)");
        const std::string account = world().take_fresh();
        const auto step = [&](const std::string& call) {
            return platform.value("SELECT data_import." + call, {"ACME", account});
        };
        CPPUNIT_ASSERT_EQUAL(std::string("t"), step("account_stage($1, $2)"));
        CPPUNIT_ASSERT_EQUAL(std::string("t"), step("account_begin($1, $2)"));
        CPPUNIT_ASSERT_EQUAL(std::string("f"), step("account_begin($1, $2)"));
        CPPUNIT_ASSERT_EQUAL(std::string("t"), step("account_fail($1, $2, 'no tariff')"));
        CPPUNIT_ASSERT_EQUAL(std::string("t"), step("account_stage($1, $2)"));
        CPPUNIT_ASSERT(step("account_complete($1, $2)").starts_with("A-"));
        CPPUNIT_ASSERT_EQUAL(std::string("t"), step("statement_open($1, $2, '2024-01-01', '2024-01-31')"));
        CPPUNIT_ASSERT_EQUAL(std::string("t"), step("statement_close($1, $2)"));
        CPPUNIT_ASSERT_EQUAL(
            std::string(platform_login),
            world().database().value("SELECT DISTINCT author FROM data_import.account_step "
                                     "WHERE account_key = data_import.account_key('ACME', $1)",
                                     {account}));
        CPPUNIT_ASSERT(holds(failure_of(platform, "SELECT data_import.account_begin('PAUSED', 'x')"),
                             "is paused: it takes no accounts"));
    }

private:
    static constexpr const char* platform_login = "operations-test-billing";

    static bool holds(const std::string& text, const std::string& part) {
        return text.find(part) != std::string::npos;
    }

    static std::string synchronous_commit_where_it_is(const std::string& set) {
        return setting_where_it_is("synchronous_commit", set);
    }

    /// Returns the value that a setting of PostgreSQL has in a session of the service, if ALTER DATABASE has
    /// set it to the value `set`. Resets the setting of the database.
    static std::string setting_where_it_is(const std::string& setting, const std::string& set) {
        const auto alter = [](const std::string& change) {
            world().database().rows("DO $$ BEGIN EXECUTE format($f$ALTER DATABASE %I " + change +
                                    "$f$, current_database()); END $$");
        };
        alter("SET " + setting + " = " + set);
        const auto session = service_session();
        const database::Rows rows = session->execute(
            {.name = "test_setting", .sql = "SELECT current_setting($1)", .parameters = {setting}}, soon());
        alter("RESET " + setting);
        return std::string(rows.text(0, 0));
    }

    /// Waits until no worker of the stack runs housekeeping, then runs housekeeping.
    static void run_housekeeping() {
        world().database().rows(
            "SELECT data_import.housekeeping(14, 30, '1 day') "
            "FROM pg_advisory_xact_lock(data_import.lock_number('housekeeping', ''))");
    }

    static void add_receipt(const std::string& code, const std::string& kind, const std::string& value,
                            const std::string& age) {
        world().database().rows(
            "INSERT INTO data_import.import_receipt (import_supplier, kind, value, at) "
            "VALUES ($1, $2, $3::bigint, now() - $4::text::interval)",
            {code, kind, value, age});
    }

    /// Makes all receipts of the supplier, and sums of them, older by `age`.
    static void age_receipts(const std::string& code, const std::string& age) {
        AdminSession& session = world().database();
        session.rows("BEGIN");
        session.rows("SELECT pg_advisory_xact_lock(data_import.lock_number('housekeeping', ''))");
        for (const auto& [table, at] : {std::pair<std::string, std::string>("import_receipt", "at"),
                                        {"import_rate", "began_at"},
                                        {"import_total", "last_at"}}) {
            session.rows("UPDATE data_import." + table + " SET " + at + " = " + at +
                             " - $2::text::interval WHERE import_supplier = $1",
                         {code, age});
        }
        session.rows("COMMIT");
    }

    static std::string shown(const std::string& code) {
        return run_ctl(world().stack(), "supplier show " + code);
    }

    static Poco::JSON::Object::Ptr progress_of(const std::string& code) {
        return parse_json(run_ctl(world().stack(), "supplier show --json " + code))
            .extract<Poco::JSON::Object::Ptr>();
    }

    static double seconds_between(const std::string& code, const std::string& first,
                                  const std::string& second) {
        const auto progress = progress_of(code);
        const auto instant = [&](const std::string& name) {
            return util::parse_datetime(progress->getValue<std::string>(name)).value().microseconds /
                   1'000'000;
        };
        return static_cast<double>(instant(second) - instant(first));
    }

    static double seconds_to_go(const std::string& code) {
        return seconds_between(code, "as_of", "estimated_end_at");
    }

    static long records(const std::string& code, const std::string& kind) {
        return world().database().count(
            "SELECT records FROM data_import.migration_progress($1) WHERE kind = $2", {code, kind});
    }

    static long difference_to_tables(const std::string& code) {
        return world().database().count(
            "SELECT abs((SELECT coalesce(sum(records), 0) FROM data_import.migration_progress($1) WHERE kind "
            "= 'notes') "
            "- (SELECT count(*) FROM data_import.note JOIN data_import.account USING (account_key) "
            "WHERE import_supplier = $1))",
            {code});
    }

    static void check_rates(const std::string& code) {
        const auto row = world().database().rows(
            "SELECT last_minute, last_hour, last_day, records FROM data_import.migration_progress($1)",
            {code});
        CPPUNIT_ASSERT((std::vector<std::string>{"1", "3", "5", "6"} == row.at(0)));
    }

    static void store_refusals(http::RefusalLog& log) {
        const database::Rows rows = service_session()->execute(log.flush().value(), soon());
        log.stored(store::read_are_last_kept(rows));
    }

    static void check_log_text(const std::string& code) {
        const std::string text = run_ctl(world().stack(), "import log --supplier " + code);
        for (const std::string& part :
             {code + "  /v1/data-import/notes/create/\nCOUNT  STATUS  CODE",
              std::string("2      400     invalid_document_path  notes.N.document_paths.N.document_path\n"),
              std::string("2      400     unknown_field          notes.N\n"),
              std::string("1      400     parse_error            -\n"),
              std::string("The body is not valid JSON.\n       last 20"),
              " UTC, request " + std::string(32, '8')}) {
            CPPUNIT_ASSERT_MESSAGE(part + " in\n" + text, holds(text, part));
        }
        CPPUNIT_ASSERT(!holds(text, "hunter2"));
    }

    static void check_log_json(const std::string& code) {
        const std::string difference_found = difference(
            parse_json(
                R"([{"import_supplier": ")" + code +
                R"(", "endpoint": "/v1/data-import/notes/create/", "status": 400, "code": "parse_error",
                           "item_code": "", "attr": "", "count": 1, "last_at": "<now>",
                           "sample_request_id": "88888888888888888888888888888888", "detail": "<string>"},
                          "<any>", "<any>"])"),
            parse_json(run_ctl(world().stack(), "import log --json --supplier " + code)));
        CPPUNIT_ASSERT_EQUAL(std::string(), difference_found);
    }

    static long kinds_in(const std::string& log) {
        long kinds = 0;
        for (std::size_t at = 0; (at = log.find("\"endpoint\"", at)) != std::string::npos; ++at) ++kinds;
        return kinds;
    }

    static long days_of(const std::string& code) {
        return world().database().count(
            "SELECT count(*) FROM data_import.refused_request WHERE import_supplier = $1", {code});
    }

    /// A session as the platform's software opens it: its role is a member of the platform's role.
    static AdminSession platform_session() {
        AdminSession session(world().stack().value("DATABASE_URL"));
        const std::string name = '"' + std::string(platform_login) + '"';
        if (session.count("SELECT count(*) FROM pg_roles WHERE rolname = $1", {platform_login}) == 0)
            session.rows("CREATE ROLE " + name + " LOGIN IN ROLE \"data-import-platform\"");
        session.rows("SET SESSION AUTHORIZATION " + name);
        return session;
    }

    static std::string failure_of(AdminSession& session, const std::string& sql) {
        try {
            session.rows(sql);
        } catch (const std::runtime_error& failure) {
            return failure.what();
        }
        return "done";
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(OperationsTest);

}  // namespace data_import::tests

// The erasure of whole suppliers: during imports of other suppliers, through interruptions, and by the
// workers.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <csignal>
#include <fstream>
#include <string>
#include <thread>

#include "../../support/answer_check.h"
#include "../../support/command.h"
#include "../../support/load.h"
#include "../../support/playground.h"
#include "../../support/processes.h"
#include "../../support/world.h"

namespace data_import::tests {

namespace {

using namespace std::chrono_literals;

/// Adds a note for each account of a supplier; its body is the account's number.
void add_notes(AdminSession& database, const std::string& supplier) {
    database.rows(
        "SELECT count(*) FROM (SELECT array_agg(account_key) AS keys, array_agg(external_account_number) AS "
        "numbers, count(*)::integer AS size FROM data_import.account WHERE import_supplier = $1) AS book, "
        "data_import.notes_import(keys, array_fill($1::text, ARRAY[size]), array_fill(gen_random_uuid(), "
        "ARRAY[size]), array_fill(1::bigint, ARRAY[size]), ARRAY(SELECT generate_series(1, size)), "
        "numbers::text[], array_fill('{}'::text, ARRAY[size]), array_fill(now(), ARRAY[size]), "
        "array_fill(false, ARRAY[size]), array_fill(NULL::timestamptz, ARRAY[size]), "
        "ARRAY(SELECT gen_random_uuid() FROM generate_series(1, size)))",
        {supplier});
}

long lines_of_dump(const Stack& stack, const std::string& word) {
    return std::stol(must_run("pg_dump --data-only --dbname=" + shell_word(stack.value("DATABASE_URL")) +
                              " | { grep --count --fixed-strings " + shell_word(word) + " || true; }"));
}

}  // namespace

class SupplierErasureTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(SupplierErasureTest);
    CPPUNIT_TEST(imports_of_others_do_not_wait);
    CPPUNIT_TEST(an_import_from_before_the_end_is_waited_for);
    CPPUNIT_TEST(the_kept_figures_have_an_import_from_before_the_end);
    CPPUNIT_TEST(a_step_erases_as_many_accounts_as_it_can);
    CPPUNIT_TEST(an_account_that_is_erased_afterwards_is_told);
    CPPUNIT_TEST(a_taker_ends_an_erasure_by_force_in_a_sentence);
    CPPUNIT_TEST(workers_erase_what_is_due);
    CPPUNIT_TEST(a_new_consumer_gets_nothing_of_an_erased_supplier);
    CPPUNIT_TEST(an_interrupted_erasure_goes_on);
    CPPUNIT_TEST_SUITE_END();

public:
    /// A step of an erasure has erased some accounts, and its transaction is still open while another
    /// supplier imports.
    void imports_of_others_do_not_wait() {
        const std::string code = make_supplier(60);
        const std::string other = make_supplier(1);
        const std::string token = token_for(world().stack(), "Org " + other, other);
        complete(code);
        AdminSession session(world().stack().value("DATABASE_URL"));
        session.rows("SELECT data_import.begin_erasure($1, false)", {code});
        while (session.value("SELECT accounts FROM data_import.erase_some_accounts($1)", {code}) == "0") {
        }
        session.rows("BEGIN");
        CPPUNIT_ASSERT_EQUAL(
            std::string("10"),
            session.value("SELECT accounts FROM data_import.erase_some_accounts($1)", {code}));
        const Answer stored = ask(world().stack(), notes_request(token, other, number_of(other, 1), {{"x"}}));
        const Answer refused = ask(world().stack(), notes_request(token, other, number_of(other, 1), {{""}}));
        const std::string repeat = session.value(
            "SELECT accounts || ' ' || is_done FROM data_import.erase_some_accounts($1)", {code});
        session.rows("COMMIT");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(stored), 201, stored.status);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(refused), 400, refused.status);
        CPPUNIT_ASSERT_EQUAL(std::string("0 true"), repeat);
    }

    /// After the import has ended, the erasure is refused, because a consumer has not taken what the import
    /// stored.
    void an_import_from_before_the_end_is_waited_for() {
        const std::string code = make_supplier(1);
        run_ctl(world().stack(), "consumer add " + code + " --supplier " + code);
        AdminSession importer(world().stack().value("DATABASE_URL"));
        importer.rows("BEGIN");
        add_notes(importer, code);
        run_ctl(world().stack(), "supplier set " + code + " --status Complete --force");
        CommandResult result;
        std::jthread erasure([&] { result = ctl("supplier erase " + code); });
        std::this_thread::sleep_for(300ms);
        const long left = accounts_of(code);
        importer.rows("COMMIT");
        erasure.join();
        CPPUNIT_ASSERT_EQUAL(1L, left);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(result.output, 1, result.status);
        CPPUNIT_ASSERT_MESSAGE(result.errors,
                               result.errors.find("(1 account with news)") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(1L, accounts_of(code));
        run_ctl(world().stack(), "consumer remove " + code);
    }

    /// The supplier has no consumer.
    void the_kept_figures_have_an_import_from_before_the_end() {
        const std::string code = make_supplier(1);
        AdminSession importer(world().stack().value("DATABASE_URL"));
        importer.rows("BEGIN");
        add_notes(importer, code);
        complete(code);
        CommandResult result;
        std::jthread erasure([&] { result = ctl("supplier erase " + code); });
        const bool has_looked = wait_until(
            [&] {
                return world().database().count(
                           "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
                           "AND query LIKE '%data_import.running_imports()%'") > 0;
            },
            20s);
        importer.rows("COMMIT");
        erasure.join();
        CPPUNIT_ASSERT(has_looked);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(result.errors, 0, result.status);
        CPPUNIT_ASSERT_EQUAL(0L, accounts_of(code));
        CPPUNIT_ASSERT_EQUAL(std::string("2"),
                             world().database().value("SELECT value FROM data_import.held_figures(ARRAY[$1]) "
                                                      "WHERE kind = 'notes' AND figure = 'records'",
                                                      {code}));
    }

    /// The first three accounts have 60,000 notes each.
    void a_step_erases_as_many_accounts_as_it_can() {
        const std::string code = make_supplier(5);
        AdminSession& database = world().database();
        for (int number = 1; number <= 3; ++number)
            database.rows(
                "INSERT INTO data_import.note (account_key, identity, created_at, body, is_pinned, "
                "has_created_at, has_is_pinned, request_id, api_key_id) SELECT "
                "data_import.account_key($1, $2), gen_random_uuid(), now(), 'x', false, true, false, "
                "gen_random_uuid(), 1 FROM generate_series(1, 60000)",
                {code, number_of(code, number)});
        complete(code);
        database.rows("SELECT data_import.begin_erasure($1, false)", {code});
        std::string steps;
        bool is_done = false;
        while (!is_done) {
            const auto step =
                database.rows("SELECT accounts, is_done FROM data_import.erase_some_accounts($1)", {code});
            is_done = step.at(0).at(1) == "t";
            if (step.at(0).at(0) != "0") steps += step.at(0).at(0) + ' ';
        }
        CPPUNIT_ASSERT_EQUAL(std::string("1 1 3 "), steps);
    }

    /// An account is on hold while its supplier is erased. The platform has to forget it when it is erased
    /// later, even if the erasure of the supplier is repeated in between.
    void an_account_that_is_erased_afterwards_is_told() {
        const std::string code = make_supplier(2);
        const std::string account = code + " " + number_of(code, 2);
        run_ctl(world().stack(), "consumer add " + code + " --supplier " + code);
        run_ctl(world().stack(), "account hold " + account);
        take_everything(world().database(), code);
        complete(code);
        ctl("supplier erase " + code);
        run_ctl(world().stack(), "account hold " + account + " --off");
        run_ctl(world().stack(), "account erase " + account);
        AdminSession& database = world().database();
        while (database.value("SELECT data_import.deliver_news()") == "t") {
        }
        ctl("supplier erase " + code);
        CPPUNIT_ASSERT_EQUAL(number_of(code, 2) + " erased",
                             database.value("SELECT string_agg(external_account_number || ' ' || event, ',') "
                                            "FROM platform.take_accounts($1, 10)",
                                            {code}));
        run_ctl(world().stack(), "consumer remove " + code);
    }

    void a_taker_ends_an_erasure_by_force_in_a_sentence() {
        const std::string code = make_supplier(1);
        run_ctl(world().stack(), "consumer add " + code + " --from beginning --supplier " + code);
        run_ctl(world().stack(), "supplier set " + code + " --status Complete --force");
        AdminSession taker(world().stack().value("DATABASE_URL"));
        taker.rows("BEGIN");
        taker.rows("SELECT platform.take_accounts($1, 1)", {code});
        const CommandResult result = ctl("supplier erase " + code + " --force");
        taker.rows("COMMIT");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(result.output, 1, result.status);
        CPPUNIT_ASSERT_MESSAGE(
            result.errors,
            result.errors.find("is in its transaction still: end that first") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(1L, accounts_of(code));
        run_ctl(world().stack(), "supplier erase " + code);
        CPPUNIT_ASSERT_EQUAL(0L, accounts_of(code));
        run_ctl(world().stack(), "consumer remove " + code);
    }

    /// The erasure of one supplier is due, and that of another one is not. The erasure of a third one is due,
    /// too, but a consumer has not taken everything of this supplier.
    void workers_erase_what_is_due() {
        const std::string due = make_supplier(3);
        const std::string later = make_supplier(1);
        const std::string behind = make_supplier(1);
        run_ctl(world().stack(), "consumer add " + behind + " --from beginning --supplier " + behind);
        for (const std::string& code : {due, later, behind}) {
            run_ctl(world().stack(), "supplier set " + code + " --erase-after 30");
            run_ctl(world().stack(), "supplier set " + code + " --status Complete --force");
        }
        AdminSession& database = world().database();
        database.rows(
            "UPDATE data_import.import_supplier SET status_since = now() - interval '31 days' "
            "WHERE code IN ($1, $2)",
            {due, behind});
        CPPUNIT_ASSERT(wait_until([&] { return has_ended(due); }, 60s));
        CPPUNIT_ASSERT(run_ctl(world().stack(), "supplier show " + due).find("begun by data-importd") !=
                       std::string::npos);
        CPPUNIT_ASSERT_EQUAL(
            std::string("data-importd: 3 accounts with 3 records"),
            database.value("SELECT operator_name || ': ' || details FROM data_import.access_event "
                           "WHERE action = 'supplier_erased' AND import_supplier = $1",
                           {due}));
        CPPUNIT_ASSERT_EQUAL(1L, accounts_of(later));
        CPPUNIT_ASSERT_EQUAL(1L, accounts_of(behind));
        const CommandResult removal = ctl("consumer remove " + behind);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(removal.output, 1, removal.status);
        CPPUNIT_ASSERT_MESSAGE(removal.errors, removal.errors.find("data-importctl supplier set " + behind +
                                                                   " --erase-after ''") != std::string::npos);
        database.rows("SELECT platform.take_accounts($1, 10)", {behind});
        CPPUNIT_ASSERT(wait_until([&] { return has_ended(behind); }, 60s));
        CPPUNIT_ASSERT_EQUAL(0L, accounts_of(behind));
        CPPUNIT_ASSERT_EQUAL(1L, accounts_of(later));
        run_ctl(world().stack(), "supplier set " + later + " --erase-after ''");
        run_ctl(world().stack(), "consumer remove " + behind);
    }

    /// The consumer is added between two steps of the erasure.
    void a_new_consumer_gets_nothing_of_an_erased_supplier() {
        const std::string code = make_supplier(1);
        complete(code);
        AdminSession& database = world().database();
        database.rows("SELECT data_import.begin_erasure($1, false)", {code});
        run_ctl(world().stack(), "consumer add " + code + " --from beginning --supplier " + code);
        run_ctl(world().stack(), "account reset " + code + " " + number_of(code, 1));
        run_ctl(world().stack(), "supplier erase " + code);
        while (database.value("SELECT data_import.deliver_news()") == "t") {
        }
        CPPUNIT_ASSERT_EQUAL(0L,
                             database.count("SELECT count(*) FROM platform.take_accounts($1, 10)", {code}));
        CPPUNIT_ASSERT_EQUAL(0L, lines_of_dump(world().stack(), number_of(code, 1)));
        run_ctl(world().stack(), "consumer remove " + code);
    }

    /// Interrupts the erasure twice by Ctrl-C, twice by SIGKILL and once by a restart of PostgreSQL. Each
    /// time, the erasure is interrupted while it waits for a locked account. Meanwhile another supplier
    /// imports.
    void an_interrupted_erasure_goes_on() {
        Playground& playground = tests::playground();
        playground.prepare();
        const Stack stack = *playground.stack();  // a copy, because bring_up replaces the Stack
        const std::string code = "ERASED";
        {
            AdminSession database = playground.database();
            run_ctl(stack, "supplier create " + code + " --name X");
            import_accounts(database, code, "person-", 300);
            add_notes(database, code);
            run_ctl(stack, "consumer add erasure --supplier " + code);
            CPPUNIT_ASSERT(wait_until(
                [&] {
                    take_everything(database, "erasure");
                    return database.count("SELECT count(*) FROM data_import.consumers_behind($1)", {code}) ==
                           0;
                },
                20s));
            run_ctl(stack, "supplier set " + code + " --status Complete");
        }
        CPPUNIT_ASSERT(lines_of_dump(stack, "person-") > 300);
        Load load(stack, playground.load(2, true));
        for (int round = 0; round < 5; ++round) {
            const CommandResult result = interrupt(playground, code, round);
            CPPUNIT_ASSERT_MESSAGE(result.errors, result.status != 0);
            if (round < 2)
                CPPUNIT_ASSERT_MESSAGE(
                    std::to_string(result.status) + ' ' + result.output + result.errors,
                    result.errors.find("interrupted: the accounts that are left are as they "
                                       "were; data-importctl supplier erase ERASED goes on") !=
                        std::string::npos);
            if (round == 4)
                CPPUNIT_ASSERT_MESSAGE(result.errors,
                                       result.errors.find("data-importctl supplier erase ERASED goes on with "
                                                          "the accounts that are left") != std::string::npos);
        }
        run_ctl(stack, "supplier erase " + code);
        load.stop();
        AdminSession database = playground.database();
        CPPUNIT_ASSERT_EQUAL(0L, lines_of_dump(stack, "person-"));
        CPPUNIT_ASSERT_EQUAL(
            std::string("300 300"),
            database.value("SELECT accounts || ' ' || records FROM data_import.supplier_erasure"));
        CPPUNIT_ASSERT_EQUAL(0L,
                             database.count("SELECT count(*) FROM platform.take_accounts('erasure', 10)"));
        CPPUNIT_ASSERT_EQUAL(0L, database.count("SELECT count(*) FROM data_import.recount($1)", {code}));
        CPPUNIT_ASSERT_EQUAL(std::string("300"),
                             database.value("SELECT value FROM data_import.held_figures(ARRAY[$1]) "
                                            "WHERE kind = 'notes' AND figure = 'records'",
                                            {code}));
        playground.check_stored(load, false);
        run_ctl(stack, "consumer remove erasure");
    }

private:
    static CommandResult ctl(const std::string& arguments) {
        return run_command(world().stack().value("CTL") + " " + arguments);
    }

    static std::string number_of(const std::string& code, int number) {
        return code + "-A-0000" + std::to_string(number);
    }

    /// Makes a supplier with imported accounts, each of which has a note.
    static std::string make_supplier(int accounts) {
        std::string code = world().take_fresh();
        run_ctl(world().stack(), "supplier create " + code + " --name X");
        import_accounts(world().database(), code, code + "-A-", accounts);
        add_notes(world().database(), code);
        return code;
    }

    static void complete(const std::string& code) {
        run_ctl(world().stack(), "supplier set " + code + " --status Complete");
    }

    static bool has_ended(const std::string& code) {
        return world().database().count(
                   "SELECT count(ended_at) FROM data_import.supplier_erasure WHERE import_supplier = $1",
                   {code}) > 0;
    }

    /// Delivers all news, and takes all that wait for the consumer.
    static void take_everything(AdminSession& database, const std::string& consumer) {
        while (database.value("SELECT data_import.deliver_news()") == "t") {
        }
        database.rows("SELECT platform.take_accounts($1, 10000)", {consumer});
    }

    static long accounts_of(const std::string& code) {
        return world().database().count("SELECT count(*) FROM data_import.account WHERE import_supplier = $1",
                                        {code});
    }

    /// Returns the number of sessions whose statement is the erasure's call of erase_some_accounts, and that
    /// meet the SQL condition `condition`.
    static long steps(const Playground& playground, const std::string& condition) {
        return playground.database().count(
            "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE "
            "'%erase_some_accounts%' AND " +
            condition);
    }

    /// Starts the erasure of the supplier `code`, and interrupts it while it waits for an account that the
    /// test has locked. Returns the result of the command. In the rounds 0 and 1 the command gets SIGINT, in
    /// the rounds 2 and 3 SIGKILL; in round 4, PostgreSQL is restarted.
    ///
    /// Because the command would ignore SIGINT if a shell runs the tests in the background, env(1) starts the
    /// command with the default reaction to SIGINT.
    static CommandResult interrupt(Playground& playground, const std::string& code, int round) {
        const Stack stack = *playground.stack();  // a copy, because bring_up replaces the Stack
        const std::string pid_file = (stack.run_directory() / "erasure-pid").string();
        // a command that was killed in the round before leaves a statement that PostgreSQL still completes;
        // this waits for the end of that statement
        CPPUNIT_ASSERT(wait_until([&] { return steps(playground, "state = 'active'") == 0; }, 20s));
        AdminSession holder = playground.database();
        holder.rows("BEGIN");
        holder.rows(
            "SELECT data_import.lock_account(max(account_key::text)::uuid) FROM (SELECT account_key FROM "
            "data_import.account WHERE import_supplier = $1 ORDER BY external_account_number LIMIT 40) AS "
            "next",
            {code});
        CommandResult result;
        std::jthread erasure([&] {
            result = run_command("env --default-signal=INT bash -c 'echo $$ >" + pid_file +
                                 "; exec \"$@\"' run " + stack.value("CTL") + " supplier erase " + code);
        });
        const bool waits = wait_until([&] { return steps(playground, "wait_event_type = 'Lock'") > 0; }, 60s);
        pid_t process = 0;
        std::ifstream(pid_file) >> process;
        if (round < 4) {
            kill(process, round < 2 ? SIGINT : SIGKILL);
            std::this_thread::sleep_for(50ms);
            holder.rows("ROLLBACK");
        } else {
            const pid_t server = stack.pid("POSTGRES_PID");
            kill(server, SIGINT);
            CPPUNIT_ASSERT(wait_until([&] { return !is_running(server); }, 60s));
        }
        erasure.join();
        if (round == 4) playground.stack().bring_up();
        CPPUNIT_ASSERT_MESSAGE(std::to_string(round) + ' ' + result.output + result.errors, waits);
        return result;
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(SupplierErasureTest);

}  // namespace data_import::tests

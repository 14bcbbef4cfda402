// News for the platform's software, with several sessions: nothing that was stored is missed, no session gets
// an account that another one has taken, and a session that takes accounts holds up no other.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "../../support/load.h"
#include "../../support/processes.h"
#include "../../support/world.h"

namespace data_import::tests {

namespace {

using namespace std::chrono_literals;
using Texts = std::vector<std::string>;

/// A session of the platform's software.
class Taker {
public:
    explicit Taker(const std::string& conninfo) : session_(conninfo) {
        session_.rows(R"(SET ROLE "data-import-platform")");
    }
    void begin(const std::string& isolation = "READ COMMITTED") {
        session_.rows("BEGIN ISOLATION LEVEL " + isolation);
    }
    void end(const std::string& how) { session_.rows(how); }

    /// Taken accounts with their events.
    Texts take(const std::string& consumer, int most = 100) {
        Texts taken;
        for (const auto& row : session_.rows("SELECT external_account_number || ' ' || event "
                                             "FROM platform.take_accounts($1, $2) ORDER BY 1",
                                             {consumer, std::to_string(most)}))
            taken.push_back(row.at(0));
        return taken;
    }
    AdminSession& session() { return session_; }

private:
    AdminSession session_;
};

std::string joined(const Texts& texts) {
    std::string all;
    for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
    return all;
}

}  // namespace

class NewsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(NewsTest);
    CPPUNIT_TEST(a_statement_takes_what_it_can_read);
    CPPUNIT_TEST(a_snapshot_takes_what_it_can_read);
    CPPUNIT_TEST(news_of_a_taken_account_come_after_a_commit);
    CPPUNIT_TEST(news_of_a_taken_account_come_after_a_rollback);
    CPPUNIT_TEST(an_idle_taker_holds_up_no_other_consumer);
    CPPUNIT_TEST(an_idle_taker_holds_up_no_other_account);
    CPPUNIT_TEST(a_consumer_is_not_removed_from_a_taker);
    CPPUNIT_TEST(a_consumer_is_not_removed_beside_a_declaration);
    CPPUNIT_TEST(a_consumer_that_is_filled_holds_up_no_other);
    CPPUNIT_TEST(held_news_of_an_erased_supplier_are_not_delivered);
    CPPUNIT_TEST(counts_are_right_after_takes_that_were_undone);
    CPPUNIT_TEST(an_import_after_an_undone_one_tells);
    CPPUNIT_TEST(a_transaction_that_lasts_is_told);
    CPPUNIT_TEST(a_reset_of_a_taken_account_is_told);
    CPPUNIT_TEST(an_erased_account_that_comes_back_is_told);
    CPPUNIT_TEST(suppliers_that_come_later_are_told);
    CPPUNIT_TEST(other_suppliers_are_not_told);
    CPPUNIT_TEST_SUITE_END();

public:
    /// deliverer_ takes the lock of news, so that no worker delivers any.
    void setUp() override {
        deliverer_.emplace(conninfo());
        deliverer_->rows("SELECT pg_advisory_lock(data_import.lock_number('news', ''))");
        supplier_ = make_supplier();
        consumer_ = add_consumer({supplier_});
    }

    void tearDown() override {
        for (const std::string& name : consumers_)
            deliverer_->rows("SELECT data_import.consumer_remove($1)", {name});
        consumers_.clear();
        deliverer_.reset();
    }

private:
    /// The statement takes accounts and reads their notes. After it has begun, further notes are imported,
    /// and their news are delivered.
    void a_statement_takes_what_it_can_read() {
        import("A-00001", "first");
        deliver();
        AdminSession gatekeeper(conninfo());
        gatekeeper.rows("SELECT pg_advisory_lock(77)");
        Taker taker(conninfo());
        std::vector<Texts> read;
        std::thread thread([&] {
            read = taker.session().rows(
                "WITH gate AS MATERIALIZED (SELECT pg_advisory_xact_lock(77)), "
                "  taken AS MATERIALIZED (SELECT taken.* FROM gate, platform.take_accounts($1, 9) AS taken) "
                "SELECT body FROM taken JOIN platform.note USING (import_supplier, external_account_number) "
                "WHERE imported_at >= since",
                {consumer_});
        });
        const bool waits = wait_until([&] { return is_anybody_at_gate(); }, 60s);
        import("A-00001", "second");
        import("A-00002", "third");
        deliver();
        gatekeeper.rows("SELECT pg_advisory_unlock(77)");
        thread.join();
        CPPUNIT_ASSERT(waits);
        CPPUNIT_ASSERT(read.empty());
        CPPUNIT_ASSERT_EQUAL(std::string("A-00001 imported, A-00002 imported"), taken_by(consumer_));
    }

    void a_snapshot_takes_what_it_can_read() {
        import("A-00001", "first");
        deliver();
        Taker taker(conninfo());
        taker.begin("REPEATABLE READ");
        taker.session().rows("SELECT count(*) FROM platform.account");
        import("A-00001", "second");
        import("A-00002", "third");
        deliver();
        // PostgreSQL asks the session to begin its transaction anew
        CPPUNIT_ASSERT_THROW(taker.take(consumer_), std::runtime_error);
        taker.end("ROLLBACK");
        CPPUNIT_ASSERT_EQUAL(std::string("A-00001 imported, A-00002 imported"), taken_by(consumer_));
    }

    void news_of_a_taken_account_come_after_a_commit() {
        take_during_an_import("COMMIT", "A-00001 imported");
    }
    void news_of_a_taken_account_come_after_a_rollback() {
        take_during_an_import("ROLLBACK", "A-00001 imported, A-00002 imported");
    }

    void take_during_an_import(const std::string& end, const std::string& expected) {
        import("A-00001", "first");
        import("A-00002", "first");
        deliver();
        Taker taker(conninfo());
        taker.begin();
        CPPUNIT_ASSERT_EQUAL(std::size_t(2), taker.take(consumer_).size());
        import("A-00001", "second");
        deliver();
        CPPUNIT_ASSERT_EQUAL(std::string(), joined(taker.take(consumer_)));
        CPPUNIT_ASSERT_EQUAL(std::string(), taken_by(consumer_));
        deliver();
        CPPUNIT_ASSERT_EQUAL(std::string(), taken_by(consumer_));
        taker.end(end);
        deliver();
        CPPUNIT_ASSERT_EQUAL(expected, taken_by(consumer_));
    }

    /// A session takes three accounts and leaves its transaction open. Each delivery handles only two
    /// accounts. Another consumer has to get its news all the same.
    void an_idle_taker_holds_up_no_other_consumer() {
        const std::string other = add_consumer({supplier_});
        for (const char* account : {"A-00001", "A-00002", "A-00003"}) import(account, "first");
        deliver();
        taken_by(other);
        Taker taker(conninfo());
        taker.begin();
        CPPUNIT_ASSERT_EQUAL(std::size_t(3), taker.take(consumer_).size());
        for (const char* account : {"A-00001", "A-00002", "A-00003"}) import(account, "second");
        import("A-00004", "second");
        for (int count = 0; count < 4; ++count) deliver(2);
        CPPUNIT_ASSERT_EQUAL(
            std::string("A-00001 imported, A-00002 imported, A-00003 imported, A-00004 imported"),
            taken_by(other));
        CPPUNIT_ASSERT_EQUAL(0L, deliverer_->count("SELECT count(*) FROM data_import.news"));
    }

    void an_idle_taker_holds_up_no_other_account() {
        import("A-00001", "first");
        deliver();
        Taker taker(conninfo());
        taker.begin();
        CPPUNIT_ASSERT_EQUAL(std::size_t(1), taker.take(consumer_).size());
        import("A-00001", "second");
        import("A-00002", "second");
        deliver();
        CPPUNIT_ASSERT_EQUAL(std::string("A-00002 imported"), taken_by(consumer_));
    }

    /// The consumer cannot be removed, because a session has taken one of its accounts. The delivery of news
    /// to other consumers waits for the removal, so the removal must be refused soon.
    void a_consumer_is_not_removed_from_a_taker() {
        import("A-00001", "first");
        deliver();
        Taker taker(conninfo());
        taker.begin();
        CPPUNIT_ASSERT_EQUAL(std::size_t(1), taker.take(consumer_).size());
        check_removal_is_refused();
        taker.end("ROLLBACK");
        CPPUNIT_ASSERT_EQUAL(std::string("A-00001 imported"), taken_by(consumer_));
    }

    void a_consumer_is_not_removed_beside_a_declaration() {
        Taker declaring(conninfo());
        declaring.begin();
        declaring.session().rows("SELECT platform.declare_totals($1, $2, '{\"accounts\": 1, \"kinds\": {}}')",
                                 {consumer_, supplier_});
        deliverer_->rows("SET statement_timeout = '30s'");
        check_removal_is_refused();
        declaring.end("ROLLBACK");
    }

    void a_consumer_that_is_filled_holds_up_no_other() {
        const std::string other = add_consumer({supplier_});
        import("A-00001", "first");
        deliver();
        deliverer_->rows("BEGIN");
        deliverer_->rows("SELECT data_import.consumer_fill($1, '00000000-0000-0000-0000-000000000000', 100)",
                         {consumer_});
        const std::string taken = taken_by(other);
        deliverer_->rows("COMMIT");
        CPPUNIT_ASSERT_EQUAL(std::string("A-00001 imported"), taken);
    }

    /// Once the erasure of a supplier has begun, held news of its accounts are not delivered, neither during
    /// the erasure nor after it. Delivered news would make a consumer delete its own records of the accounts.
    ///
    /// Because news of an account are held while a consumer's transaction has taken the account, each account
    /// gets its second import during such a transaction.
    void held_news_of_an_erased_supplier_are_not_delivered() {
        for (const char* account : {"A-00001", "A-00002"}) import(account, "first");
        deliver();
        Taker taker(conninfo());
        taker.begin();
        CPPUNIT_ASSERT_EQUAL(std::size_t(2), taker.take(consumer_).size());
        for (const char* account : {"A-00001", "A-00002"}) import(account, "second");
        deliver();
        taker.end("COMMIT");
        deliverer_->rows("UPDATE data_import.import_supplier SET status = 'Complete' WHERE code = $1",
                         {supplier_});
        AdminSession erasing(conninfo());
        // deliverer_ makes this call, because begin_erasure takes the lock of news, which deliverer_ has had
        // since setUp()
        deliverer_->rows("SELECT data_import.begin_erasure($1, true)", {supplier_});
        erasing.rows("BEGIN");
        erasing.rows("SELECT data_import.erase_some_accounts($1, 1)", {supplier_});
        deliverer_->rows("SET statement_timeout = '30s'");
        deliver();
        erasing.rows("COMMIT");
        deliver();
        CPPUNIT_ASSERT_EQUAL(std::string(), taken_by(consumer_));
        CPPUNIT_ASSERT_EQUAL(0L, deliverer_->count("SELECT count(*) FROM data_import.consumer_news "
                                                   "WHERE consumer = $1 AND NOT is_held",
                                                   {consumer_}));
    }

    void counts_are_right_after_takes_that_were_undone() {
        for (const char* account : {"A-00001", "A-00002"}) import(account, "first");
        deliver();
        for (const std::string end : {"ROLLBACK", "COMMIT"}) {
            Taker taker(conninfo());
            taker.begin();
            CPPUNIT_ASSERT_EQUAL(std::size_t(1), taker.take(consumer_, 1).size());
            import("A-00001", "second " + end);
            import("A-00002", "second " + end);
            deliver();
            taker.end(end);
            deliver();
        }
        CPPUNIT_ASSERT_EQUAL(
            deliverer_->count("SELECT count(*) FROM data_import.consumer_news WHERE consumer = $1",
                              {consumer_}),
            deliverer_->count("SELECT sum(waiting) FROM data_import.consumer_count WHERE consumer = $1",
                              {consumer_}));
        CPPUNIT_ASSERT_EQUAL(std::string("A-00001 imported, A-00002 imported"), taken_by(consumer_));
        CPPUNIT_ASSERT_EQUAL(0L, deliverer_->count("SELECT sum(waiting) FROM data_import.consumer_count "
                                                   "WHERE consumer = $1",
                                                   {consumer_}));
    }

    void an_import_after_an_undone_one_tells() {
        AdminSession session(conninfo());
        session.rows("BEGIN");
        session.rows("SAVEPOINT line");
        import_by(session, supplier_, "A-00001", "undone");
        session.rows("ROLLBACK TO line");
        import_by(session, supplier_, "A-00002", "done");
        session.rows("COMMIT");
        deliver();
        CPPUNIT_ASSERT_EQUAL(std::string("A-00002 imported"), taken_by(consumer_));
    }

    /// A transaction begins before consumers take the account, and commits after that. Its record has an
    /// earlier time than the records that were taken meanwhile.
    void a_transaction_that_lasts_is_told() {
        AdminSession lasting(conninfo());
        lasting.rows("BEGIN");
        lasting.rows("SELECT now()");
        import("A-00001", "other");
        deliver();
        CPPUNIT_ASSERT_EQUAL(std::string("A-00001 imported"), taken_by(consumer_));
        lasting.rows(
            "SELECT data_import.store_payment_instruction(data_import.account_key($1, 'A-00001'), $1, "
            "gen_random_uuid(), 1, 'X', 'v', 'r', 'CARD', 'VERIFIED', NULL, NULL, '{}')",
            {supplier_});
        lasting.rows("COMMIT");
        deliver();
        Taker taker(conninfo());
        CPPUNIT_ASSERT_EQUAL(
            1L,
            taker.session().count("WITH taken AS MATERIALIZED (SELECT * FROM platform.take_accounts($1, 9)) "
                                  "SELECT count(*) FROM taken JOIN platform.payment_instruction AS record "
                                  "USING (import_supplier, external_account_number) "
                                  "WHERE record.imported_at >= taken.since",
                                  {consumer_}));
    }

    void a_reset_of_a_taken_account_is_told() {
        import("A-00001", "first");
        deliver();
        Taker taker(conninfo());
        taker.begin();
        CPPUNIT_ASSERT_EQUAL(std::string("A-00001 imported"), joined(taker.take(consumer_)));
        deliverer_->rows("SELECT data_import.account_reset($1, 'A-00001')", {supplier_});
        deliver();
        import("A-00001", "again");
        deliver();
        CPPUNIT_ASSERT_EQUAL(std::string(), taken_by(consumer_));
        taker.end("COMMIT");
        deliver();
        CPPUNIT_ASSERT_EQUAL(std::string("A-00001 reset"), taken_by(consumer_));
    }

    /// The test erases, stages and imports the account again. The consumer takes the account before deliver()
    /// hands out the news of the second import, and once more after that.
    void an_erased_account_that_comes_back_is_told() {
        import("A-00001", "first");
        deliverer_->rows("SELECT data_import.account_erase($1, 'A-00001')", {supplier_});
        deliver();
        deliverer_->rows("SELECT data_import.account_stage($1, 'A-00001', true)", {supplier_});
        deliverer_->rows("SELECT data_import.account_complete($1, 'A-00001')", {supplier_});
        import("A-00001", "again");
        CPPUNIT_ASSERT_EQUAL(std::string("A-00001 reset"), taken_by(consumer_));
        deliver();
        CPPUNIT_ASSERT_EQUAL(std::string("A-00001 imported"), taken_by(consumer_));
        deliverer_->rows("SELECT data_import.account_erase($1, 'A-00001')", {supplier_});
        deliver();
        CPPUNIT_ASSERT_EQUAL(std::string("A-00001 erased"), taken_by(consumer_));
    }

    void suppliers_that_come_later_are_told() {
        const std::string all = add_consumer({});
        deliver();
        const std::string later = make_supplier();
        import_by(*deliverer_, later, "A-00001", "first");
        deliver();
        CPPUNIT_ASSERT(("," + taken_by(all) + ",").find("A-00001 imported") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(std::string(), taken_by(consumer_));
    }

    void other_suppliers_are_not_told() {
        const std::string other = make_supplier();
        import_by(*deliverer_, other, "A-00001", "first");
        deliverer_->rows("SELECT data_import.account_reset($1, 'A-00001')", {other});
        deliver();
        CPPUNIT_ASSERT_EQUAL(std::string(), taken_by(consumer_));
        if (deliverer_->count("SELECT count(*) FROM data_import.consumer WHERE suppliers IS NULL") > 0)
            return;
        import_by(*deliverer_, other, "A-00001", "second");
        CPPUNIT_ASSERT_EQUAL(0L, deliverer_->count("SELECT count(*) FROM data_import.news"));
    }

    void check_removal_is_refused() {
        try {
            deliverer_->rows("SELECT data_import.consumer_remove($1)", {consumer_});
            CPPUNIT_FAIL("removed");
        } catch (const std::runtime_error& refusal) {
            CPPUNIT_ASSERT_MESSAGE(refusal.what(),
                                   std::string(refusal.what()).find("end it first") != std::string::npos);
        }
    }

    static std::string conninfo() { return Stack::shared().value("DATABASE_URL"); }

    bool is_anybody_at_gate() {
        return deliverer_->count(
                   "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 77 AND NOT "
                   "granted") > 0;
    }

    std::string make_supplier() {
        const std::string code = world().take_fresh();
        run_ctl(Stack::shared(), "supplier create " + code + " --name X");
        for (const char* step : {"account_stage", "account_complete"})
            deliverer_->rows("SELECT data_import." + std::string(step) +
                                 "($1, 'A-' || lpad(n::text, 5, '0')) FROM generate_series(1, 5) AS n",
                             {code});
        return code;
    }

    /// Adds a consumer of these suppliers; if there are none, of all suppliers.
    std::string add_consumer(const Texts& suppliers) {
        const std::string name = "news " + world().take_fresh();
        deliverer_->rows(
            "SELECT data_import.consumer_add($1, 'now', nullif(string_to_array($2, ','), '{}'), 'test')",
            {name, joined(suppliers)});
        consumers_.push_back(name);
        return name;
    }

    void import(const std::string& account, const std::string& body) {
        import_by(*deliverer_, supplier_, account, body);
    }

    static void import_by(AdminSession& session, const std::string& supplier, const std::string& account,
                          const std::string& body) {
        const auto answer = session.rows(
            "SELECT verdict FROM data_import.notes_import(ARRAY[data_import.account_key($1, $2)], ARRAY[$1], "
            "ARRAY[gen_random_uuid()], ARRAY[1::bigint], ARRAY[1], ARRAY[$3], ARRAY[NULL]::text[], "
            "ARRAY[NULL]::timestamptz[], ARRAY[NULL]::boolean[], ARRAY[NULL]::timestamptz[], "
            "ARRAY[md5($3)::uuid])",
            {supplier, account, body});
        CPPUNIT_ASSERT_EQUAL(std::string("done"), answer.at(0).at(0));
    }

    void deliver(int most = 20000) {
        deliverer_->rows("SELECT data_import.deliver_news($1)", {std::to_string(most)});
    }

    std::string taken_by(const std::string& consumer) { return joined(Taker(conninfo()).take(consumer)); }

    std::optional<AdminSession> deliverer_;
    std::string supplier_;
    std::string consumer_;
    Texts consumers_;
};

CPPUNIT_TEST_SUITE_REGISTRATION(NewsTest);

}  // namespace data_import::tests

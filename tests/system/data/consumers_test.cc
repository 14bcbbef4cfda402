// Consumers while imports run: a consumer also gets what is stored by imports that began before the consumer
// was added, an interrupted `consumer add` goes on, and the workers announce news.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>
#include <libpq-fe.h>
#include <poll.h>

#include <csignal>
#include <fstream>
#include <future>
#include <memory>
#include <string>

#include "../../runner.h"
#include "../../support/answer_check.h"
#include "../../support/command.h"
#include "../../support/database.h"
#include "../../support/load.h"
#include "../../support/processes.h"
#include "../../support/world.h"

namespace data_import::tests {

namespace {

/// A session that waits for notifications.
class Listener {
public:
    explicit Listener(const std::string& channel)
        : connection_(PQconnectdb(world().stack().value("DATABASE_URL").c_str()), PQfinish) {
        const std::unique_ptr<PGresult, void (*)(PGresult*)> result(
            PQexec(connection_.get(), ("LISTEN " + channel).c_str()), PQclear);
        if (PQresultStatus(result.get()) != PGRES_COMMAND_OK)
            throw std::runtime_error(PQerrorMessage(connection_.get()));
    }

    /// False if no notification with this payload has come within `time`.
    [[nodiscard]] bool hears(const std::string& payload, std::chrono::milliseconds time) {
        const auto end = std::chrono::steady_clock::now() + time;
        while (std::chrono::steady_clock::now() < end) {
            pollfd socket{PQsocket(connection_.get()), POLLIN, 0};
            poll(&socket, 1, 100);
            PQconsumeInput(connection_.get());
            while (PGnotify* told = PQnotifies(connection_.get())) {
                const bool is_meant = told->extra == payload;
                PQfreemem(told);
                if (is_meant) return true;
            }
        }
        return false;
    }

private:
    std::unique_ptr<PGconn, void (*)(PGconn*)> connection_;
};

/// A supplier with two imported accounts that no consumer knows yet. Their numbers are the supplier's code
/// followed by X00001 and X00002. The consumer that tests add has the supplier's code as its name.
struct Book {
    std::string code = world().take_fresh();

    Book() {
        run_ctl(world().stack(), "supplier create " + code + " --name X");
        import_accounts(world().database(), code, code + "X", 2);
        world().database().rows("UPDATE data_import.import_supplier SET tells_news = false WHERE code = $1",
                                {code});
    }
    [[nodiscard]] std::string account(int number) const { return code + "X0000" + std::to_string(number); }
    /// Takes accounts. Returns the last digit of each account's number and its event, in the order of the
    /// numbers.
    [[nodiscard]] std::string take() const {
        return world().database().value(
            "SELECT coalesce(string_agg(right(external_account_number, 1) || ' ' || event, ', ' "
            "ORDER BY external_account_number), '') FROM platform.take_accounts($1, 10)",
            {code});
    }
    [[nodiscard]] bool is_known() const {
        return world().database().count("SELECT count(*) FROM data_import.consumer WHERE name = $1",
                                        {code}) == 1;
    }
    [[nodiscard]] bool is_ready() const {
        return world().database().value("SELECT is_ready FROM data_import.consumer WHERE name = $1",
                                        {code}) == "t";
    }
    void remove() const { run_ctl(world().stack(), "consumer remove " + code); }
};

/// An import of a note, as the service does it, in a transaction that stays open until commit().
class OpenImport {
public:
    OpenImport(const std::string& supplier, const std::string& account) : session_(as_service()) {
        session_.rows("BEGIN");
        session_.rows(
            "SELECT FROM data_import.notes_import(p_account_key => ARRAY[data_import.account_key($1, $2)], "
            "p_import_supplier => ARRAY[$1], p_request_id => ARRAY[gen_random_uuid()], p_api_key_id => "
            "'{1}', "
            "p_request => '{1}', p_identity => ARRAY[gen_random_uuid()], p_created_at => ARRAY[now()], "
            "p_body => '{late}', p_document_paths => '{NULL}', p_is_pinned => '{f}', p_unpin_at => '{NULL}')",
            {supplier, account});
    }
    void commit() { session_.rows("COMMIT"); }

private:
    static std::string as_service() {
        std::string url = world().stack().value("DATABASE_URL");
        const std::size_t user = url.find("postgres@");
        if (user == std::string::npos) skip("needs the stack's own cluster");
        return url.replace(user, std::string("postgres").size(), "data-import");
    }

    AdminSession session_;
};

/// `consumer add` in the background.
class Adding {
public:
    Adding(const Book& book, const std::string& options)
        : process_(world().directory() / (book.code + ".process")),
          result_(std::async(std::launch::async, [this, line = command(book, options)] {
              return run_command("echo $$ >" + shell_word(process_.string()) + "; exec " + line);
          })) {}

    [[nodiscard]] bool has_ended() const {
        return result_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    }
    void interrupt() const {
        pid_t process = 0;
        std::ifstream(process_) >> process;
        CPPUNIT_ASSERT(process > 0 && kill(process, SIGTERM) == 0);
    }
    [[nodiscard]] CommandResult end() { return result_.get(); }

private:
    static std::string command(const Book& book, const std::string& options) {
        return world().stack().value("CTL") + " consumer add " + book.code + " --supplier " + book.code +
               " " + options;
    }

    std::filesystem::path process_;
    std::future<CommandResult> result_;
};

}  // namespace

class ConsumersTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(ConsumersTest);
    CPPUNIT_TEST(news_are_told_by_themselves);
    CPPUNIT_TEST(adding_waits_for_imports_that_began_before);
    CPPUNIT_TEST(an_interrupted_adding_goes_on);
    CPPUNIT_TEST(a_removal_does_not_wait_for_ever);
    CPPUNIT_TEST(a_supplier_that_is_being_loaded_holds_up_no_news);
    CPPUNIT_TEST_SUITE_END();

public:
    /// News are promised within five seconds. The test waits longer, because the machine may be busy.
    void news_are_told_by_themselves() {
        const Book book;
        Listener listener("data_import_news");
        run_ctl(world().stack(), "consumer add " + book.code + " --supplier " + book.code);
        const std::string token = token_for(world().stack(), "Org " + book.code, book.code);
        const Answer answer =
            ask(world().stack(), notes_request(token, book.code, book.account(2), {{"new"}}));
        const bool is_told = listener.hears(book.code, 20s);
        const std::string taken = book.take();
        const std::string figures = figures_of(book);
        book.remove();
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 201, answer.status);
        CPPUNIT_ASSERT(is_told);
        CPPUNIT_ASSERT_EQUAL(std::string("2 imported"), taken);
        CPPUNIT_ASSERT_EQUAL(std::string("0 1 1"), figures);
    }

    /// If adding did not wait, the account would be delivered, and could be taken, before its record is
    /// there.
    void adding_waits_for_imports_that_began_before() {
        const Book book;
        OpenImport before(book.code, book.account(1));
        Adding adding(book, "--from beginning");
        CPPUNIT_ASSERT(wait_until([&] { return book.is_known() || adding.has_ended(); }, 20s));
        OpenImport after(book.code, book.account(2));
        const std::string early = book.take();
        const bool has_waited = !adding.has_ended() && !book.is_ready();
        before.commit();
        const CommandResult added = adding.end();
        const std::string first = book.take();
        after.commit();
        const bool comes_again = wait_until(
            [&] {
                return world().database().count(
                           "SELECT count(*) FROM data_import.consumer_news WHERE consumer = $1 AND supplier "
                           "= $1",
                           {book.code}) == 1;
            },
            20s);
        const std::string second = book.take();
        book.remove();
        CPPUNIT_ASSERT_EQUAL(std::string(), early);
        CPPUNIT_ASSERT(has_waited);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(added.errors, 0, added.status);
        CPPUNIT_ASSERT_EQUAL(std::string("1 imported, 2 imported"), first);
        CPPUNIT_ASSERT(comes_again);
        CPPUNIT_ASSERT_EQUAL(std::string("2 imported"), second);
    }

    void an_interrupted_adding_goes_on() {
        const Book book;
        OpenImport before(book.code, book.account(1));
        Adding first(book, "--from beginning");
        CPPUNIT_ASSERT(wait_until([&] { return book.is_known() || first.has_ended(); }, 20s));
        first.interrupt();
        const CommandResult interrupted = first.end();
        const bool is_ready = book.is_ready();
        before.commit();
        const CommandResult added = Adding(book, "--from beginning").end();
        const std::string taken = book.take();
        book.remove();
        CPPUNIT_ASSERT_EQUAL_MESSAGE(interrupted.errors, 1, interrupted.status);
        CPPUNIT_ASSERT_EQUAL("data-importctl: interrupted: consumer " + book.code +
                                 " is not added to the end; repeat the command, and it goes on\n",
                             interrupted.errors);
        CPPUNIT_ASSERT(!is_ready);
        CPPUNIT_ASSERT_EQUAL("data-importctl: goes on adding " + book.code + "\n", added.errors);
        CPPUNIT_ASSERT_EQUAL(std::string("1 imported, 2 imported"), taken);
    }

    void a_removal_does_not_wait_for_ever() {
        const Book book;
        CPPUNIT_ASSERT_EQUAL(0, Adding(book, "--from beginning").end().status);
        AdminSession taking(world().stack().value("DATABASE_URL"));
        taking.rows("BEGIN");
        taking.rows("SELECT FROM platform.take_accounts($1, 10)", {book.code});
        const CommandResult result =
            run_command(world().stack().value("CTL") + " consumer remove " + book.code);
        const bool is_known = book.is_known();
        taking.rows("ROLLBACK");
        book.remove();
        CPPUNIT_ASSERT_EQUAL(1, result.status);
        CPPUNIT_ASSERT_EQUAL("data-importctl: a session works for the consumer " + book.code +
                                 " and is in its transaction still: end it first\n",
                             result.errors);
        CPPUNIT_ASSERT(is_known);
    }

    /// `account load` locks its supplier until it ends. No consumer takes the supplier `other` at first, so
    /// its imports need not collect news.
    void a_supplier_that_is_being_loaded_holds_up_no_news() {
        const Book book;
        const Book other;
        const Book third;
        CPPUNIT_ASSERT_EQUAL(0, Adding(book, "").end().status);
        AdminSession load(world().stack().value("DATABASE_URL"));
        lock_telling(load, other, true);
        OpenImport(book.code, book.account(1)).commit();
        const bool is_delivered = wait_until([&] { return book.take() == "1 imported"; }, 20s);
        Adding adding(third, "");  // waits for the load, because imports may have begun before
        const bool is_added = wait_until([&] { return third.is_known() || adding.has_ended(); }, 20s);
        load.rows("ROLLBACK");
        const CommandResult beside = adding.end();
        lock_telling(load, other, false);
        const CommandResult refused = Adding(other, "").end();
        load.rows("ROLLBACK");
        const CommandResult added = Adding(other, "").end();
        for (const Book* one : {&book, &other, &third}) one->remove();
        CPPUNIT_ASSERT(is_delivered);
        CPPUNIT_ASSERT(is_added);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(beside.errors, 0, beside.status);
        CPPUNIT_ASSERT_EQUAL(1, refused.status);
        CPPUNIT_ASSERT_MESSAGE(refused.errors,
                               refused.errors.find("another session has locked an import supplier, account "
                                                   "load for example") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(added.errors, 0, added.status);
    }

private:
    /// Locks the supplier as `account load` does, after setting tells_news. Workers may set it back before
    /// the lock; then tries again.
    static void lock_telling(AdminSession& session, const Book& book, bool tells_news) {
        const std::string wanted = tells_news ? "t" : "f";
        CPPUNIT_ASSERT(wait_until(
            [&] {
                session.rows("UPDATE data_import.import_supplier SET tells_news = $2 WHERE code = $1",
                             {book.code, wanted});
                session.rows("BEGIN");
                if (session.value(
                        "SELECT tells_news FROM data_import.import_supplier WHERE code = $1 FOR SHARE",
                        {book.code}) == wanted)
                    return true;
                session.rows("ROLLBACK");
                return false;
            },
            20s));
    }
    /// The numbers of accounts that wait, of accounts taken, and of records taken.
    static std::string figures_of(const Book& book) {
        return world().database().value(
            "SELECT concat_ws(' ', waiting, accounts_taken, records_taken) FROM "
            "data_import.consumer_progress() "
            "WHERE consumer = $1 AND supplier = $1",
            {book.code});
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(ConsumersTest);

}  // namespace data_import::tests

#include "consumers.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "../support/command.h"
#include "../support/processes.h"
#include "../support/world.h"

namespace data_import::soak {

namespace {

using namespace std::chrono_literals;
using tests::AdminSession;

/// The longest time from the last import until everything is copied.
constexpr std::chrono::milliseconds longest_drain = 60s;

/// Makes the tables and views of the consumers. The view soak.record has the records of all kinds; `subject`
/// is the account or the market participant with which a record is taken.
constexpr const char* make_tables = R"(
    CREATE SCHEMA soak AUTHORIZATION "soak-platform";
    SET ROLE "soak-platform";
    CREATE TABLE soak.copy (
        consumer text, record_id uuid, kind text, supplier text, subject text, digest text, PRIMARY KEY (consumer, record_id));
    CREATE INDEX ON soak.copy (consumer, supplier, subject);
    CREATE VIEW soak.record AS
        SELECT kind, record_id, import_supplier AS supplier, external_account_number AS subject, imported_at,
               md5(content::text) AS digest
        FROM platform.record WHERE import_supplier IS NOT NULL
        UNION ALL
        SELECT 'moved_dates', record_id, import_supplier, external_account_number, imported_at, md5(body)
        FROM platform.note WHERE is_by_service
        UNION ALL
        SELECT 'market_participants', record_id, '', code::text, imported_at, md5(name) FROM platform.market_participant
        UNION ALL
        SELECT 'price_sheets', record_id, '', market_participant_code::text, imported_at, md5(external_id)
        FROM platform.price_sheet;
    RESET ROLE)";

/// The queries that take accounts and market participants. Such a query is a part of a statement, which has
/// to define the CTE `late` with the column `nothing` (0). If `late` sleeps, the query takes the accounts or
/// participants only after the sleep, and not at the beginning of the statement.
constexpr const char* take_accounts =
    "SELECT import_supplier AS supplier, external_account_number AS subject, since, event "
    "FROM late, platform.take_accounts($1, $2 + late.nothing)";
constexpr const char* take_participants =
    "SELECT '' AS supplier, market_participant_code::text AS subject, since, 'imported' AS event "
    "FROM late, platform.take_market_participants($1, $2 + late.nothing)";
/// Copies the records of the accounts in the list `taken`. The join is LATERAL, because a plain join would
/// compute all records first.
std::string copy_of(const std::string& taken) {
    return "INSERT INTO soak.copy SELECT $1, record.* FROM " + taken +
           " AS taken CROSS JOIN LATERAL (SELECT record_id, kind, supplier, subject, digest FROM soak.record "
           "WHERE record.supplier = taken.supplier AND record.subject = taken.subject AND imported_at >= "
           "since OFFSET 0) "
           "AS record WHERE event <> 'erased' ON CONFLICT DO NOTHING RETURNING 1";
}

std::string counted(const std::string& statement) {
    return "WITH done AS (" + statement + ") SELECT count(*) FROM done";
}

/// The sentence of PostgreSQL's error without the path of the socket.
std::string short_form(const std::string& reason) {
    const std::string line = reason.substr(0, reason.find('\n'));
    const std::size_t at = line.find(" failed: ");
    return at == std::string::npos ? line : line.substr(at + 9);
}

std::string array_of(const std::vector<std::string>& texts) {
    std::string array;
    for (const std::string& text : texts) array += (array.empty() ? "{" : ",") + text;
    return array + (array.empty() ? "" : "}");
}

void execute_all(AdminSession& database, std::string script) {
    for (std::size_t end = 0; !script.empty(); script.erase(0, end + 1)) {
        end = std::min(script.find(';'), script.size() - 1);
        database.rows(script.substr(0, end + (script[end] == ';' ? 0 : 1)));
    }
}

}  // namespace

/// Takes accounts and copies their records, in many transactions over one connection. Opens a new connection
/// when the old one has ended.
class Consumers::Session {
public:
    Session(const Consumers& all, const Consumer& consumer, std::size_t number)
        : all_(all),
          consumer_(consumer.name),
          list_("soak.taken_" + std::to_string(number)),
          random_(all.seed_ * 31 + number) {}

    /// Takes accounts or market participants again and again, until the end of the run (`ending_`). A failure
    /// ends the connection, never the loop.
    void work() {
        while (!all_.ending_) {
            try {
                take_something();
            } catch (const std::exception& reason) {  // the database is away, or the session was ended
                ++counts_["broken off: " + short_form(reason.what())];
                session_.reset();
                pause(10, 300);
            }
        }
        session_.reset();
    }

    [[nodiscard]] const std::map<std::string, long>& counts() const { return counts_; }
    [[nodiscard]] const std::vector<std::string>& shared() const { return shared_; }

private:
    void take_something() {
        if (!session_) connect();
        session_->rows("BEGIN");
        session_->rows("DELETE FROM " + list_);
        const bool takes_participants = draw(random_, 1, 4) == 1;
        const std::string most =
            std::to_string(draw(random_, 1, 3) == 1 ? draw(random_, 1, 3) : draw(random_, 4, 80));
        const std::string take = takes_participants ? take_participants : take_accounts;
        const long records =
            draw(random_, 1, 2) == 1 ? take_and_copy(take, most) : take_then_copy(take, most);
        const long accounts = session_->count("SELECT count(*) FROM " + list_);
        if (accounts > 0) look_for_others();
        end_transaction(accounts, records, takes_participants);
    }

    void connect() {
        std::string url = all_.stack_.value("DATABASE_URL");
        url.replace(url.find("postgres@"), 9, std::string(platform_login) + "@");
        session_ = std::make_unique<AdminSession>(url);
        session_->rows("CREATE TABLE IF NOT EXISTS " + list_ +
                       " (supplier text, subject text, since timestamptz, event text)");
    }

    /// Takes accounts or market participants in one statement, and copies their records in a later one.
    /// Returns the number of copied records. `take` is the query that takes the accounts or participants,
    /// `most` the highest number of them that it takes.
    long take_then_copy(const std::string& take, const std::string& most) {
        session_->rows("WITH late AS (SELECT 0 AS nothing) INSERT INTO " + list_ + " " + take,
                       {consumer_, most});
        forget_removed();
        return session_->count(counted(copy_of(list_)), {consumer_});
    }

    /// Takes accounts or market participants, and copies their records in the same statement. The statement
    /// sees only records that were stored when it began. Returns the number of copied records. `take` is the
    /// query that takes the accounts or participants, `most` the highest number of them that it takes.
    long take_and_copy(const std::string& take, const std::string& most) {
        const long records = session_->count(
            "WITH late AS MATERIALIZED (SELECT (pg_sleep(random() * 0.4) IS NULL)::integer AS nothing), "
            "taken AS MATERIALIZED (" +
                take + "), noted AS (INSERT INTO " + list_ + " SELECT * FROM taken), done AS (" +
                copy_of("taken") + ") SELECT count(*) FROM done",
            {consumer_, most});
        if (forget_removed() == 0) return records;
        return records + session_->count(counted(copy_of(list_)), {consumer_});
    }

    long forget_removed() {
        const long removed = session_->count("SELECT count(*) FROM " + list_ + " WHERE event <> 'imported'");
        if (removed > 0)
            session_->rows("DELETE FROM soak.copy USING " + list_ +
                               " AS taken WHERE consumer = $1 AND event <> 'imported' "
                               "AND copy.supplier = taken.supplier AND copy.subject = taken.subject",
                           {consumer_});
        counts_["removals"] += removed;
        return removed;
    }

    /// Checks that no other open transaction of this consumer has taken the same accounts. Adds a text to
    /// `shared_` if one has.
    ///
    /// Each session keeps an advisory lock for each account that it has taken until its transaction ends. So
    /// if another session has the lock of an account, both sessions have taken the account. The check tries
    /// for about a second to get the locks, because a transaction that ends releases its advisory locks some
    /// moments after its row locks.
    void look_for_others() {
        for (int count = 0; count < 100; ++count) {
            const auto rows = session_->rows(
                "SELECT supplier || ' ' || subject FROM " + list_ +
                    " "
                    "WHERE NOT pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', $1::text, supplier, "
                    "subject), 63))",
                {consumer_});
            if (rows.empty()) return;
            if (count == 99) shared_.push_back(consumer_ + ": " + rows.at(0).at(0));
            pause(10, 10);
        }
    }

    void end_transaction(long accounts, long records, bool are_participants) {
        const long chance = all_.draining_ || accounts == 0 ? 100 : draw(random_, 1, 100);
        if (chance <= 6) return roll_back();
        if (chance <= 10) return break_off();
        if (chance <= 14) return end_session();
        if (chance <= 18) pause(1000, 4000);
        session_->rows("COMMIT");
        ++counts_["committed"];
        counts_[consumer_ + (are_participants ? ": market participants" : ": accounts")] += accounts;
        counts_[consumer_ + ": records"] += records;
        pause(0, accounts == 0 ? 200 : 20);
    }

    void roll_back() {
        session_->rows("ROLLBACK");
        ++counts_["rolled back"];
    }

    /// Closes the connection, as if the program had ended.
    void break_off() {
        session_.reset();
        ++counts_["closed"];
    }

    void end_session() {
        const std::string process = session_->value("SELECT pg_backend_pid()");
        AdminSession(all_.stack_.value("DATABASE_URL")).rows("SELECT pg_terminate_backend($1)", {process});
        session_.reset();
        ++counts_["terminated"];
    }

    void pause(long least_milliseconds, long most_milliseconds) {
        std::this_thread::sleep_for(
            std::chrono::milliseconds(draw(random_, least_milliseconds, most_milliseconds)));
    }

    const Consumers& all_;
    const std::string consumer_;
    const std::string list_;  ///< the name of the table of taken accounts
    Random random_;
    std::unique_ptr<AdminSession> session_;
    std::map<std::string, long> counts_;
    std::vector<std::string> shared_;
};

Consumers::Consumers(const tests::Stack& stack, const Book& book, int sessions, std::uint64_t seed)
    : stack_(stack), seed_(seed) {
    if (sessions == 0) return;
    AdminSession database(stack.value("DATABASE_URL"));
    database.rows(R"(CREATE ROLE "soak-platform" LOGIN IN ROLE "data-import-platform")");
    // without JIT, because compiling a plan with all views takes longer than executing it
    database.rows(R"(ALTER ROLE "soak-platform" SET jit = off)");
    execute_all(database, make_tables);
    const std::vector<std::string> some = {book.organisations.at(0).suppliers.at(0),
                                           book.organisations.at(1).suppliers.at(1)};
    consumers_ = {{.name = "soak", .suppliers = {}, .sessions = sessions},
                  {.name = "soak some", .suppliers = some},
                  {.name = "soak late", .suppliers = {}, .comes_late = true}};
    for (const Consumer& consumer : consumers_) {
        if (!consumer.comes_late) start(consumer);
    }
}

Consumers::~Consumers() {
    ending_ = true;
    for (std::thread& thread : threads_) thread.join();
}

void Consumers::add_late_ones() {
    for (const Consumer& consumer : consumers_) {
        if (consumer.comes_late) start(consumer);
    }
}

void Consumers::start(const Consumer& consumer) {
    add(consumer);
    for (int number = 0; number < consumer.sessions; ++number) {
        sessions_.push_back(std::make_unique<Session>(*this, consumer, sessions_.size()));
        threads_.emplace_back([session = sessions_.back().get()] { session->work(); });
    }
}

/// Adds a consumer by the same steps as `data-importctl consumer add`. After a failure, repeats all steps
/// from the first one; a step that was done already does no harm when it is done again.
void Consumers::add(const Consumer& consumer) {
    std::string failure;
    const auto succeeds = [&] {
        try {
            AdminSession database(stack_.value("DATABASE_URL"));
            database.rows("SELECT data_import.consumer_add($1, 'beginning', nullif($2, '')::text[], 'soak')",
                          {consumer.name, array_of(consumer.suppliers)});
            const std::string running = database.value("SELECT data_import.running_imports()");
            while (database.count("SELECT count(*) FROM (SELECT unnest(data_import.running_imports()) "
                                  "INTERSECT SELECT unnest($1::text[])) AS x",
                                  {running}) > 0)
                std::this_thread::sleep_for(50ms);
            std::string key = "00000000-0000-0000-0000-000000000000";
            while (!key.empty())
                key = database.value("SELECT last_key FROM data_import.consumer_fill($1, $2, 20)",
                                     {consumer.name, key});
            database.rows("SELECT data_import.consumer_ready($1)", {consumer.name});
            return true;
        } catch (const std::exception& reason) {
            failure = reason.what();
            return false;
        }
    };
    if (threads_.empty())
        threads_.emplace_back([this] {
            while (!ending_) {
                try {
                    AdminSession database(stack_.value("DATABASE_URL"));
                    while (!ending_) {
                        database.rows("SELECT data_import.deliver_news()");
                        std::this_thread::sleep_for(1s);
                    }
                } catch (const std::exception&) {
                    std::this_thread::sleep_for(100ms);
                }
            }
        });
    if (!tests::wait_until(succeeds, 120s)) throw std::runtime_error("no consumer can be added: " + failure);
}

bool Consumers::is_anything_left() {
    AdminSession database(stack_.value("DATABASE_URL"));
    return database.count(
               "SELECT (SELECT count(*) FROM data_import.news) + (SELECT count(*) FROM "
               "data_import.consumer_news)") > 0;
}

ConsumerFindings Consumers::finish() {
    ConsumerFindings findings;
    if (consumers_.empty()) return findings;
    const auto begin = std::chrono::steady_clock::now();
    draining_ = true;
    if (!tests::wait_until([this] { return !is_anything_left(); }, longest_drain))
        findings.wrong_counters.emplace_back("news are left a minute after the last import");
    findings.counts["s until nothing was left"] =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin).count();
    ending_ = true;
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    for (const auto& session : sessions_) {
        for (const auto& [name, count] : session->counts()) findings.counts[name] += count;
        findings.shared.insert(findings.shared.end(), session->shared().begin(), session->shared().end());
    }
    for (const Consumer& consumer : consumers_) compare(consumer, findings);
    return findings;
}

void Consumers::compare(const Consumer& consumer, ConsumerFindings& findings) {
    AdminSession database(stack_.value("DATABASE_URL"));
    for (const auto& row :
         database.rows("SELECT CASE WHEN copy.record_id IS NULL THEN 'lacks' WHEN there.record_id IS NULL "
                       "THEN 'has too many' "
                       "  ELSE 'has otherwise' END, "
                       "  coalesce(there.kind, copy.kind), coalesce(there.supplier, copy.supplier), "
                       "  coalesce(there.subject, copy.subject), coalesce(there.record_id, copy.record_id) "
                       "FROM (SELECT * FROM soak.record WHERE supplier = '' OR $2 = '' OR supplier = ANY "
                       "(nullif($2, '')::text[])) AS there "
                       "FULL JOIN (SELECT * FROM soak.copy WHERE consumer = $1) AS copy USING (record_id) "
                       "WHERE (there.kind, there.supplier, there.subject, there.digest) "
                       "  IS DISTINCT FROM (copy.kind, copy.supplier, copy.subject, copy.digest)",
                       {consumer.name, array_of(consumer.suppliers)}))
        findings.differences.push_back(consumer.name + ' ' + row.at(0) + ": " + row.at(1) + " of " +
                                       row.at(2) + ' ' + row.at(3) + ", " + row.at(4));
    findings.counts[consumer.name + ": records in the end"] =
        database.count("SELECT count(*) FROM soak.copy WHERE consumer = $1", {consumer.name});
    const long waiting = database.count(
        "SELECT coalesce(sum(abs(waiting)), 0) FROM data_import.consumer_progress() WHERE consumer = $1",
        {consumer.name});
    if (waiting != 0)
        findings.wrong_counters.push_back(consumer.name + ": the counters say that " +
                                          std::to_string(waiting) + " wait");
}

}  // namespace data_import::soak

// Tests that no hot statement reads all of a table that grows as suppliers import. auto_explain shows the
// plans of the statements, also of those inside functions. The sessions have the settings that
// src/data/database/session_settings.h gives.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>
#include <libpq-fe.h>

#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../runner.h"
#include "../../support/command.h"
#include "../../support/world.h"
#include "data/database/session_settings.h"

namespace data_import::tests {

namespace {

using Tables = std::set<std::string>;

const Tables& tables_of_records() {
    // clang-format off
    static const Tables tables = {
        "delivery_note", "energy_amount", "financial_transaction", "historical_statement", "market_participant",
        "market_participant_invoice", "note", "payment_instruction", "price_sheet", "transaction_line_item",
        "transaction_tax_item"};
    // clang-format on
    return tables;
}

const Tables& other_large_tables() {
    // clang-format off
    static const Tables tables = {
        "account", "account_refusal", "account_step", "event", "idempotency_key", "import_rate", "open_account",
        "refusal_rate", "service_account_number", "statement_period", "token_request"};
    // clang-format on
    return tables;
}

const Tables& large_tables() {
    static const Tables tables = [] {
        Tables all = tables_of_records();
        all.insert(other_large_tables().begin(), other_large_tables().end());
        return all;
    }();
    return tables;
}

/// An index of the rows that wait for housekeeping; a statement may read all of it.
constexpr const char* index_of_waiting = "event_without_place";

std::string text_of(const std::string& file) {
    std::ifstream stream("tests/system/data/plans/" + file);
    CPPUNIT_ASSERT_MESSAGE(file, stream.is_open());
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// A statement of hot.sql.
struct Hot {
    std::string what;
    std::string role;
    std::string sql;
};

/// Reads hot.sql, in which each statement stands after a line `-- ROLE: request`.
std::vector<Hot> hot_statements() {
    static const std::regex heading("-- ([a-z-]+): (.*)");
    std::istringstream lines(text_of("hot.sql"));
    std::vector<Hot> all;
    for (std::string line; std::getline(lines, line);) {
        std::smatch parts;
        if (std::regex_match(line, parts, heading)) {
            all.push_back({.what = parts[2], .role = parts[1], .sql = ""});
        } else if (!all.empty()) {
            all.back().sql += line + "\n";
        }
    }
    return all;
}

/// Returns the required parameters that the statement `sql` does not name, each with a blank after it.
/// Required are all parameters without a default, of each function that `sql` calls with named parameters. If
/// several functions have the same name, the one with the most parameters counts, because the service calls
/// that one.
std::string parameters_left_out(const std::string& sql) {
    static const std::regex call("data_import\\.(\\w+)\\(\\s*p_");
    std::string missing;
    for (std::sregex_iterator found(sql.begin(), sql.end(), call), end; found != end; ++found) {
        for (const auto& row : world().database().rows(
                 "SELECT unnest(proargnames[1:pronargs - pronargdefaults]) FROM (SELECT * FROM pg_proc WHERE "
                 "proname = '" +
                 (*found)[1].str() +
                 "' AND pronamespace = 'data_import'::regnamespace ORDER BY pronargs DESC LIMIT 1) AS "
                 "longest")) {
            if (sql.find(row.at(0) + " =>") == std::string::npos) missing += row.at(0) + ' ';
        }
    }
    return missing;
}

/// The first column of the index.
const std::string& first_column(const std::string& index) {
    static std::map<std::string, std::string> columns;
    if (columns.empty()) {
        for (const auto& row : world().database().rows(
                 "SELECT indexrelid::regclass, pg_get_indexdef(indexrelid, 1, false) FROM pg_index JOIN "
                 "pg_class "
                 "ON oid = indrelid WHERE relnamespace = 'data_import'::regnamespace"))
            columns.emplace(row.at(0).substr(row.at(0).find('.') + 1), row.at(1));
    }
    return columns.at(index);
}

/// Returns the lines of plans that read all of one of the tables: sequential scans, and index scans without a
/// condition on the index's first column. IS NOT NULL does not count as a condition, because every row meets
/// it. Also returns the lines that compare every row with every other: anti joins by nested loops, and
/// filters that remove 100,000 rows or more.
std::string whole_reads(const std::string& plans, const Tables& tables) {
    static const std::regex sequential("Seq Scan on (\\w+)");
    static const std::regex along_index("Index (?:Only )?Scan (?:Backward )?using (\\w+) on (\\w+)");
    static const std::regex condition("Index Cond: (?!\\(\\w+ IS NOT NULL\\)$)(.*)");
    static const std::regex each_with_each("Nested Loop Anti Join|Rows Removed by (Join )?Filter: [0-9]{6,}");
    std::istringstream lines(plans);
    std::string found;
    std::string last_by_index;
    std::string last_index;
    for (std::string line; std::getline(lines, line);) {
        std::smatch scan;
        if (std::regex_search(line, each_with_each)) found += line + "\n";
        if (!last_by_index.empty() &&
            !(std::regex_search(line, scan, condition) &&
              std::regex_search(scan[1].str(), std::regex("\\b" + first_column(last_index) + "\\b"))))
            found += last_by_index + "\n" + line + "\n";
        last_by_index.clear();
        if (std::regex_search(line, scan, sequential) && tables.contains(scan[1])) found += line + "\n";
        if (std::regex_search(line, scan, along_index) && tables.contains(scan[2]) &&
            scan[1] != index_of_waiting) {
            last_by_index = line;
            last_index = scan[1];
        }
    }
    return found;
}

/// A session that explains its statements, in a transaction that is never committed.
class Explained {
public:
    explicit Explained(const std::string& database) : connection_(PQconnectdb(database.c_str()), &PQfinish) {
        PQsetNoticeProcessor(
            connection_.get(),
            [](void* told, const char* message) { *static_cast<std::string*>(told) += message; }, &told_);
        try {
            execute("LOAD 'auto_explain'");
        } catch (const std::runtime_error& error) {
            skip(std::string("auto_explain is not there: ") + error.what());
        }
        execute(
            "SET auto_explain.log_nested_statements = on; SET auto_explain.log_min_duration = 0; "
            "SET auto_explain.log_analyze = on; SET auto_explain.log_timing = off");
    }

    /// Makes PostgreSQL plan all hot statements in this session while the tables of its database are empty,
    /// and keep the plans.
    ///
    /// Because a session's first temporary table creates a schema, and PostgreSQL then drops all plans that
    /// it has kept, makes such a table before.
    void plan_for_empty_tables() {
        execute("VACUUM ANALYZE");
        execute("CREATE TEMPORARY TABLE first ()");
        execute("BEGIN");
        execute(text_of("few_rows.sql"));
        for (const Hot& hot : hot_statements()) plans_of(hot);
        execute("ROLLBACK");
    }

    void add_many_rows() {
        execute("BEGIN");
        execute(text_of("many_rows.sql"));
    }

    void analyze() {
        execute("RESET ROLE");
        for (const std::string& table : large_tables()) execute("ANALYZE data_import." + table);
    }

    /// Readers' statements may read none of the large tables as a whole, because the views of the schema
    /// platform look up all tables of records by account.
    void check_hot_statements(const Tables& tables) {
        for (const Hot& hot : hot_statements()) check(hot, hot.role == reader ? large_tables() : tables);
    }

    void check_views() {
        for (const Hot& hot : hot_statements()) {
            if (hot.role == reader) check(hot, large_tables());
        }
    }

private:
    static constexpr const char* reader = "data-import-reader";

    void check(const Hot& hot, const Tables& tables) {
        CPPUNIT_ASSERT_EQUAL_MESSAGE(hot.what, std::string(), parameters_left_out(hot.sql));
        const std::string plans = plans_of(hot);
        CPPUNIT_ASSERT_MESSAGE(hot.what, plans.find("Query Text:") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(hot.what + '\n' + plans, std::string(), whole_reads(plans, tables));
        if (hot.role == reader)
            CPPUNIT_ASSERT_MESSAGE(hot.what + '\n' + plans,
                                   plans.find("account_by_external_number") != std::string::npos);
    }

    std::string plans_of(const Hot& hot) {
        execute("RESET ROLE");
        execute(database::session_settings({.looks_up = hot.role == "data-import"}, '"' + hot.role + '"'));
        execute("SET client_min_messages = log");
        told_.clear();
        execute(hot.sql);
        return told_;
    }

    void execute(const std::string& statements) {
        const std::unique_ptr<PGresult, void (*)(PGresult*)> result(
            PQexec(connection_.get(), statements.c_str()), &PQclear);
        const ExecStatusType status = PQresultStatus(result.get());
        if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
            throw std::runtime_error(PQerrorMessage(connection_.get()));
    }

    std::string told_;
    std::unique_ptr<PGconn, void (*)(PGconn*)> connection_;
};

/// The database `plans` on the stack's server. Only this test uses the database. Its tables are empty.
class EmptyDatabase {
public:
    EmptyDatabase() {
        const World& world = tests::world();
        const std::string file = (world.directory() / "plans.conf").string();
        must_run("sed 's/dbname=data-import/dbname=plans/' " +
                 (world.stack().run_directory() / "data-import.conf").string() + " > " + file);
        must_run((build_directory() / "data-importctl").string() + " --config " + file + " db setup");
    }
    ~EmptyDatabase() { world().database().rows("DROP DATABASE plans WITH (FORCE)"); }
    EmptyDatabase(const EmptyDatabase&) = delete;
    EmptyDatabase& operator=(const EmptyDatabase&) = delete;
};

std::string url() {
    return world().stack().value("DATABASE_URL");
}

}  // namespace

class PlansTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(PlansTest);
    CPPUNIT_TEST(hot_statements_read_no_large_table_whole);
    CPPUNIT_TEST(nor_do_they_by_plans_that_were_made_while_tables_were_empty);
    CPPUNIT_TEST_SUITE_END();

public:
    void hot_statements_read_no_large_table_whole() {
        Explained explained(url());
        explained.add_many_rows();
        explained.check_views();
        explained.analyze();
        explained.check_hot_statements(large_tables());
    }

    /// Checks plans that a session made while all tables were empty. A session keeps such plans until
    /// PostgreSQL analyzes the tables, some minutes after the first import.
    ///
    /// Because Citus refuses the subquery with OFFSET 0 that would prevent it, the service's own statements
    /// may read whole tables of records until then.
    void nor_do_they_by_plans_that_were_made_while_tables_were_empty() {
        const EmptyDatabase database;
        std::string own = url();
        own.replace(own.find("/data-import?"), 12, "/plans");
        Explained explained(own);
        explained.plan_for_empty_tables();
        explained.add_many_rows();
        explained.check_hot_statements(other_large_tables());
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(PlansTest);

}  // namespace data_import::tests

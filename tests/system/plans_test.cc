// The plans of the most frequent statements: none reads all of a table that grows with a migration.
// Statements inside functions are explained, too (auto_explain), in sessions with the callers' settings.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>
#include <libpq-fe.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../src/database/session_settings.h"
#include "../runner.h"
#include "../support/world.h"

namespace data_import::tests {

namespace {

const std::set<std::string>& large_tables() {
    // clang-format off
    static const std::set<std::string> tables = {
        "account", "account_refusal", "account_step", "energy_amount", "event", "financial_transaction",
        "historical_statement", "idempotency_key", "import_rate", "note", "open_account", "refusal_rate",
        "service_account_number", "statement_period", "token_request", "transaction_line_item",
        "transaction_tax_item"};
    // clang-format on
    return tables;
}

/// An index of rows that wait for housekeeping: to read all of it is right.
constexpr const char* index_of_waiting = "event_without_place";

std::string text_of(const std::string& file) {
    std::ifstream stream("tests/system/plans/" + file);
    CPPUNIT_ASSERT_MESSAGE(file, stream.is_open());
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// A statement of hot.sql.
struct Hot {
    std::string what;
    std::string role;
    std::string sql;
};

/// Each one stands behind a line `-- ROLE: request`.
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

/// Lines of plans that read all of a large table: a sequential scan, or one of an index without a condition
/// but that for the smallest value, which every row meets.
std::string whole_reads(const std::string& plans) {
    static const std::regex sequential("Seq Scan on (\\w+)");
    static const std::regex along_index("Index (?:Only )?Scan (?:Backward )?using (\\w+) on (\\w+)");
    static const std::regex condition("Index Cond: (?!\\(\\w+ IS NOT NULL\\)$)");
    std::istringstream lines(plans);
    std::string found;
    std::string last_by_index;
    for (std::string line; std::getline(lines, line);) {
        std::smatch scan;
        if (!last_by_index.empty() && !std::regex_search(line, condition)) found += last_by_index + "\n";
        last_by_index.clear();
        if (std::regex_search(line, scan, sequential) && large_tables().contains(scan[1]))
            found += line + "\n";
        if (std::regex_search(line, scan, along_index) && large_tables().contains(scan[2]) &&
            scan[1] != index_of_waiting)
            last_by_index = line;
    }
    return found;
}

/// A session that explains its statements, in a transaction that is never committed.
class Explained {
public:
    Explained()
        : connection_(PQconnectdb(World::of_shared_stack().stack().value("DATABASE_URL").c_str()),
                      &PQfinish) {
        PQsetNoticeProcessor(
            connection_.get(),
            [](void* told, const char* message) { *static_cast<std::string*>(told) += message; }, &told_);
        try {
            execute("LOAD 'auto_explain'");
        } catch (const std::runtime_error& error) {
            skip(std::string("auto_explain is not there: ") + error.what());
        }
        execute("SET auto_explain.log_nested_statements = on; SET auto_explain.log_min_duration = 0");
        execute("BEGIN");
        execute(text_of("many_rows.sql"));
        for (const std::string& table : large_tables()) execute("ANALYZE data_import." + table);
    }

    std::string plans_of(const Hot& hot) {
        execute("RESET ROLE");
        execute(database::session_settings({.looks_up = hot.role == "data-import"}, '"' + hot.role + '"'));
        execute("SET client_min_messages = log");
        told_.clear();
        execute(hot.sql);
        return told_;
    }

private:
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

}  // namespace

class PlansTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(PlansTest);
    CPPUNIT_TEST(hot_statements_read_no_large_table_whole);
    CPPUNIT_TEST_SUITE_END();

public:
    void hot_statements_read_no_large_table_whole() {
        Explained explained;
        for (const Hot& hot : hot_statements()) {
            const std::string plans = explained.plans_of(hot);
            CPPUNIT_ASSERT_MESSAGE(hot.what, plans.find("Query Text:") != std::string::npos);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(hot.what + '\n' + plans, std::string(), whole_reads(plans));
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(PlansTest);

}  // namespace data_import::tests

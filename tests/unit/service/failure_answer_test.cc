// The parts of PostgreSQL's messages that the log keeps, and the answers to clients when a database fails.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>
#include <vector>

#include "../../table.h"
#include "data/database/failures.h"
#include "service/http/failure_answer.h"

namespace data_import {

namespace {

struct Refusal {
    std::string sqlstate;
    std::string message;
    std::string logged;
};

const std::vector<Refusal> refusals = {
    {"XX001", "invalid page in block 3 of relation \"base/16384/16632\"",
     "XX001 invalid page in block 3 of relation \"base/16384/16632\" (PostgreSQL process 7)"},
    {"53100", "could not extend file \"base/1/2\": No space left on device",
     "53100 could not extend file \"base/1/2\": No space left on device (PostgreSQL process 7)"},
    {"58030", "could not read file \"base/1/2\": Input/output error",
     "58030 could not read file \"base/1/2\": Input/output error (PostgreSQL process 7)"},
    {"22P02", "invalid input syntax for type integer: \"4711\"",
     "22P02 invalid input syntax for type integer (PostgreSQL process 7)"},
    {"23505", "duplicate key value violates unique constraint \"x\"",
     "23505 duplicate key value violates unique constraint  (PostgreSQL process 7)"},
};

struct Absence {
    std::string reason;
    bool cannot_store;
    std::string logged;  ///< the log line for the requests of one batch
};

const std::vector<Absence> absences = {
    {"53100: could not extend file \"base/1/2\": No space left on device", true,
     "53100: could not extend file \"base/1/2\": No space left on device"},
    {"58P01: could not load library \"/usr/lib/plpgsql.so\"", true,
     "58P01: could not load library \"/usr/lib/plpgsql.so\""},
    {"25006: the database is read-only", true, "25006"},
    {"connection to server on socket \"/run/x\" failed: No such file or directory", false,
     "connection to server on socket "},
    {"no session before the deadline", false, "no session before the deadline"},
};

}  // namespace

class FailureAnswerTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(FailureAnswerTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_refusals);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_absences);
    CPPUNIT_TEST(tells_a_missing_right_from_a_missing_migration);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_refusals(TestSuiteBuilderContextType& context) {
        for (const Refusal& row : refusals) {
            tests::add_row(context, "logs " + row.sqlstate, [row] {
                CPPUNIT_ASSERT_EQUAL(row.logged,
                                     http::logged_reason(database::Refused(row.sqlstate, row.message, 7)));
            });
        }
    }

    static void add_absences(TestSuiteBuilderContextType& context) {
        for (const Absence& row : absences) {
            tests::add_row(context, "answers " + row.reason, [row] {
                const database::Unavailable unavailable(row.reason);
                CPPUNIT_ASSERT_EQUAL(row.logged, http::logged_reason(unavailable));
                const http::FailureAnswer failure = answer_to(unavailable);
                CPPUNIT_ASSERT_EQUAL(row.reason, failure.reason);
                CPPUNIT_ASSERT(failure.problem.code == Code::service_unavailable);
                const std::string body = http::render(failure.problem).body;
                CPPUNIT_ASSERT_EQUAL(row.cannot_store, body.find("cannot store now") != std::string::npos);
                CPPUNIT_ASSERT_EQUAL(!row.cannot_store, body.find("cannot reach") != std::string::npos);
            });
        }
    }

    void tells_a_missing_right_from_a_missing_migration() {
        const http::FailureAnswer right =
            answer_to(database::SchemaMissing("42501: permission denied for table note"));
        CPPUNIT_ASSERT_EQUAL(std::string("The service lacks a right in its database; nothing was stored. "
                                         "Repeat the request as it is."),
                             right.problem.detail);
        CPPUNIT_ASSERT_EQUAL(
            std::string(
                "a right of role data-import is missing in the database, run data-importctl db setup; "
                "42501: permission denied for table note"),
            right.reason);
        const http::FailureAnswer table =
            answer_to(database::SchemaMissing("42P01: relation \"note\" does not exist"));
        CPPUNIT_ASSERT(table.problem.detail.starts_with("The service's database is not migrated"));
        CPPUNIT_ASSERT(
            table.reason.starts_with("the database is not migrated, run data-importctl db migrate"));
    }

private:
    template <typename Unavailable>
    static http::FailureAnswer answer_to(const Unavailable& unavailable) {
        try {
            throw unavailable;
        } catch (const std::exception&) {
            return http::current_failure("0f");
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(FailureAnswerTest);

}  // namespace data_import

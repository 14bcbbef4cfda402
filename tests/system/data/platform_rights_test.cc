// The rights of the platform, of readers and of other roles on the schema platform and on the steps of
// accounts.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../../support/command.h"
#include "../../support/stack.h"
#include "../../support/world.h"

namespace data_import::tests {

namespace {

AdminSession& administrator() {
    return world().database();
}

/// A session of a new role, which is a member of `member_of` unless that is empty. Its destructor drops the
/// role.
class Login {
public:
    Login(std::string name, const std::string& member_of)
        : name_(std::move(name)), session_(world().stack().value("DATABASE_URL")) {
        const std::string role = '"' + name_ + '"';
        administrator().rows("CREATE ROLE " + role + " LOGIN" +
                             (member_of.empty() ? "" : " IN ROLE \"" + member_of + '"'));
        session_.rows("SET SESSION AUTHORIZATION " + role);
    }
    ~Login() {
        try {
            administrator().rows("DROP ROLE \"" + name_ + '"');
        } catch (const std::runtime_error&) {
        }
    }
    Login(const Login&) = delete;
    Login& operator=(const Login&) = delete;

    void check_may(const std::string& sql) {
        CPPUNIT_ASSERT_EQUAL_MESSAGE(sql, std::string(), failure_of(sql));
    }
    /// Fails unless PostgreSQL itself refuses each of the statements.
    void check_may_not(const std::vector<std::string>& statements) {
        for (const std::string& sql : statements) {
            const std::string failure = failure_of(sql);
            CPPUNIT_ASSERT_MESSAGE(sql + ": " + failure,
                                   failure.find("permission denied") != std::string::npos);
        }
    }

private:
    std::string failure_of(const std::string& sql) {
        try {
            session_.rows(sql);
        } catch (const std::runtime_error& failure) {
            return failure.what();
        }
        return "";
    }

    std::string name_;
    AdminSession session_;
};

std::vector<std::string> views() {
    std::vector<std::string> names;
    for (const auto& row : administrator().rows(
             "SELECT oid::regclass FROM pg_class WHERE relnamespace = 'platform'::regnamespace "
             "AND relkind = 'v' ORDER BY 1"))
        names.push_back(row.at(0));
    return names;
}

/// Relations of the schema data_import on which the role has any right.
std::string open_relations(std::string_view role) {
    return administrator().value(
        "SELECT coalesce(string_agg(relname, ' '), '') FROM pg_class "
        "WHERE relnamespace = 'data_import'::regnamespace AND CASE relkind "
        "WHEN 'S' THEN has_sequence_privilege($1, oid, 'USAGE, SELECT, UPDATE') "
        "WHEN 'i' THEN false WHEN 'c' THEN false "
        "ELSE has_table_privilege($1, oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER') "
        "OR has_any_column_privilege($1, oid, 'SELECT, INSERT, UPDATE, REFERENCES') END",
        {std::string(role)});
}

/// The functions of a schema that the role may call, except mere computations. canonical_instant is a
/// computation, too, but PostgreSQL cannot know that it is immutable.
std::string working_functions(std::string_view role, std::string_view schema) {
    return administrator().value(
        "SELECT coalesce(string_agg(proname, ' ' ORDER BY proname), '') FROM pg_proc "
        "WHERE pronamespace = $2::regnamespace AND provolatile <> 'i' AND proname <> 'canonical_instant' "
        "AND has_function_privilege($1, oid, 'EXECUTE')",
        {std::string(role), std::string(schema)});
}

}  // namespace

class PlatformRightsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(PlatformRightsTest);
    CPPUNIT_TEST(the_platform_reads_views_and_calls_functions);
    CPPUNIT_TEST(a_reader_reads_views_and_does_nothing_else);
    CPPUNIT_TEST(others_may_do_nothing);
    CPPUNIT_TEST(the_role_of_readers_comes_with_the_migration);
    CPPUNIT_TEST_SUITE_END();

public:
    // The default of a parameter of platform.take_accounts calls last_delivery, so the platform may call it.
    void the_platform_reads_views_and_calls_functions() {
        CPPUNIT_ASSERT_EQUAL(
            std::string(
                "account_begin account_complete account_erase account_fail account_hold account_reset "
                "account_stage last_delivery statement_close statement_open"),
            working_functions("data-import-platform", "data_import"));
        CPPUNIT_ASSERT_EQUAL(
            0L, administrator().count("SELECT count(*) FROM pg_proc WHERE pronamespace = "
                                      "'platform'::regnamespace AND NOT "
                                      "has_function_privilege('data-import-platform', oid, 'EXECUTE')"));
        CPPUNIT_ASSERT_EQUAL(std::string(), open_relations("data-import-platform"));
        Login platform("platform-rights-test-billing", "data-import-platform");
        for (const std::string& view : views()) platform.check_may("SELECT * FROM " + view);
        platform.check_may_not({"SELECT * FROM data_import.account", "SELECT * FROM data_import.api_key",
                                "SELECT * FROM data_import.note", "SELECT * FROM data_import.sent_note",
                                "UPDATE data_import.import_supplier SET status = 'Ongoing'",
                                "UPDATE platform.import_supplier SET document_root = ''",
                                "DELETE FROM platform.market_participant",
                                "SELECT data_import.import_verdict(NULL, 'ACME')",
                                "SELECT data_import.housekeeping(0, 0, '0')",
                                "SELECT data_import.open_statement_periods('{}', '{}', '{}', now())",
                                "CREATE TABLE data_import.mine ()", "CREATE TABLE platform.mine ()",
                                "SET ROLE \"data-import-owner\""});
    }

    void a_reader_reads_views_and_does_nothing_else() {
        CPPUNIT_ASSERT_EQUAL(std::string("last_delivery"),
                             working_functions("data-import-reader", "data_import"));
        CPPUNIT_ASSERT_EQUAL(std::string(), working_functions("data-import-reader", "platform"));
        CPPUNIT_ASSERT_EQUAL(std::string(), open_relations("data-import-reader"));
        Login reader("platform-rights-test-reports", "data-import-reader");
        for (const std::string& view : views()) reader.check_may("SELECT * FROM " + view);
        reader.check_may_not({"SELECT * FROM data_import.note", "SELECT * FROM data_import.sent_note",
                              "SELECT data_import.account_begin('ACME', 'x')",
                              "UPDATE platform.import_supplier SET document_root = ''",
                              "DELETE FROM platform.market_participant", "CREATE TABLE platform.mine ()",
                              "SET ROLE \"data-import-platform\""});
    }

    void others_may_do_nothing() {
        Login other("platform-rights-test-other", "");
        std::vector<std::string> statements = {"SELECT data_import.account_begin('ACME', 'x')"};
        for (const std::string& view : views()) statements.push_back("SELECT * FROM " + view);
        other.check_may_not(statements);
    }

    /// An installation of the previous version has all roles but that of readers. Its administrator need not
    /// be a superuser.
    void the_role_of_readers_comes_with_the_migration() {
        const PrivateStack stack;
        AdminSession session(stack->value("DATABASE_URL"));
        session.rows("DROP SCHEMA data_import, platform CASCADE");
        session.rows("CREATE SCHEMA data_import AUTHORIZATION \"data-import-owner\"");
        session.rows("DROP OWNED BY \"data-import-reader\"");
        session.rows("DROP ROLE \"data-import-reader\"");
        session.rows("CREATE ROLE weak LOGIN IN ROLE \"data-import-owner\"");
        const std::string config = (stack->run_directory() / "data-import.conf").string();
        const std::string weak = (stack->run_directory() / "weak.conf").string();
        must_run("sed '/^admin_database/s/user=postgres/user=weak/' " + config + " >" + weak);
        const std::string ctl = (build_directory() / "data-importctl").string() + " --config ";
        const CommandResult refused = run_command(ctl + weak + " db migrate");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(refused.errors, 1, refused.status);
        CPPUNIT_ASSERT_MESSAGE(
            refused.errors,
            refused.errors.find("CREATE ROLE \"data-import-reader\"; GRANT CONNECT ON DATABASE "
                                "\"data-import\" TO \"data-import-reader\"") != std::string::npos);
        must_run(ctl + config + " db migrate");
        must_run(ctl + config + " db check");
        CPPUNIT_ASSERT_EQUAL(std::string("t"), session.value("SELECT has_database_privilege("
                                                             "'data-import-reader', 'data-import', "
                                                             "'CONNECT')"));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(PlatformRightsTest);

}  // namespace data_import::tests

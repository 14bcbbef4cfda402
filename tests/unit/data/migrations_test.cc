// store/migrations: pending and refused migrations; store/setup: names of databases.
#include "data/store/migrations.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "data/store/rights.h"
#include "data/store/schema_version.h"
#include "data/store/setup.h"

namespace data_import {

namespace {

/// A directory of its own, removed with the object.
class Directory {
public:
    Directory() {
        std::string name = (std::filesystem::temp_directory_path() / "migrations-XXXXXX").string();
        CPPUNIT_ASSERT(mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    ~Directory() { std::filesystem::remove_all(path_); }
    Directory(const Directory&) = delete;
    Directory& operator=(const Directory&) = delete;

    void write(const std::string& name, const std::string& text = "SELECT 1") const {
        std::ofstream(path_ / name) << text;
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

store::AppliedMigration applied(int version, const std::string& sha256) {
    return {.version = version, .name = "name", .sha256 = sha256, .applied_at = "2024-05-31T08:30:00Z"};
}

/// The statements of a migration without comments, descriptions and names of session settings.
std::string statements_of(const store::Migration& migration) {
    static const std::regex passed_over(
        "--[^\\n]*|COMMENT ON [^']*'(?:[^']|'[^;])*';|(?:current_setting|set_config)\\('[^']*'");
    return std::regex_replace(migration.sql, passed_over, "");
}

/// Names of the schema that stand in a migration before they are defined there or in an earlier one. The
/// migration's own definitions are added to `defined`.
std::string names_before_their_definition(const store::Migration& migration, std::set<std::string>& defined) {
    static const std::regex named(
        "(CREATE (?:UNLOGGED )?(?:DOMAIN|FUNCTION|SEQUENCE|TABLE|TYPE|VIEW) )?data_import\\.(\\w+)(?: RENAME "
        "TO (\\w+))?");
    const std::string statements = statements_of(migration);
    std::string names;
    for (std::sregex_iterator at(statements.begin(), statements.end(), named), end; at != end; ++at) {
        const std::string name = (*at)[2];
        if ((*at)[1].matched) {
            defined.insert(name);
        } else if (!defined.contains(name)) {
            names += migration.name + " names " + name + "\n";
        }
        if ((*at)[3].matched) defined.insert((*at)[3]);
    }
    return names;
}

const std::vector<store::Migration> available = {{.version = 1, .name = "one", .sql = "", .sha256 = "11"},
                                                 {.version = 2, .name = "two", .sql = "", .sha256 = "22"}};

}  // namespace

class MigrationsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(MigrationsTest);
    CPPUNIT_TEST(know_the_last_one);
    CPPUNIT_TEST(name_nothing_that_stands_behind);
    CPPUNIT_TEST(grant_rights_in_one_form);
    CPPUNIT_TEST(are_read_by_version);
    CPPUNIT_TEST(are_refused_with_gaps_and_doubles_and_other_names);
    CPPUNIT_TEST(are_pending_unless_applied);
    CPPUNIT_TEST(are_refused_when_changed_or_newer);
    CPPUNIT_TEST(are_compared_with_newer_ones);
    CPPUNIT_TEST(find_the_database_of_connection_parameters);
    CPPUNIT_TEST_SUITE_END();

public:
    void know_the_last_one() {
        CPPUNIT_ASSERT_EQUAL(store::schema_version, store::read_migrations("sql").back().version);
    }

    // bodies of functions, too, in which PostgreSQL would look names up in the call only
    void name_nothing_that_stands_behind() {
        std::set<std::string> defined = {"schema_migration"};
        for (const store::Migration& migration : store::read_migrations("sql")) {
            CPPUNIT_ASSERT_EQUAL(std::string(), names_before_their_definition(migration, defined));
        }
    }

    // the form that store/rights.cc takes apart; a REVOKE would have to be repeated, too
    void grant_rights_in_one_form() {
        static const std::regex form(
            "GRANT ((SELECT|INSERT|UPDATE|DELETE|EXECUTE|USAGE)( \\(\\w+(, \\w+)*\\))?(, )?)+ "
            "ON (FUNCTION |SCHEMA )?((data_import|platform)(\\.\\w+(\\([^()]*\\))?)?(, )?)+ TO "
            "(\"data-import(-platform|-reader)?\"(, )?)+");
        static const std::regex revoke("(^|\n)REVOKE ");
        const auto migrations = store::read_migrations("sql");
        const auto grants = store::grants_of(migrations);
        CPPUNIT_ASSERT(grants.size() > 40);
        CPPUNIT_ASSERT_EQUAL(
            std::string("GRANT USAGE ON SCHEMA data_import TO \"data-import\", \"data-import-platform\""),
            grants.front());
        for (const std::string& grant : grants) CPPUNIT_ASSERT_MESSAGE(grant, std::regex_match(grant, form));
        for (const store::Migration& migration : migrations)
            CPPUNIT_ASSERT_MESSAGE(migration.name, !std::regex_search(migration.sql, revoke));
    }

    void are_read_by_version() {
        const Directory directory;
        directory.write("0002-second-thing.sql");
        directory.write("0001-first.sql", "");
        directory.write("README");
        const auto migrations = store::read_migrations(directory.path());
        CPPUNIT_ASSERT_EQUAL(std::size_t{2}, migrations.size());
        CPPUNIT_ASSERT_EQUAL(std::string("first"), migrations[0].name);
        CPPUNIT_ASSERT_EQUAL(std::string("second-thing"), migrations[1].name);
        CPPUNIT_ASSERT_EQUAL(std::string("SELECT 1"), migrations[1].sql);
        CPPUNIT_ASSERT_EQUAL(std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
                             migrations[0].sha256);
    }

    void are_refused_with_gaps_and_doubles_and_other_names() {
        for (const auto& names : std::vector<std::vector<std::string>>{{},
                                                                       {"0002-b.sql"},
                                                                       {"0001-a.sql", "0003-c.sql"},
                                                                       {"0001-a.sql", "0001-b.sql"},
                                                                       {"1-a.sql"},
                                                                       {"0001-A.sql"}}) {
            const Directory directory;
            for (const std::string& name : names) directory.write(name);
            CPPUNIT_ASSERT_THROW(static_cast<void>(store::read_migrations(directory.path())),
                                 store::MigrationError);
        }
        CPPUNIT_ASSERT_THROW(static_cast<void>(store::read_migrations("/nonexistent")),
                             store::MigrationError);
    }

    void are_pending_unless_applied() {
        CPPUNIT_ASSERT_EQUAL(std::size_t{2}, store::pending_migrations(available, {}).size());
        CPPUNIT_ASSERT_EQUAL(2, store::pending_migrations(available, {applied(1, "11")}).front().version);
        CPPUNIT_ASSERT(store::pending_migrations(available, {applied(1, "11"), applied(2, "22")}).empty());
    }

    void are_refused_when_changed_or_newer() {
        assert_refused({applied(1, "12")}, "with other content");
        assert_refused({applied(1, "11"), applied(2, "22"), applied(3, "33")}, "downgrade refused");
    }

    /// An older version finds them after a downgrade.
    void are_compared_with_newer_ones() {
        const auto comparison =
            store::compare_migrations(available, {applied(1, "11"), applied(2, "22"), applied(3, "33")});
        CPPUNIT_ASSERT(comparison.pending.empty());
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, comparison.newer.size());
        CPPUNIT_ASSERT_EQUAL(std::string("3 name; it works with the tables of the version after it"),
                             store::describe_newer(comparison.newer));
        CPPUNIT_ASSERT_THROW(static_cast<void>(store::compare_migrations(
                                 available, {applied(1, "11"), applied(2, "23"), applied(3, "33")})),
                             store::MigrationError);
    }

    void find_the_database_of_connection_parameters() {
        CPPUNIT_ASSERT_EQUAL(std::string("x"), store::database_name("host=/run dbname=x"));
        CPPUNIT_ASSERT_EQUAL(std::string("x"),
                             store::database_name("postgresql://postgres@localhost:5433/x"));
        CPPUNIT_ASSERT_EQUAL(std::string("dbname=postgres host=/run"),
                             store::with_database("host=/run dbname=x", "postgres"));
        CPPUNIT_ASSERT_THROW(static_cast<void>(store::database_name("host=/run")), store::SetupError);
        CPPUNIT_ASSERT_THROW(static_cast<void>(store::database_name("frob=1")), store::SetupError);
    }

private:
    static void assert_refused(const std::vector<store::AppliedMigration>& rows, const std::string& part) {
        try {
            static_cast<void>(store::pending_migrations(available, rows));
        } catch (const store::MigrationError& error) {
            CPPUNIT_ASSERT(std::string(error.what()).find(part) != std::string::npos);
            return;
        }
        CPPUNIT_FAIL("taken");
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(MigrationsTest);

}  // namespace data_import

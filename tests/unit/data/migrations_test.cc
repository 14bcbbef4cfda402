// store/migrations: the files of sql/, pending and refused migrations; store/setup: names of databases.
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

#include "base/util/joined.h"
#include "data/store/rights.h"
#include "data/store/schema_version.h"
#include "data/store/setup.h"

namespace data_import {

namespace {

/// A directory like sql/, removed with the object.
class Directory {
public:
    Directory() {
        std::string name = (std::filesystem::temp_directory_path() / "migrations-XXXXXX").string();
        CPPUNIT_ASSERT(mkdtemp(name.data()) != nullptr);
        path_ = name;
        std::filesystem::create_directory(path_ / "schema");
        std::filesystem::create_directory(path_ / "upgrades");
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

/// Names that the schema uses before it defines them.
std::string names_before_their_definition(const store::Migration& schema) {
    static const std::regex named(
        "(CREATE (?:UNLOGGED )?(?:DOMAIN|FUNCTION|SEQUENCE|TABLE|TYPE|VIEW) )?data_import\\.(\\w+)");
    const std::string statements = statements_of(schema);
    std::set<std::string> defined = {"schema_migration"};
    std::string names;
    for (std::sregex_iterator at(statements.begin(), statements.end(), named), end; at != end; ++at) {
        const std::string name = (*at)[2];
        if ((*at)[1].matched) {
            defined.insert(name);
        } else if (!defined.contains(name)) {
            names += name + "\n";
        }
    }
    return names;
}

const store::Migrations available = {
    .schema = {.version = 29, .name = "two", .sql = "CREATE", .sha256 = "22"},
    .upgrades = {{.version = 28, .name = "one", .sql = "ALTER", .sha256 = "11"},
                 {.version = 29, .name = "two", .sql = "ALTER", .sha256 = "22"}}};

}  // namespace

class MigrationsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(MigrationsTest);
    CPPUNIT_TEST(know_the_last_one);
    CPPUNIT_TEST(define_what_they_name);
    CPPUNIT_TEST(define_nothing_twice);
    CPPUNIT_TEST(grant_rights_in_one_form);
    CPPUNIT_TEST(are_read_by_version);
    CPPUNIT_TEST(are_refused_with_gaps_and_doubles_and_other_names);
    CPPUNIT_TEST(are_pending_unless_applied);
    CPPUNIT_TEST(are_pending_after_the_whole_schema);
    CPPUNIT_TEST(are_refused_when_changed_or_newer);
    CPPUNIT_TEST(are_refused_before_the_first_release);
    CPPUNIT_TEST(are_compared_with_newer_ones);
    CPPUNIT_TEST(find_the_database_of_connection_parameters);
    CPPUNIT_TEST_SUITE_END();

public:
    void know_the_last_one() {
        CPPUNIT_ASSERT_EQUAL(store::schema_version, store::read_migrations("sql").schema.version);
    }

    // Also checks the bodies of functions, because PostgreSQL looks up the names in them only when it calls
    // them.
    void define_what_they_name() {
        CPPUNIT_ASSERT_EQUAL(std::string(),
                             names_before_their_definition(store::read_migrations("sql").schema));
    }

    void define_nothing_twice() {
        static const std::regex replaced(
            "(^|\n)(CREATE OR REPLACE|DROP|ALTER (FUNCTION|VIEW)|ALTER TABLE \\S+\\s+ADD)");
        const std::string sql = store::read_migrations("sql").schema.sql;
        std::smatch found;
        const bool is_found = std::regex_search(sql, found, replaced);
        CPPUNIT_ASSERT_MESSAGE(is_found ? found.str() : "", !is_found);
    }

    // store/rights.cc reads only GRANT statements of this form, and no REVOKE statements.
    void grant_rights_in_one_form() {
        static const std::regex form(
            "GRANT ((SELECT|INSERT|UPDATE|DELETE|EXECUTE|USAGE)( \\(\\w+(, \\w+)*\\))?(, )?)+ "
            "ON (FUNCTION |SCHEMA )?((data_import|platform)(\\.\\w+(\\([^()]*\\))?)?(, )?)+ TO "
            "(\"data-import(-platform|-reader|-operator)?\"(, )?)+");
        static const std::regex revoke("(^|\n)REVOKE ");
        const store::Migration schema = store::read_migrations("sql").schema;
        const auto grants = store::grants_of(schema);
        CPPUNIT_ASSERT(grants.size() > 40);
        CPPUNIT_ASSERT_EQUAL(
            std::string("GRANT USAGE ON SCHEMA data_import TO \"data-import\", \"data-import-platform\", "
                        "\"data-import-reader\""),
            grants.front());
        for (const std::string& grant : grants) CPPUNIT_ASSERT_MESSAGE(grant, std::regex_match(grant, form));
        CPPUNIT_ASSERT(!std::regex_search(schema.sql, revoke));
    }

    void are_read_by_version() {
        const Directory directory;
        directory.write("upgrades/0029-second-thing.sql");
        directory.write("upgrades/0028-first.sql", "");
        directory.write("upgrades/README");
        directory.write("schema/02-notes.sql", "B");
        directory.write("schema/01-foundation.sql", "A");
        const auto [schema, upgrades] = store::read_migrations(directory.path());
        CPPUNIT_ASSERT_EQUAL(std::size_t{2}, upgrades.size());
        CPPUNIT_ASSERT_EQUAL(std::string("first"), upgrades[0].name);
        CPPUNIT_ASSERT_EQUAL(std::string("second-thing"), upgrades[1].name);
        CPPUNIT_ASSERT_EQUAL(std::string("SELECT 1"), upgrades[1].sql);
        CPPUNIT_ASSERT_EQUAL(std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
                             upgrades[0].sha256);
        CPPUNIT_ASSERT_EQUAL(std::string("AB"), schema.sql);
        CPPUNIT_ASSERT_EQUAL(29, schema.version);
        CPPUNIT_ASSERT_EQUAL(upgrades[1].name, schema.name);
        CPPUNIT_ASSERT_EQUAL(upgrades[1].sha256, schema.sha256);
    }

    void are_refused_with_gaps_and_doubles_and_other_names() {
        for (const auto& names : std::vector<std::vector<std::string>>{
                 {"schema/01-a.sql"},
                 {"upgrades/0028-a.sql"},
                 {"schema/01-a.sql", "upgrades/0027-a.sql"},
                 {"schema/01-a.sql", "upgrades/0029-b.sql"},
                 {"schema/01-a.sql", "upgrades/0028-a.sql", "upgrades/0030-c.sql"},
                 {"schema/01-a.sql", "upgrades/0028-a.sql", "upgrades/0028-b.sql"},
                 {"schema/01-a.sql", "upgrades/28-a.sql"},
                 {"schema/01-a.sql", "upgrades/0028-A.sql"}}) {
            const Directory directory;
            for (const std::string& name : names) directory.write(name);
            CPPUNIT_ASSERT_THROW(static_cast<void>(store::read_migrations(directory.path())),
                                 store::MigrationError);
        }
        CPPUNIT_ASSERT_THROW(static_cast<void>(store::read_migrations("/nonexistent")),
                             store::MigrationError);
    }

    /// Databases of the first release end with migration 27, so an upgrade begins with migration 28.
    void are_pending_unless_applied() {
        CPPUNIT_ASSERT_EQUAL(std::string("CREATE"), pending({}));
        CPPUNIT_ASSERT_EQUAL(std::string("ALTER 28, ALTER 29"),
                             pending({applied(26, "x"), applied(27, "x")}));
        CPPUNIT_ASSERT_EQUAL(std::string("ALTER 29"), pending({applied(27, "x"), applied(28, "11")}));
        CPPUNIT_ASSERT_EQUAL(std::string(), pending({applied(28, "11"), applied(29, "22")}));
    }

    // a database that was made from sql/schema/ has only the row of the last version
    void are_pending_after_the_whole_schema() {
        CPPUNIT_ASSERT_EQUAL(std::string("ALTER 29"), pending({applied(28, "11")}));
        CPPUNIT_ASSERT_EQUAL(std::string(), pending({applied(29, "22")}));
    }

    void are_refused_when_changed_or_newer() {
        assert_refused({applied(28, "12")}, "with other content");
        assert_refused({applied(29, "23")}, "with other content");
        assert_refused({applied(28, "11"), applied(29, "22"), applied(30, "33")}, "downgrade refused");
    }

    void are_refused_before_the_first_release() {
        assert_refused({applied(25, "x"), applied(26, "x")},
                       "the database ends with migration 26 (name), which is older than version 1.0.0: "
                       "install data-import 1.0.0, type data-importctl db migrate");
    }

    /// After a downgrade the older version finds migrations that it does not know.
    void are_compared_with_newer_ones() {
        for (const auto& rows : {std::vector{applied(28, "11"), applied(29, "22"), applied(30, "33")},
                                 std::vector{applied(30, "33")}}) {
            const auto comparison = store::compare_migrations(available, rows);
            CPPUNIT_ASSERT(comparison.pending.empty());
            CPPUNIT_ASSERT_EQUAL(std::string("30 name; it works with the tables of the version after it"),
                                 store::describe_newer(comparison.newer));
        }
        CPPUNIT_ASSERT_THROW(static_cast<void>(store::compare_migrations(
                                 available, {applied(28, "11"), applied(29, "23"), applied(30, "33")})),
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
    static std::string pending(const std::vector<store::AppliedMigration>& rows) {
        return util::joined(
            store::pending_migrations(available, rows), [](const store::Migration& migration) {
                return migration.sql +
                       (migration.sql == "ALTER" ? ' ' + std::to_string(migration.version) : "");
            });
    }

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

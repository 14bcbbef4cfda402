#include "data/store/migrations.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <utility>

#include "base/util/crypto.h"
#include "base/util/joined.h"
#include "data/store/schema_version.h"

namespace data_import::store {

namespace {

namespace fs = std::filesystem;

constexpr const char* schema_migration_table = R"(
CREATE TABLE IF NOT EXISTS data_import.schema_migration (
    version    integer PRIMARY KEY CHECK (version > 0),
    name       text NOT NULL,
    sha256     text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE data_import.schema_migration IS 'The migrations that this database has.';
COMMENT ON COLUMN data_import.schema_migration.version IS 'The number that the migration''s file name begins with.';
COMMENT ON COLUMN data_import.schema_migration.name IS 'The rest of the file name, without its extension.';
COMMENT ON COLUMN data_import.schema_migration.sha256 IS 'SHA-256 of the file as it was applied, hexadecimal.';
COMMENT ON COLUMN data_import.schema_migration.applied_at IS 'When it was applied.';
)";

std::string read_file(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (!stream.is_open() || stream.bad())
        throw MigrationError("migration " + file.string() + " cannot be read");
    return text;
}

Migration read_migration(const fs::path& file) {
    static const std::regex form("([0-9]{4})-([a-z0-9-]+)");
    const std::string stem = file.stem().string();
    std::smatch parts;
    if (!std::regex_match(stem, parts, form)) {
        throw MigrationError("the name of migration " + file.string() + " is not of the form NNNN-name.sql");
    }
    Migration migration{
        .version = std::stoi(parts[1]), .name = parts[2], .sql = read_file(file), .sha256 = {}};
    migration.sha256 = util::to_hex(util::bytes_of(util::sha256(migration.sql)));
    return migration;
}

void check_sequence(const std::vector<Migration>& migrations, const fs::path& directory) {
    if (migrations.empty()) {
        throw MigrationError(directory.string() +
                             " holds no migrations; set sql_directory to where they are");
    }
    int expected = 1;
    for (const Migration& migration : migrations) {
        if (migration.version != expected) {
            throw MigrationError(directory.string() + " lacks migration " + std::to_string(expected) +
                                 " or holds one twice; install the package again");
        }
        ++expected;
    }
}

const Migration* find_version(const std::vector<Migration>& migrations, int version) {
    const auto found = std::find_if(migrations.begin(), migrations.end(),
                                    [&](const Migration& migration) { return migration.version == version; });
    return found == migrations.end() ? nullptr : &*found;
}

std::string described(int version, const std::string& name) {
    return std::to_string(version) + " (" + name + ")";
}

bool is_applied(database::Database& database, int version, database::Deadline deadline) {
    const database::Rows rows =
        database.execute({.name = "is_migration_applied",
                          .sql = "SELECT EXISTS (SELECT FROM data_import.schema_migration "
                                 "WHERE version = $1)",
                          .parameters = {std::to_string(version)}},
                         deadline);
    return rows.boolean(0, 0);
}

void record(database::Database& database, const Migration& migration, database::Deadline deadline) {
    database.execute(
        {.name = "record_migration",
         .sql = "INSERT INTO data_import.schema_migration (version, name, sha256) VALUES ($1, $2, $3)",
         .parameters = {std::to_string(migration.version), migration.name, migration.sha256},
         .repeatable = false},
        deadline);
}

/// One transaction's work: it has the lock until its end, so the next one to get the lock sees the applied
/// migrations.
bool apply_alone(database::Database& database, const Migration& migration, database::Deadline deadline) {
    database.execute_script("SET LOCAL statement_timeout = 0", deadline);
    database.execute(
        {.name = "lock_migrations",
         // data_import.lock_number('schema_migration', ''), which is not there yet
         .sql = "SELECT pg_advisory_xact_lock(('x' || left(encode(sha256("
                "convert_to('schema_migration' || chr(31), 'UTF8')), 'hex'), 16))::bit(64)::bigint)"},
        deadline);
    database.execute_script("SET LOCAL client_min_messages = warning; SET LOCAL lock_timeout = '5s'",
                            deadline);
    database.execute_script(schema_migration_table, deadline);
    if (is_applied(database, migration.version, deadline)) return false;
    database.execute_script(migration.sql, deadline);
    record(database, migration, deadline);
    return true;
}

}  // namespace

std::vector<Migration> read_migrations(const fs::path& directory) {
    std::vector<Migration> migrations;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(directory, error)) {
        if (entry.path().extension() == ".sql") migrations.push_back(read_migration(entry.path()));
    }
    if (error) {
        throw MigrationError("the migrations in " + directory.string() +
                             " cannot be read: " + error.message() + "; set sql_directory to where they are");
    }
    std::sort(migrations.begin(), migrations.end(),
              [](const Migration& left, const Migration& right) { return left.version < right.version; });
    check_sequence(migrations, directory);
    return migrations;
}

std::vector<Migration> own_migrations(const fs::path& directory) {
    std::vector<Migration> migrations = read_migrations(directory);
    const int last = migrations.back().version;
    if (last == schema_version) return migrations;
    throw MigrationError(directory.string() + " ends with migration " + std::to_string(last) +
                         ", and this program needs " + std::to_string(schema_version) +
                         ": install, or build, both in one version");
}

MigrationComparison compare_migrations(const std::vector<Migration>& available,
                                       const std::vector<AppliedMigration>& applied) {
    MigrationComparison comparison;
    for (const AppliedMigration& row : applied) {
        const Migration* migration = find_version(available, row.version);
        if (migration == nullptr) {
            comparison.newer.push_back(row);
        } else if (migration->sha256 != row.sha256) {
            throw MigrationError(
                "migration " + described(row.version, row.name) + " was applied on " + row.applied_at +
                " with other content than its file has now; restore the file as " + "it was released");
        }
    }
    for (const Migration& migration : available) {
        const bool is_applied = std::any_of(applied.begin(), applied.end(), [&](const AppliedMigration& row) {
            return row.version == migration.version;
        });
        if (!is_applied) comparison.pending.push_back(migration);
    }
    return comparison;
}

std::string describe_newer(const std::vector<AppliedMigration>& newer) {
    const auto name = [](const AppliedMigration& row) {
        return std::to_string(row.version) + " " + row.name;
    };
    return util::joined(newer, name) + "; it works with the tables of the version after it";
}

std::vector<Migration> pending_migrations(const std::vector<Migration>& available,
                                          const std::vector<AppliedMigration>& applied) {
    MigrationComparison comparison = compare_migrations(available, applied);
    if (comparison.newer.empty()) return std::move(comparison.pending);
    const AppliedMigration& first = comparison.newer.front();
    throw MigrationError("downgrade refused: the database has migration " +
                         described(first.version, first.name) +
                         ", which is newer than this program; install the newer package");
}

bool has_schema(database::Database& database, database::Deadline deadline) {
    return database
        .execute({.name = "has_schema",
                  .sql = "SELECT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = 'data_import')"},
                 deadline)
        .boolean(0, 0);
}

std::vector<AppliedMigration> applied_migrations(database::Database& database, database::Deadline deadline) {
    const database::Rows table =
        database.execute({.name = "has_schema_migration",
                          .sql = "SELECT to_regclass('data_import.schema_migration') IS NOT NULL"},
                         deadline);
    if (!table.boolean(0, 0)) return {};
    const database::Rows rows =
        database.execute({.name = "applied_migrations",
                          .sql = "SELECT version, name, sha256, applied_at "
                                 "FROM data_import.schema_migration ORDER BY version"},
                         deadline);
    return rows.each([](const database::Row& row) {
        return AppliedMigration{static_cast<int>(row.integer(0)), row.text(1), row.text(2), row.time(3)};
    });
}

bool apply_migration(database::Database& database, const Migration& migration, database::Deadline deadline) {
    bool applied = false;
    try {
        database.transaction([&] { applied = apply_alone(database, migration, deadline); }, deadline);
    } catch (const database::Refused& refused) {
        constexpr const char* lock_not_available = "55P03";
        const std::string name = "migration " + described(migration.version, migration.name);
        if (refused.sqlstate() == lock_not_available) {
            throw MigrationError(
                name + " did not get its locks within 5 s and changed nothing; repeat it when long " +
                "transactions have ended");
        }
        throw MigrationError(name + " failed and changed nothing: " + refused.what() + " (SQLSTATE " +
                             refused.sqlstate() + ")");
    } catch (const database::Unavailable& unavailable) {
        throw MigrationError("migration " + described(migration.version, migration.name) +
                             " failed and changed nothing: " + unavailable.what());
    }
    return applied;
}

}  // namespace data_import::store

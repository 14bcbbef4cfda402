#include "data/store/migrations.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <regex>
#include <string_view>
#include <thread>
#include <utility>

#include "base/util/crypto.h"
#include "base/util/joined.h"
#include "data/store/schema_version.h"

namespace data_import::store {

namespace {

namespace fs = std::filesystem;

/// The version of the first release's schema, after which upgrades begin.
constexpr int first_schema_version = 27;
constexpr const char* first_release = "1.0.0";

constexpr const char* schema_migration_table = R"(
CREATE TABLE IF NOT EXISTS data_import.schema_migration (
    version    integer PRIMARY KEY CHECK (version > 0),
    name       text NOT NULL,
    sha256     text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE data_import.schema_migration IS 'The migrations that this database has; of one that was made at once the last one.';
COMMENT ON COLUMN data_import.schema_migration.version IS 'The number that the migration''s file name begins with.';
COMMENT ON COLUMN data_import.schema_migration.name IS 'The rest of the file name, without its extension.';
COMMENT ON COLUMN data_import.schema_migration.sha256 IS 'SHA-256 of the file as it was applied, hexadecimal.';
COMMENT ON COLUMN data_import.schema_migration.applied_at IS 'When it was applied.';
)";

std::string read_file(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (!stream.is_open() || stream.bad())
        throw MigrationError(file.string() + " cannot be read; install the package again");
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

/// Returns the SQL files of a directory, sorted by name. Throws MigrationError if the directory has none or
/// cannot be read.
std::vector<fs::path> sql_files(const fs::path& directory) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(directory, error)) {
        if (entry.path().extension() == ".sql") files.push_back(entry.path());
    }
    if (error) {
        throw MigrationError("the migrations in " + directory.string() +
                             " cannot be read: " + error.message() + "; set sql_directory to where they are");
    }
    if (files.empty()) {
        throw MigrationError(directory.string() +
                             " holds no migrations; set sql_directory to where they are");
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<Migration> read_upgrades(const fs::path& directory) {
    std::vector<Migration> upgrades;
    int expected = first_schema_version;
    for (const fs::path& file : sql_files(directory)) {
        upgrades.push_back(read_migration(file));
        if (upgrades.back().version == ++expected) continue;
        throw MigrationError(directory.string() + " lacks migration " + std::to_string(expected) +
                             " or holds one twice; install the package again");
    }
    return upgrades;
}

std::string described(int version, const std::string& name) {
    return std::to_string(version) + " (" + name + ")";
}

void need_released_version(const AppliedMigration& last) {
    if (last.version >= first_schema_version) return;
    throw MigrationError("the database ends with migration " + described(last.version, last.name) +
                         ", which is older than version " + first_release + ": install data-import " +
                         first_release + ", type data-importctl db migrate, and install this version again");
}

void need_same_content(const Migration& file, const AppliedMigration& row) {
    if (file.sha256 == row.sha256) return;
    throw MigrationError("migration " + described(row.version, row.name) + " was applied on " +
                         row.applied_at +
                         " with other content than its file has now; restore the file as it was released");
}

bool is_applied(database::Database& database, int version, database::Deadline deadline) {
    const database::Rows rows =
        database.execute({.name = "is_migration_applied",
                          .sql = "SELECT EXISTS (SELECT FROM data_import.schema_migration "
                                 "WHERE version >= $1)",
                          .parameters = {std::to_string(version)}},
                         deadline);
    return rows.boolean(0, 0);
}

void record(database::Database& database, const Migration& migration, database::Deadline deadline) {
    database.execute(
        {.name = "record_migration",
         .sql = "INSERT INTO data_import.schema_migration (version, name, sha256) VALUES ($1, $2, $3)",
         .parameters = {std::to_string(migration.version), migration.name, migration.sha256},
         .retryable = false},
        deadline);
}

/// Applies a migration inside the open transaction, and adds its row. Returns false if the database has this
/// migration or a later one already.
///
/// The lock of migrations is held until this transaction ends, so that the next transaction with the lock
/// sees the applied migration.
bool apply_alone(database::Database& database, const Migration& migration, database::Deadline deadline) {
    database.execute_script("SET LOCAL statement_timeout = 0", deadline);
    database.execute(
        {.name = "lock_migrations",
         // This is data_import.lock_number('schema_migration', ''), which a new database does not have yet.
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

/// Does the work, and repeats it after a moment if PostgreSQL has rolled it back to end a deadlock. The locks
/// of a migration and those of the service, which goes on working meanwhile, cannot all have one order.
void after_deadlocks(const std::function<void()>& work) {
    constexpr std::string_view rolled_back =
        "40001";  // the database layer reports a deadlock by this code, too
    constexpr int most_attempts = 10;
    for (int attempt = 1;; ++attempt) {
        try {
            return work();
        } catch (const database::Refused& refused) {
            if (refused.sqlstate() != rolled_back || attempt == most_attempts) throw;
            std::this_thread::sleep_for(std::chrono::seconds(1));
        }
    }
}

}  // namespace

Migrations read_migrations(const fs::path& directory) {
    Migrations migrations;
    migrations.upgrades = read_upgrades(directory / "upgrades");
    migrations.schema = migrations.upgrades.back();
    migrations.schema.sql.clear();
    for (const fs::path& file : sql_files(directory / "schema")) migrations.schema.sql += read_file(file);
    return migrations;
}

Migrations own_migrations(const fs::path& directory) {
    Migrations migrations = read_migrations(directory);
    const int last = migrations.schema.version;
    if (last == schema_version) return migrations;
    throw MigrationError(directory.string() + " ends with migration " + std::to_string(last) +
                         ", and this program needs " + std::to_string(schema_version) +
                         ": install, or build, both in one version");
}

MigrationComparison compare_migrations(const Migrations& available,
                                       const std::vector<AppliedMigration>& applied) {
    if (applied.empty()) return {.pending = {available.schema}, .newer = {}};
    const AppliedMigration& last = applied.back();
    need_released_version(last);
    MigrationComparison comparison;
    for (const Migration& upgrade : available.upgrades) {
        if (upgrade.version > last.version) comparison.pending.push_back(upgrade);
        for (const AppliedMigration& row : applied) {
            if (row.version == upgrade.version) need_same_content(upgrade, row);
        }
    }
    std::copy_if(applied.begin(), applied.end(), std::back_inserter(comparison.newer),
                 [&](const AppliedMigration& row) { return row.version > available.schema.version; });
    return comparison;
}

std::string describe_newer(const std::vector<AppliedMigration>& newer) {
    const auto name = [](const AppliedMigration& row) {
        return std::to_string(row.version) + " " + row.name;
    };
    return util::joined(newer, name) + "; it works with the tables of the version after it";
}

std::vector<Migration> pending_migrations(const Migrations& available,
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
        after_deadlocks([&] {
            database.transaction([&] { applied = apply_alone(database, migration, deadline); }, deadline);
        });
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

// The SQL files of sql/, and the table of the migrations that a database has. sql/schema/ creates the newest
// schema in a new database, without the upgrades; sql/upgrades/ lead databases of earlier versions to the
// same schema.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "data/database/database.h"

namespace data_import::store {

/// A file `NNNN-name.sql` of sql/upgrades/, or the whole schema, which has the version, name and hash of the
/// last upgrade.
struct Migration {
    int version = 0;
    std::string name;
    std::string sql;
    std::string sha256;  ///< hash of the file, lower-case hexadecimal
};

/// A row of data_import.schema_migration.
struct AppliedMigration {
    int version = 0;
    std::string name;
    std::string sha256;
    std::string applied_at;  ///< RFC 3339
};

/// Files and database do not fit together. `what()` is a sentence that says what to do.
class MigrationError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The SQL files of a directory like sql/.
struct Migrations {
    Migration schema;  ///< makes the newest schema in an empty database, without the upgrades
    /// The upgrades in the order of their versions, without gaps; the first one upgrades the schema of 1.0.0.
    std::vector<Migration> upgrades;
};

/// Reads the SQL files in the folders `schema` and `upgrades` of the directory. Throws MigrationError if one
/// of the folders cannot be read, or has no such file. Also throws it if versions of `upgrades` are missing
/// or come twice, or the name of a file does not have the form `NNNN-name.sql`.
[[nodiscard]] Migrations read_migrations(const std::filesystem::path& directory);

/// Reads the files as read_migrations() does. Throws MigrationError also if the last upgrade has another
/// version than `schema_version`, which this program needs.
[[nodiscard]] Migrations own_migrations(const std::filesystem::path& directory);

/// The differences between files and database.
struct MigrationComparison {
    std::vector<Migration> pending;       ///< migrations that the database lacks: the schema, or upgrades
    std::vector<AppliedMigration> newer;  ///< migrations of the database that are newer than the files
};

/// Compares the files (`available`) with the migrations of the database (`applied`, ordered by version).
/// Throws MigrationError if the file of a version has changed since it was applied, or the database is older
/// than the first release.
[[nodiscard]] MigrationComparison compare_migrations(const Migrations& available,
                                                     const std::vector<AppliedMigration>& applied);

/// Returns the versions and names of the migrations `newer`, then a fixed remark. Example for the migration
/// 27 with the name `next`: `27 next; it works with the tables of the version after it`. In the remark, `it`
/// is this program. `newer` must not be empty.
[[nodiscard]] std::string describe_newer(const std::vector<AppliedMigration>& newer);

/// Returns the migrations that the database lacks. Throws MigrationError as compare_migrations() does, and if
/// the database has a version that is not available (it is newer than this program).
[[nodiscard]] std::vector<Migration> pending_migrations(const Migrations& available,
                                                        const std::vector<AppliedMigration>& applied);

/// Returns whether the database has the schema data_import, which set_up_schema() makes.
[[nodiscard]] bool has_schema(database::Database& database, database::Deadline deadline);

/// Returns the applied migrations by version; none if the table is missing.
[[nodiscard]] std::vector<AppliedMigration> applied_migrations(database::Database& database,
                                                               database::Deadline deadline);

/// Waits for migrations that run elsewhere. Then applies one migration and adds its row, in one transaction.
/// Returns false if the database has this migration, or a later one, after the wait. Throws MigrationError if
/// the migration fails, for example because it has waited for a lock of another transaction for over 5 s.
bool apply_migration(database::Database& database, const Migration& migration, database::Deadline deadline);

}  // namespace data_import::store

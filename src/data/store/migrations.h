// The migrations of sql/, and the table of the applied ones.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "data/database/database.h"

namespace data_import::store {

/// One file `NNNN-name.sql`.
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

/// Files and database do not fit together; `what()` is a sentence that says what to do.
class MigrationError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The migrations of a directory by version, without gaps from 1 on. Throws MigrationError when the directory
/// cannot be read, holds none, a gap, a version twice, or an SQL file with another form of name.
[[nodiscard]] std::vector<Migration> read_migrations(const std::filesystem::path& directory);

/// The same, where the last one is that of schema_version.h. Throws MigrationError when it is another one.
[[nodiscard]] std::vector<Migration> own_migrations(const std::filesystem::path& directory);

/// The differences between files and database.
struct MigrationComparison {
    std::vector<Migration> pending;       ///< that the database still lacks
    std::vector<AppliedMigration> newer;  ///< that it has beyond the files
};

/// Throws MigrationError when the file of a version was other when it was applied.
[[nodiscard]] MigrationComparison compare_migrations(const std::vector<Migration>& available,
                                                     const std::vector<AppliedMigration>& applied);

/// The description of migrations that are newer than this program, at least one: `27 next; it works with the
/// tables of the version after it`.
[[nodiscard]] std::string describe_newer(const std::vector<AppliedMigration>& newer);

/// The migrations that the database still lacks and that are to be applied. Throws MigrationError as above,
/// and when the database has a version that is not available (it is newer than this program).
[[nodiscard]] std::vector<Migration> pending_migrations(const std::vector<Migration>& available,
                                                        const std::vector<AppliedMigration>& applied);

/// Whether the database has the schema data_import, which its set-up makes.
[[nodiscard]] bool has_schema(database::Database& database, database::Deadline deadline);

/// The applied migrations by version; none where the table is missing.
[[nodiscard]] std::vector<AppliedMigration> applied_migrations(database::Database& database,
                                                               database::Deadline deadline);

/// Applies one migration in one transaction, its row included; waits for migrations that run elsewhere. False
/// when the database has it by then. Throws MigrationError when another transaction holds a lock that it
/// needs for over 5 s.
bool apply_migration(database::Database& database, const Migration& migration, database::Deadline deadline);

}  // namespace data_import::store

// The rights of the roles on the service's schemas. Each role must have the rights that sql/schema/ grants,
// and no other rights. On Citus, readers of the platform's views also need rights on the tables of the views.
// The functions need a database that is migrated to this version.
#pragma once

#include <string>
#include <vector>

#include "data/database/database.h"
#include "data/store/migrations.h"

namespace data_import::store {

/// Returns the GRANT statements of the schema, in their order, each in one line and without its semicolon.
[[nodiscard]] std::vector<std::string> grants_of(const Migration& schema);

/// Missing and excessive rights as words: `role data-import lacks EXECUTE on function
/// data_import.notes_import`.
struct RightsDiagnosis {
    std::vector<std::string> missing;
    std::vector<std::string>
        excessive;  ///< rights that PUBLIC or a role other than the owner has and should not have
    std::vector<std::string> revocations;  ///< the statements that revoke them
};
[[nodiscard]] RightsDiagnosis diagnose_rights(database::Database& database, const Migration& schema,
                                              database::Deadline deadline);

/// Grants the missing rights and revokes the excessive ones. Does so in one transaction, so that no request
/// fails meanwhile. `database` is a session of the owner. Returns false if nothing was wrong.
bool restore_rights(database::Database& database, const Migration& schema, database::Deadline deadline);

}  // namespace data_import::store

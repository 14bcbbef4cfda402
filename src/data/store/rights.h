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
    /// The statements that revoke the rights in `excessive`. A right on several objects of one name, such as
    /// overloaded functions, needs several statements.
    std::vector<std::string> revocations;
};
[[nodiscard]] RightsDiagnosis diagnose_rights(database::Database& database, const Migration& schema,
                                              database::Deadline deadline);

/// Grants the rights that roles lack on the service's schemas, and revokes the excessive rights. Returns
/// false if no right was missing or excessive. `schema` has the GRANT statements that say which rights roles
/// must have. `database` is a session of the role data-import-owner.
///
/// All grants and revocations are in one transaction, so that no request fails meanwhile.
bool restore_rights(database::Database& database, const Migration& schema, database::Deadline deadline);

}  // namespace data_import::store

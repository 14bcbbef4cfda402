// The rights of the roles on the service's schemas: what sql/schema/ grants is what each role needs, and none
// has others. On Citus readers of the platform's views also need rights on the tables behind them. Needs the
// schemas of this version.
#pragma once

#include <string>
#include <vector>

#include "data/database/database.h"
#include "data/store/migrations.h"

namespace data_import::store {

/// The GRANT statements of the schema, in their order, each in one line and without its semicolon.
[[nodiscard]] std::vector<std::string> grants_of(const Migration& schema);

/// As words: `role data-import lacks EXECUTE on function data_import.notes_import`.
struct RightsDiagnosis {
    std::vector<std::string> missing;
    std::vector<std::string> excessive;    ///< of any role but the owner, and of everybody
    std::vector<std::string> revocations;  ///< the statements that take them away
};
[[nodiscard]] RightsDiagnosis diagnose_rights(database::Database& database, const Migration& schema,
                                              database::Deadline deadline);

/// Gives the roles the rights that they lack, and takes from all roles those that they must not have, in
/// one transaction, so that requests of meanwhile fail for none. `database` is a session of the owner. False
/// if nothing was wrong.
bool restore_rights(database::Database& database, const Migration& schema, database::Deadline deadline);

}  // namespace data_import::store

// Acts of operators on suppliers, for data-importctl and the page of operators. Each act makes the change and
// its entry in the audit history, and returns the id of the entry. Each act has to be called in a
// transaction.
//
// A caller that reads the supplier before the act calls `lock_supplier` first, so that nobody else acts on
// the supplier in between.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "data/database/database.h"
#include "data/store/operator.h"
#include "data/store/progress.h"
#include "data/store/suppliers.h"

namespace data_import::store {

/// Locks the supplier against other acts until the transaction ends. Returns false if there is no such
/// supplier.
bool lock_supplier(database::Database& database, const std::string& code, database::Deadline deadline);

/// Adds a supplier, and returns the id of the entry in the audit history. Returns nothing, and adds no entry,
/// if a supplier has this code already.
std::optional<std::int64_t> add_supplier(database::Database& database, const Supplier& supplier,
                                         const Operator& by, database::Deadline deadline);

/// Sets the supplier's status to `status`, which has to differ from the status in `before`. Returns the id of
/// the entry in the audit history. `remark` is appended to the text of this entry. When a migration is
/// completed, `remark` says what was still unfinished.
std::int64_t set_status(database::Database& database, const Supplier& before, const std::string& status,
                        const std::string& remark, const Operator& by, database::Deadline deadline);

/// Sets the last day on which the migration should end (YYYY-MM-DD); nothing: no such day.
std::int64_t plan_end(database::Database& database, const std::string& code,
                      const std::optional<std::string>& planned_end, const Operator& by,
                      database::Deadline deadline);

/// Returns the acknowledged figures as text: `3 failed, 20 refused`.
[[nodiscard]] std::string acknowledged_text(const Acknowledgement& figures);

/// Acknowledges `figures` of the supplier with this code; if `figures` is nothing, takes the acknowledgement
/// back. Returns the id of the entry in the audit history.
std::int64_t acknowledge(database::Database& database, const std::string& code,
                         std::optional<Acknowledgement> figures, const Operator& by,
                         database::Deadline deadline);

}  // namespace data_import::store

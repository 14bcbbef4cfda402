// Acts of operators on suppliers, which data-importctl and the page of operators do alike: the change, and
// its entry in the audit history. Each has to be called in a transaction, and returns the id of the entry. A
// caller that looks first takes `lock_supplier`: then nobody else acts on the supplier meanwhile.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "data/database/database.h"
#include "data/store/operator.h"
#include "data/store/progress.h"
#include "data/store/suppliers.h"

namespace data_import::store {

/// Returns false if there is no such supplier.
bool lock_supplier(database::Database& database, const std::string& code, database::Deadline deadline);

/// Returns nothing if there is one of that code, which stays as it is.
std::optional<std::int64_t> add_supplier(database::Database& database, const Supplier& supplier,
                                         const Operator& by, database::Deadline deadline);

/// Gives the supplier another status than it has. `remark` completes the entry: what was left at the end.
std::int64_t set_status(database::Database& database, const Supplier& before, const std::string& status,
                        const std::string& remark, const Operator& by, database::Deadline deadline);

/// Sets the last planned day (YYYY-MM-DD); nothing: none.
std::int64_t plan_end(database::Database& database, const std::string& code,
                      const std::optional<std::string>& planned_end, const Operator& by,
                      database::Deadline deadline);

/// Returns `3 failed, 20 refused`: the figures that were acknowledged.
[[nodiscard]] std::string acknowledged_text(const Acknowledgement& figures);

/// Acknowledges these figures for a reason; with nothing, takes the acknowledgement back.
std::int64_t acknowledge(database::Database& database, const std::string& code,
                         std::optional<Acknowledgement> figures, const Operator& by,
                         database::Deadline deadline);

}  // namespace data_import::store

// Import suppliers as operators manage them (contract, section 1.2).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/call.h"
#include "data/database/database.h"
#include "data/database/rows.h"

namespace data_import::store {

/// The statuses of a supplier's migration.
inline constexpr std::array<std::string_view, 3> supplier_statuses = {"Ongoing", "Paused", "Complete"};

struct Supplier {
    std::string code;
    std::string name;
    std::string status;  ///< one of supplier_statuses
    std::string document_root;
    std::string created_at;         ///< RFC 3339
    std::string status_since = {};  ///< RFC 3339
    /// The operator who has set the status; nothing: the status is still the one at the supplier's creation.
    std::optional<std::string> status_by = {};
    std::optional<std::string> planned_end = {};  ///< YYYY-MM-DD: planned last day of the migration
    /// The number of failed accounts, or of refusals in an hour, that calls for attention.
    std::int64_t attention = 1;
    /// The number of days from the supplier's completion to the erasure of its accounts; nothing: they stay.
    std::optional<std::int64_t> erase_after_days = {};
    std::optional<std::string> erase_at = {};  ///< RFC 3339: when the erasure is due; nothing unless Complete
};

/// The new values. A value stays as it is if its member is nothing.
struct SupplierChange {
    std::optional<std::string> status;
    std::optional<std::string> name;
    std::optional<std::string> document_root;
    std::optional<std::string> attention = {};
    /// Number of days from the status `Complete` to the automatic erasure of the supplier's accounts. An
    /// empty text means that no automatic erasure takes place.
    std::optional<std::string> erase_after_days = {};
};

/// Creates a supplier with these code, name, status and document_root. Returns false, and changes nothing, if
/// a supplier has this code already.
bool create_supplier(database::Database& database, const Supplier& supplier, database::Deadline deadline);
/// Changes a supplier. Returns false if there is none of this code.
bool change_supplier(database::Database& database, const std::string& code, const SupplierChange& change,
                     const std::string& author, database::Deadline deadline);
/// Removes a supplier. Returns false if there is none of this code. Throws database::Refused if it has
/// accounts or other data.
bool remove_supplier(database::Database& database, const std::string& code, database::Deadline deadline);
/// Returns all suppliers, ordered by code.
[[nodiscard]] std::vector<Supplier> list_suppliers(database::Database& database, database::Deadline deadline);
/// Returns the supplier with this code; nothing if there is none.
[[nodiscard]] std::optional<Supplier> find_supplier(database::Database& database, const std::string& code,
                                                    database::Deadline deadline);

/// Finds the suppliers with these codes, in the order of the codes; leaves out unknown codes.
[[nodiscard]] database::Call find_suppliers(const std::set<std::string, std::less<>>& codes);
[[nodiscard]] std::vector<Supplier> read_suppliers(const database::Rows& rows);

}  // namespace data_import::store

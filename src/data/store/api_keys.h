// API keys as operators manage them (contract, section 6.2), and the numbers of records that were imported
// with them. Every change writes its event (store/access_events.h) in the same transaction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/database.h"
#include "data/store/operator.h"

namespace data_import::store {

struct ApiKey {
    std::string id;
    std::string organisation;
    std::vector<std::string> suppliers;  ///< codes of the suppliers that the key may import for, in order
    std::string created_at;              ///< RFC 3339
    std::string created_by;              ///< system user
    std::optional<std::string> revoked_at;
    std::optional<std::string> revoked_by;
    std::optional<std::string> last_used_on;  ///< YYYY-MM-DD; nothing: the key was never used
};

/// The outcome of setting a scope. If codes are unknown, nothing was stored.
struct ScopeResult {
    std::string id;  ///< id of the key; empty if nothing was stored
    std::vector<std::string> unknown_suppliers;
    std::int64_t event = 0;  ///< id of the event that create_api_key() wrote; 0 after set_api_key_scope()
};

/// Creates a key, and stores only its digest `sha256_hex`. `suppliers` has the codes of the suppliers that
/// the key may import for; a code that stands there several times counts once.
ScopeResult create_api_key(database::Database& database, const std::string& organisation,
                           const std::string& sha256_hex, const std::vector<std::string>& suppliers,
                           const Operator& by, database::Deadline deadline);

/// Replaces the scope of the key. If there is no valid key of that id, the result has an empty id and no
/// unknown suppliers.
ScopeResult set_api_key_scope(database::Database& database, const std::string& id,
                              const std::vector<std::string>& suppliers, const Operator& by,
                              database::Deadline deadline);

struct Revocation {
    bool is_known = false;                   ///< there is such a key
    std::optional<std::int64_t> event = {};  ///< id of the event; nothing: this call did not revoke a key
};
/// Revokes a key. A key that was revoked before stays as it is.
Revocation revoke_api_key(database::Database& database, const std::string& id, const Operator& by,
                          database::Deadline deadline);

/// Lists all keys in the order of their ids, the oldest first.
[[nodiscard]] std::vector<ApiKey> list_api_keys(database::Database& database, database::Deadline deadline);
[[nodiscard]] std::optional<ApiKey> find_api_key(database::Database& database, const std::string& id,
                                                 database::Deadline deadline);

/// Records that an operator issued a token for the key, which counts as a use of it.
void record_issued_token(database::Database& database, const std::string& id, const Operator& by,
                         database::Deadline deadline);

/// An API key with which records of a supplier were imported.
struct ImportingKey {
    std::string api_key_id;
    std::optional<std::string> organisation;  ///< the key's organisation; nothing: there is no such key
    std::optional<std::string> revoked_at;    ///< RFC 3339, as the times below
    std::int64_t records = 0;  ///< number of the supplier's stored records that came with the key
    std::string first_at;      ///< time at which the first record that came with the key was stored
    std::string last_at;       ///< time at which the last record that came with the key was stored
};

/// Lists the keys with which records of the supplier were imported, in the order of their ids. Slow: reads
/// all records of all suppliers.
[[nodiscard]] std::vector<ImportingKey> list_importing_keys(database::Database& database,
                                                            std::string_view import_supplier,
                                                            database::Deadline deadline);

}  // namespace data_import::store

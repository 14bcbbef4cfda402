// Finds the database and the functions that carry out an import. The database is the service's own or, after
// `data-importctl db distribute`, the node of Citus that has the account's shard group
// (sql/schema/33-shard-groups.sql).
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/database.h"
#include "data/store/import.h"

namespace data_import::store {

/// The database and the functions that carry out an import.
struct Place {
    database::Database* database;
    std::string schema;  ///< schema of the import functions

    [[nodiscard]] bool operator==(const Place& other) const = default;
};

/// A server of Citus that has shard groups.
struct Node {
    std::string host;
    int port;
};

/// Finds all nodes; none if nothing is distributed.
[[nodiscard]] std::vector<Node> find_nodes(database::Database& database, database::Deadline deadline);

/// Returns the hash by which Citus spreads account keys: PostgreSQL's uuid_hash of 32 hexadecimal digits.
/// Throws std::invalid_argument for anything else.
[[nodiscard]] std::int32_t hash_of_account(std::string_view account_key);

/// The map of the shard groups: it tells the place of each account. Not for use by several threads. The map
/// is read again every ten seconds, and after a node has refused an account that it does not have.
///
/// An old map does no harm, because a node stores nothing for an account that it does not have.
class ShardGroups {
public:
    /// `database` has to outlive this object; `options` are those with which `database` was made.
    ShardGroups(database::Database& database, const database::Options& options);

    /// Returns the service's database, for calls that need more than the rows of one account.
    [[nodiscard]] Place coordinator() const { return {&database_, std::string(own_schema)}; }
    /// Returns the place of an account; the coordinator if nothing is distributed, or nothing is known yet.
    /// Throws nothing.
    [[nodiscard]] Place place_of(std::string_view account_key, database::Deadline deadline);
    /// Returns whether a call at `node` has failed because its shard group has moved; `failure` is what the
    /// call has thrown. True: the call has stored nothing, the next place_of() reads the map again, and the
    /// call has to be made again at the new place. False also if the node cannot be reached: then place_of()
    /// reads the map again as soon as the last reading is one second old.
    bool has_moved(const database::Database& node, const std::exception& failure);
    /// Returns whether accounts are distributed over nodes of Citus. If the database cannot tell at present,
    /// returns what it told last. Throws nothing.
    [[nodiscard]] bool are_there(database::Deadline deadline);
    /// Calls `work` with the place of an account. If the account's shard group has moved meanwhile, calls
    /// `work` again with the new place; makes three calls at most. Throws what `work` throws.
    void at_place(std::string_view account_key, database::Deadline deadline,
                  const std::function<void(const Place&)>& work);

private:
    struct Group {
        std::int32_t first_hash;
        std::int32_t last_hash;
        Place place;
    };

    void look(database::Deadline deadline);
    [[nodiscard]] database::Database& node(const std::string& host, int port);

    database::Database& database_;
    database::Options options_;
    std::vector<Group> groups_ = {};  ///< all shard groups, in the order of their hashes
    /// Databases by their connection parameters.
    std::map<std::string, std::unique_ptr<database::Database>> nodes_ = {};
    std::chrono::steady_clock::time_point looked_at_ = {};
    std::chrono::steady_clock::time_point next_look_ = {};
};

}  // namespace data_import::store

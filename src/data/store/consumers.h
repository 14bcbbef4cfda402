// Consumers: programs of the platform that take what is new (sql/schema/26-consumers.sql).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/database.h"

namespace data_import::store {

struct Consumer {
    std::string name;
    std::string begins;                                      ///< `now` or `beginning`
    std::optional<std::vector<std::string>> suppliers = {};  ///< by code; nothing: all
    std::string added_at = {};                               ///< RFC 3339
    std::string added_by;                                    ///< system user
    bool is_ready = false;                                   ///< its adding is finished
};

/// The progress of a consumer with one supplier.
struct ConsumerProgress {
    Consumer consumer;
    /// Empty: market participants; nothing: the consumer has no news yet.
    std::optional<std::string> import_supplier = {};
    std::int64_t waiting = 0;  ///< accounts
    std::optional<std::string> oldest_waiting_since = {};
    std::int64_t oldest_waiting_seconds = 0;  ///< 0: none waits
    std::int64_t accounts_taken = 0;
    std::int64_t records_taken = 0;
    std::optional<std::string> taken_at = {};  ///< the last time
};

/// Finds the progress of all consumers, by name and supplier.
[[nodiscard]] database::Call find_consumer_progress();
[[nodiscard]] std::vector<ConsumerProgress> read_consumer_progress(const database::Rows& rows);

/// Delivers news to consumers. All sessions of an installation call it every two seconds: one does a bounded
/// part of the work, the others are answered at once. True: there is more, so call it again.
[[nodiscard]] database::Call deliver_news();

[[nodiscard]] std::optional<Consumer> find_consumer(database::Database& database, const std::string& name,
                                                    database::Deadline deadline);

// A consumer is added in four stages. (1) `add_consumer`. (2) A wait until all of the `running_imports` that
// ran after its commit have ended. (3) `fill_consumer`, if it begins at the beginning, until it finds no more
// accounts. (4) `make_consumer_ready`. All but the first may be done again.

/// Adds a consumer; its name, beginning, suppliers and `added_by` count. Returns false if there is one of
/// that name, which stays as it is.
bool add_consumer(database::Database& database, const Consumer& consumer, database::Deadline deadline);
/// Lists the running transactions that may be imports, as texts. Each begins with the number of its process
/// and ends with a word that is its own.
[[nodiscard]] std::vector<std::string> running_imports(database::Database& database,
                                                       database::Deadline deadline);

inline constexpr std::string_view first_account_key = "00000000-0000-0000-0000-000000000000";
struct FilledAccounts {
    std::int64_t accounts = 0;
    std::string last_key = {};  ///< account_key of the last account; empty: there was none
};
/// Delivers the next accounts after a key.
[[nodiscard]] FilledAccounts fill_consumer(database::Database& database, const std::string& name,
                                           const std::string& after, std::size_t most,
                                           database::Deadline deadline);
void make_consumer_ready(database::Database& database, const std::string& name, database::Deadline deadline);

/// Returns false if there is none. Throws database::Refused if a session is taking accounts of the consumer.
bool remove_consumer(database::Database& database, const std::string& name, database::Deadline deadline);

}  // namespace data_import::store

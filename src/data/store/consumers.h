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
    bool is_ready = false;                                   ///< it was added to the end
};

/// How far a consumer is with one supplier.
struct ConsumerProgress {
    Consumer consumer;
    /// Empty: market participants; nothing: there are no news for the consumer yet.
    std::optional<std::string> import_supplier = {};
    std::int64_t waiting = 0;  ///< accounts
    std::optional<std::string> oldest_waiting_since = {};
    std::int64_t oldest_waiting_seconds = 0;  ///< 0: none waits
    std::int64_t accounts_taken = 0;
    std::int64_t records_taken = 0;
    std::optional<std::string> taken_at = {};  ///< the last time
};

/// By name and supplier.
[[nodiscard]] database::Call find_consumer_progress();
[[nodiscard]] std::vector<ConsumerProgress> read_consumer_progress(const database::Rows& rows);

/// Delivers news to consumers. To be called every two seconds by any sessions of an installation: one of them
/// does a bounded part of the work, the others are answered at once. True: there is more, call it again.
[[nodiscard]] database::Call deliver_news();

[[nodiscard]] std::optional<Consumer> find_consumer(database::Database& database, const std::string& name,
                                                    database::Deadline deadline);

// A consumer is added in four steps: `add_consumer`, a wait until none of `running_imports` of the time after
// its commit is left, `fill_consumer` as long as it finds accounts if it begins at the beginning, and
// `make_consumer_ready`. All but the first may be repeated.

/// Name, beginning, suppliers and `added_by` count. False when there is one of that name, which stays as it
/// is.
bool add_consumer(database::Database& database, const Consumer& consumer, database::Deadline deadline);
/// The transactions that may be imports and run now: texts, each of which begins with the number of its
/// process and ends with a word of its own.
[[nodiscard]] std::vector<std::string> running_imports(database::Database& database,
                                                       database::Deadline deadline);

inline constexpr std::string_view first_account_key = "00000000-0000-0000-0000-000000000000";
struct FilledAccounts {
    std::int64_t accounts = 0;
    std::string last_key = {};  ///< account_key of the last one; empty: there was none
};
/// Delivers the next accounts after a key.
[[nodiscard]] FilledAccounts fill_consumer(database::Database& database, const std::string& name,
                                           const std::string& after, std::size_t most,
                                           database::Deadline deadline);
void make_consumer_ready(database::Database& database, const std::string& name, database::Deadline deadline);

/// False when there is none. Throws database::Refused if a session is taking accounts of the consumer.
bool remove_consumer(database::Database& database, const std::string& name, database::Deadline deadline);

}  // namespace data_import::store

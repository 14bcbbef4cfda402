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
    /// The accounts that the consumer gets. With `now`, it gets only accounts with news after it was added;
    /// with `beginning`, also the accounts that were imported before.
    std::string begins;
    /// Codes of the suppliers whose news the consumer gets; nothing: the consumer gets the news of all
    /// suppliers.
    std::optional<std::vector<std::string>> suppliers = {};
    std::string added_at = {};  ///< RFC 3339
    std::string added_by;       ///< system user
    bool is_ready = false;      ///< the consumer has been added completely
};

/// The progress of a consumer with one supplier.
struct ConsumerProgress {
    Consumer consumer;
    /// The supplier's code. Empty: this is the progress with market participants. Nothing: the consumer has
    /// had no news yet.
    std::optional<std::string> import_supplier = {};
    /// The number of accounts (or market participants) with news that the consumer has not taken yet.
    std::int64_t waiting = 0;
    std::optional<std::string> oldest_waiting_since = {};
    std::int64_t oldest_waiting_seconds = 0;  ///< age of the oldest news that waits; 0: none waits
    std::int64_t accounts_taken = 0;
    std::int64_t records_taken = 0;
    std::optional<std::string> taken_at = {};  ///< time at which the consumer last took news
};

/// Finds the progress of each consumer with each supplier, in the order of consumers and suppliers.
[[nodiscard]] database::Call find_consumer_progress();
[[nodiscard]] std::vector<ConsumerProgress> read_consumer_progress(const database::Rows& rows);

/// Delivers news to consumers. Workers of all hosts call it every two seconds. Only one call works at a time,
/// and does a bounded part of the work; other calls return at once. The call's value is true if more is to be
/// delivered: then the call has to be made again.
[[nodiscard]] database::Call deliver_news();

[[nodiscard]] std::optional<Consumer> find_consumer(database::Database& database, const std::string& name,
                                                    database::Deadline deadline);

// A consumer is added in four stages. All stages but the first may be repeated.
//   1. Call `add_consumer`, and commit.
//   2. Wait until all imports that `running_imports` lists after this commit have ended.
//   3. If the consumer begins at the beginning, call `fill_consumer` until it finds no more accounts.
//   4. Call `make_consumer_ready`.

/// Adds a consumer with these `name`, `begins`, `suppliers` and `added_by`. Returns false, and changes
/// nothing, if a consumer has this name already.
bool add_consumer(database::Database& database, const Consumer& consumer, database::Deadline deadline);
/// Lists the running transactions that may be imports, each as a text that identifies it: process and virtual
/// transaction of PostgreSQL (`4711 5/1234`), on Citus with the id of the node in front.
[[nodiscard]] std::vector<std::string> running_imports(database::Database& database,
                                                       database::Deadline deadline);

/// A key that sorts before the keys of all accounts. The first call of fill_consumer() takes it as `after`.
inline constexpr std::string_view first_account_key = "00000000-0000-0000-0000-000000000000";
/// The accounts that a call of fill_consumer() has delivered.
struct FilledAccounts {
    std::int64_t accounts = 0;
    /// Account key of the last delivered account, which the next call gets as `after`. Empty: the call has
    /// found no account.
    std::string last_key = {};
};
/// Delivers to a consumer the next imported accounts, at most `most`, in the order of their keys. Begins with
/// the first key that is greater than `after`.
[[nodiscard]] FilledAccounts fill_consumer(database::Database& database, const std::string& name,
                                           const std::string& after, std::size_t most,
                                           database::Deadline deadline);
void make_consumer_ready(database::Database& database, const std::string& name, database::Deadline deadline);

/// Lists the suppliers whose accounts are to be erased within a day at the latest (erase_after_days), and are
/// kept only because this consumer has not taken them, or is not added completely; the codes in order.
[[nodiscard]] std::vector<std::string> list_waiting_erasures(database::Database& database,
                                                             const std::string& name,
                                                             database::Deadline deadline);
/// Removes a consumer. Returns false if there is none of this name. Throws database::Refused if a session has
/// taken accounts of the consumer and its transaction has not ended.
bool remove_consumer(database::Database& database, const std::string& name, database::Deadline deadline);

}  // namespace data_import::store

// The import log: requests that were refused, counted by day and kind, and the last ones of each account,
// without any content of theirs. Tables data_import.refused_request and account_refusal.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "database/database.h"
#include "store/account_name.h"
#include "util/datetime.h"

namespace data_import::store {

/// `code` of refusals of so many kinds that they are not kept apart.
inline constexpr std::string_view other_refusals = "other";

/// `item_code` of transactions that were sent again with other content; they were not refused, but they did
/// not change what is stored, either. Progress counts them, too.
inline constexpr std::string_view transaction_differs = "transaction_differs";

/// What refusals of one kind have in common.
struct RefusalKind {
    std::string import_supplier;  ///< empty: none is known
    std::string endpoint;         ///< path of its declaration; empty: the address has none
    int status = 0;               ///< 0: of several kinds
    std::string code;             ///< of the answer
    std::string item_code = {};   ///< of an item in its `errors`; empty: it had none
    std::string attr = {};        ///< of that item, indexes as `N`
    auto operator<=>(const RefusalKind&) const = default;
};

struct RefusalCount {
    std::int64_t count = 0;
    std::string sample_request_id = {};  ///< 32 hexadecimal digits; of the last one
    util::Instant last_at = {};
};

/// What a request was refused for in one place.
struct RefusedPlace {
    std::string code;  ///< of the item
    std::string attr;  ///< with its indexes; of a field that is not documented, the place around it
};

/// One request of an account.
struct Refusal {
    std::string request_id;  ///< 32 hexadecimal digits
    std::size_t line = 0;    ///< of a bulk request; 0: a request of its own
    std::string api_key_id;
    std::string endpoint;  ///< path of its declaration
    int status = 0;
    std::string code;                       ///< of the answer
    std::size_t error_count = 0;            ///< items in its `errors`
    std::vector<RefusedPlace> places = {};  ///< of the first of them
};

/// One that is to be kept.
struct AccountRefusal {
    std::string account_key;  ///< 32 hexadecimal digits
    util::Instant at = {};
    Refusal refusal;
};

/// Adds to what is there; of `last` nothing for accounts that are not known. Not to be repeated when its
/// outcome is unknown. Not both are empty.
[[nodiscard]] database::Call add_refusals(const std::map<RefusalKind, RefusalCount>& refusals,
                                          const std::vector<AccountRefusal>& last);
/// Whether `last` was kept, too; false: somebody else keeps some, or erases an account, hand them over again.
[[nodiscard]] bool read_are_last_kept(const database::Rows& rows);

/// What `list_refusals` looks for.
struct RefusalFilter {
    std::optional<std::string> import_supplier;
    std::optional<std::string> since;  ///< RFC 3339
    std::size_t most = 0;              ///< how many kinds at most
};

struct LoggedRefusal {
    RefusalKind kind;
    std::int64_t count = 0;  ///< over the days that are listed
    std::string sample_request_id;
    std::string last_at;  ///< RFC 3339
};

/// Kinds that occurred since then, the latest first, their counts those of the whole days (UTC) from that day
/// on.
[[nodiscard]] std::vector<LoggedRefusal> list_refusals(database::Database& database,
                                                       const RefusalFilter& filter,
                                                       database::Deadline deadline);

/// As many are kept of an account.
inline constexpr std::size_t max_account_refusals = 20;

/// One that was kept.
struct KeptRefusal {
    AccountName account;
    std::string at;  ///< RFC 3339
    Refusal refusal;
};

/// Which of them `list_last_refusals` looks for; one of the first two is given.
struct LastRefusalFilter {
    std::optional<std::string> external_account_number = {};
    std::optional<std::string> request_id = {};
    std::optional<std::string> import_supplier = {};
    std::optional<std::string> since = {};  ///< RFC 3339
    std::size_t most = 0;
};

/// The latest first.
[[nodiscard]] std::vector<KeptRefusal> list_last_refusals(database::Database& database,
                                                          const LastRefusalFilter& filter,
                                                          database::Deadline deadline);

/// Refusals of the last hour, by supplier and code of the item, or of the answer where it had none.
struct RecentRefusals {
    std::string import_supplier;  ///< empty: none is known
    std::string code;
    std::int64_t count = 0;
};

/// The most frequent ones; the hour may begin up to a minute earlier.
[[nodiscard]] database::Call find_recent_refusals(std::size_t most);
[[nodiscard]] std::vector<RecentRefusals> read_recent_refusals(const database::Rows& rows);

/// Kinds of refusals whose last request this is.
[[nodiscard]] std::vector<LoggedRefusal> list_refusals_of_sample(database::Database& database,
                                                                 const std::string& request_id,
                                                                 database::Deadline deadline);

}  // namespace data_import::store

// The import log: requests that were refused, counted by day and kind, without any content of theirs. Table
// data_import.refused_request.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "database/database.h"
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

/// Adds to what is there. Not to be repeated when its outcome is unknown. `refusals` is not empty.
[[nodiscard]] database::Call add_refusals(const std::map<RefusalKind, RefusalCount>& refusals);

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

}  // namespace data_import::store

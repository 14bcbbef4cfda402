// Events: changes of accounts and suppliers (sql/schema/06-events.sql).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/call.h"
#include "data/database/rows.h"

namespace data_import::store {

/// The place of a reader in a supplier's events: the reader has read all rows of data_import.event before
/// `place`, and the first `position` events of the row at `place`.
struct EventPlace {
    std::int64_t place = 0;
    std::int64_t position = 0;
    auto operator<=>(const EventPlace&) const = default;
};

/// A change of an account's state, or of the supplier's status.
struct Event {
    EventPlace place;            ///< place of a reader that has read up to this event
    bool is_of_account = false;  ///< a change of an account; if false, of the supplier
    std::string subject;         ///< the external account number, or the supplier's code
    /// The new state of the account: `staged`, `in_progress`, `failed` or `imported`. If `is_of_account` is
    /// false, the new status of the supplier: `Ongoing`, `Paused` or `Complete`.
    std::string state;
    std::optional<std::string> service_account_number;
    std::optional<std::string> reason;
    std::string at;  ///< RFC 3339
};

struct EventPage {
    enum class Verdict {
        done,
        expired,  ///< events after the place have been deleted, so that the reader would miss them
        unknown   ///< no event ever had this place
    };
    Verdict verdict = Verdict::done;
    std::vector<Event> events;
    EventPlace next;  ///< place for the next page
};

/// Finds up to `limit` events after a place, in the order in which they became visible; without a place, from
/// the oldest event kept. Once a place was returned, no new event appears before it.
[[nodiscard]] database::Call find_events(std::string_view import_supplier,
                                         const std::optional<EventPlace>& after, std::int64_t limit);
[[nodiscard]] EventPage read_events(const database::Rows& rows);

}  // namespace data_import::store

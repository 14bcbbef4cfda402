#include "data/store/events.h"

#include <stdexcept>

namespace data_import::store {

namespace {

enum Column : std::size_t {
    verdict,
    place,
    position,
    kind,
    subject,
    state,
    service_account_number,
    reason,
    at
};

EventPage::Verdict verdict_of(std::string_view text) {
    if (text == "done") return EventPage::Verdict::done;
    if (text == "expired") return EventPage::Verdict::expired;
    if (text == "unknown") return EventPage::Verdict::unknown;
    throw std::logic_error("an unknown verdict about events");
}

}  // namespace

database::Call find_events(std::string_view import_supplier, const std::optional<EventPlace>& after,
                           std::int64_t limit) {
    database::Call call{
        .name = "find_events",
        .sql =
            "SELECT verdict, place, position, kind, subject, state, service_account_number, "
            "reason, at FROM data_import.events($1, $2, $3, $4)",
        .parameters = {std::string(import_supplier), std::nullopt, std::nullopt, std::to_string(limit)}};
    if (after) {
        call.parameters[1] = std::to_string(after->place);
        call.parameters[2] = std::to_string(after->position);
    }
    return call;
}

// The last row of the answer is no event: it holds the verdict, and the place after which the next page
// begins if the answer has no events. If the answer has events, the next page begins after the last event.
EventPage read_events(const database::Rows& rows) {
    if (rows.size() == 0) throw std::logic_error("no verdict about events");
    const std::size_t last = rows.size() - 1;
    EventPage page{.verdict = verdict_of(rows.text(last, verdict)),
                   .events = {},
                   .next = {rows.integer(last, place), rows.integer(last, position)}};
    for (std::size_t row = 0; row < last; ++row) {
        page.next = {rows.integer(row, place), rows.integer(row, position)};
        if (!rows.optional_text(row, subject)) continue;  // the account was erased
        page.events.push_back({.place = page.next,
                               .is_of_account = rows.text(row, kind) == "account",
                               .subject = rows[row].text(subject),
                               .state = rows[row].text(state),
                               .service_account_number = rows.optional_text(row, service_account_number),
                               .reason = rows.optional_text(row, reason),
                               .at = rows[row].time(at)});
    }
    return page;
}

}  // namespace data_import::store

#include "verdict.h"

namespace data_import::soak {

namespace {

std::string described(const Entry& entry, const Stored& stored) {
    return std::string(entry.kind) + ' ' + entry.id + " at " + entry.place.account + ": " +
           std::to_string(stored.distinct) + " of " + std::to_string(entry.records) + " records in " +
           std::to_string(stored.records) + " rows, " + std::to_string(stored.details) + " of " +
           std::to_string(entry.details) + " details; last answer: " + entry.last_answer;
}

/// Compares `stored` with `entry`, and adds a difference to `verdict`. `entry` is the ledger's entry on a
/// request that was not refused. `stored` is what one account has of this request.
void compare_stored(const Entry& entry, const Stored& stored, Verdict& verdict) {
    if (!(stored.place == entry.place)) {
        verdict.unwanted.push_back("at " + stored.place.account + ": " + described(entry, stored));
    } else if (stored.records > stored.distinct) {
        verdict.doubled.push_back(described(entry, stored));
    } else if (stored.distinct != entry.records || stored.details != entry.details) {
        verdict.half.push_back(described(entry, stored));
    }
}

}  // namespace

void compare(const Entry& entry, const std::vector<Stored>& stored, Verdict& verdict) {
    for (const Stored& one : stored) {
        verdict.records += one.records;
        if (entry.state == State::refused)
            verdict.unwanted.push_back("refused: " + described(entry, one));
        else
            compare_stored(entry, one, verdict);
    }
    if (stored.empty() && entry.state == State::acknowledged && !is_removable(entry.place))
        verdict.missing.push_back(described(entry, {}));
    if (entry.state == State::open) verdict.open.push_back(described(entry, {}));
}

}  // namespace data_import::soak

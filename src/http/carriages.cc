#include "http/carriages.h"

#include <map>
#include <set>
#include <string_view>

namespace data_import::http {

namespace {

bool has_room_for(const Visit& visit, const Carriage& carriage) {
    const store::ImportFunction* function = visit.import().function;
    return carriage.front()->import().function == function && carriage.size() < function->most;
}

/// Where the imports for an account stand.
struct Seats {
    std::size_t behind = 0;               ///< the carriage behind its last one
    std::set<std::string_view> contents;  ///< of its imports in its last one
};

/// Whether a visit may travel with those before it for its account; then its content is among theirs.
bool joins(Seats& seats, const std::vector<Carriage>& carriages, const Visit& visit) {
    const std::string_view content = visit.import().content;
    return seats.behind > 0 && !content.empty() && has_room_for(visit, carriages[seats.behind - 1]) &&
           seats.contents.insert(content).second;
}

}  // namespace

// Accounts mostly bring the same kinds in the same order: theirs meet in the same calls.
std::vector<Carriage> carriages_of(std::span<Visit* const> visits) {
    std::vector<Carriage> carriages;
    std::map<std::string_view, Seats> accounts;
    for (Visit* const visit : visits) {
        Seats& seats = accounts[account_of(*visit)];
        if (!joins(seats, carriages, *visit)) {
            while (seats.behind < carriages.size() && !has_room_for(*visit, carriages[seats.behind]))
                ++seats.behind;
            if (seats.behind == carriages.size()) carriages.emplace_back();
            ++seats.behind;
            seats.contents = {visit->import().content};
        }
        carriages[seats.behind - 1].push_back(visit);
    }
    return carriages;
}

database::Call call_of(const Carriage& carriage) {
    std::vector<const store::Import*> imports;
    imports.reserve(carriage.size());
    for (const Visit* visit : carriage) imports.push_back(&visit->import());
    return store::together(imports, store::LockWait::none);
}

std::string_view account_of(const Visit& visit) {
    return visit.import().fields.front();
}

}  // namespace data_import::http

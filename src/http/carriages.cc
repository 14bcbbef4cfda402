#include "http/carriages.h"

#include <map>

namespace data_import::http {

// Accounts mostly bring the same kinds in the same order: theirs meet in the same calls.
std::vector<Carriage> carriages_of(std::span<Visit* const> visits) {
    std::vector<Carriage> carriages;
    std::map<std::string_view, std::size_t> behind;  // where the next import for an account may stand
    for (Visit* const visit : visits) {
        std::size_t& place = behind[account_of(*visit)];
        while (place < carriages.size() &&
               carriages[place].front()->import().function != visit->import().function)
            ++place;
        if (place == carriages.size()) carriages.emplace_back();
        carriages[place++].push_back(visit);
    }
    return carriages;
}

database::Call call_of(const Carriage& carriage) {
    std::vector<const store::Import*> imports;
    imports.reserve(carriage.size());
    for (const Visit* visit : carriage) imports.push_back(&visit->import());
    return store::together(imports, store::LockWait::brief);
}

std::string_view account_of(const Visit& visit) {
    return visit.import().fields.front();
}

}  // namespace data_import::http

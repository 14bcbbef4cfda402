#include "http/carriages.h"

#include "store/shared_calls.h"

namespace data_import::http {

namespace {

std::vector<const store::Import*> imports_of(std::span<Visit* const> visits) {
    std::vector<const store::Import*> imports;
    imports.reserve(visits.size());
    for (const Visit* visit : visits) imports.push_back(&visit->import());
    return imports;
}

}  // namespace

std::vector<Carriage> carriages_of(std::span<Visit* const> visits) {
    std::vector<Carriage> carriages;
    for (const std::vector<std::size_t>& places : store::shared_calls(imports_of(visits))) {
        Carriage& carriage = carriages.emplace_back();
        for (const std::size_t place : places) carriage.push_back(visits[place]);
    }
    return carriages;
}

database::Call call_of(const Carriage& carriage) {
    return store::together(imports_of(carriage));
}

std::string_view account_of(const Visit& visit) {
    return visit.import().fields.front();
}

}  // namespace data_import::http

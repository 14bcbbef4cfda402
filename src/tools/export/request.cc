#include "tools/export/request.h"

#include <algorithm>

#include "data/payload/imports.h"
#include "data/records/kinds.h"

namespace data_import::exports {

bool Request::has_kind(std::string_view kind) const {
    if (kinds.empty()) return records::find_kind(kind) != nullptr;
    return std::ranges::find(kinds, kind) != kinds.end();
}

bool Request::has_accounts() const {
    return kinds.empty() || std::ranges::any_of(kinds, [](const std::string& kind) {
               return records::find_kind(kind) != nullptr;
           });
}

std::vector<std::string> all_kinds() {
    std::vector<std::string> names;
    for (const records::Kind& kind : records::kinds()) names.emplace_back(kind.name);
    for (const payload::DeclaredImport& import : payload::imports()) {
        if (records::find_kind(import.stores) == nullptr) names.emplace_back(import.stores);
    }
    return names;
}

}  // namespace data_import::exports

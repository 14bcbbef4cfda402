#include "service/graphql/selection.h"

#include <utility>

namespace data_import::graphql {

std::vector<const SelectionSet*> FieldGroup::sets() const {
    std::vector<const SelectionSet*> sets;
    for (const Selection* field : fields) {
        if (!field->set.empty()) sets.push_back(&field->set);
    }
    return sets;
}

std::vector<FieldGroup> FieldCollector::collect(const std::vector<const SelectionSet*>& sets) {
    Collection collection;
    for (const SelectionSet* set : sets) add(collection, *set);
    return std::move(collection.groups);
}

void FieldCollector::add(Collection& collection, const SelectionSet& set) {
    for (const Selection& selection : set) {
        if (left_ == 0)
            throw TooMuchWork("The document asks for too much: fragments multiply its selections.");
        --left_;
        if (!is_taken_(selection)) continue;
        if (selection.kind == SelectionKind::inline_fragment) {
            add(collection, selection.set);
        } else if (selection.kind == SelectionKind::fragment_spread) {
            const Fragment* fragment = document_.find_fragment(selection.name.text);
            if (collection.seen.insert(fragment).second) add(collection, fragment->set);
        } else {
            const std::string_view key = selection.response_key();
            const auto [place, is_new] = collection.index.try_emplace(key, collection.groups.size());
            if (is_new) collection.groups.push_back({key, {}});
            collection.groups[place->second].fields.push_back(&selection);
        }
    }
}

}  // namespace data_import::graphql

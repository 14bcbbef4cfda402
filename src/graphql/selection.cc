#include "graphql/selection.h"

#include <utility>

namespace data_import::graphql {

std::vector<const SelectionSet*> FieldGroup::sets() const {
    std::vector<const SelectionSet*> sets;
    for (const Selection* field : fields) {
        if (!field->set.empty()) sets.push_back(&field->set);
    }
    return sets;
}

FieldCollector::FieldCollector(const Document& document, std::size_t most, Condition is_taken)
    : left_(most), is_taken_(std::move(is_taken)) {
    for (const Fragment& fragment : document.fragments) fragments_.emplace(fragment.name.text, &fragment);
}

std::vector<FieldGroup> FieldCollector::collect(const std::vector<const SelectionSet*>& sets) {
    Collection collection;
    for (const SelectionSet* set : sets) add(collection, *set);
    return std::move(collection.groups);
}

const Fragment* FieldCollector::find_fragment(std::string_view name) const {
    const auto found = fragments_.find(name);
    return found == fragments_.end() ? nullptr : found->second;
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
            const Fragment* fragment = find_fragment(selection.name.text);
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

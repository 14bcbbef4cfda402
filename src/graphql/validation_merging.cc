// Fields under one key of the answer have to be the same field with the same arguments (section 5.3.2).
//
// Selection sets are compared pair by pair: every set with itself, and those of two fields that will be
// merged with one another. A set takes in its inline fragments; a fragment that it spreads is compared with
// it as a set of its own. What was compared once is not compared again, and all comparisons together are
// limited, because without either they grow with the square of the document or worse.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "graphql/execute.h"
#include "graphql/validator.h"

namespace data_import::graphql {

namespace {

/// Comparing went on for too long.
class TooManyComparisons {};

/// A field where it is used.
struct FieldUse {
    const Selection* field;
    const NamedType* parent;            ///< nullptr: unknown
    const FieldDefinition* definition;  ///< nullptr: unknown

    [[nodiscard]] const NamedType* type() const {
        return definition == nullptr ? nullptr : definition->type.named;
    }
};

/// A selection set with its inline fragments taken in.
struct FieldSet {
    std::vector<std::string_view> keys;  ///< in order
    std::unordered_map<std::string_view, std::vector<FieldUse>> fields;
    std::vector<std::string_view> fragments;  ///< that it spreads, in order
    std::unordered_set<std::string_view> spread;
    std::map<std::string_view, bool> compared;  ///< fragments; true: only as mutually exclusive
};

/// Why two fields cannot be merged, and where the fields of either side stand.
struct Conflict {
    std::string_view key;
    std::string reason;
    std::vector<std::uint32_t> first;
    std::vector<std::uint32_t> second;
};

using Conflicts = std::vector<Conflict>;

bool is_block(const ValueNode& string) {
    return string.text.starts_with("\"\"\"");
}

bool same_value(const ValueNode& left, const ValueNode& right);

/// Their order does not count.
bool same_values(const std::vector<NamedValue>& left, const std::vector<NamedValue>& right) {
    if (left.size() != right.size()) return false;
    std::unordered_map<std::string_view, const ValueNode*> values;
    for (const NamedValue& value : right) values[value.name.text] = &value.value;
    return std::all_of(left.begin(), left.end(), [&](const NamedValue& value) {
        const auto other = values.find(value.name.text);
        return other != values.end() && same_value(value.value, *other->second);
    });
}

bool same_value(const ValueNode& left, const ValueNode& right) {
    if (left.kind != right.kind) return false;
    if (left.kind == ValueKind::string)
        return left.string == right.string && is_block(left) == is_block(right);
    if (left.kind == ValueKind::object) return same_values(left.fields, right.fields);
    if (left.kind == ValueKind::list)
        return std::equal(left.items.begin(), left.items.end(), right.items.begin(), right.items.end(),
                          same_value);
    return left.text == right.text;
}

/// Values of these types cannot stand under the same key.
bool types_conflict(TypeView left, TypeView right) {
    if (left.is_list() != right.is_list() || left.is_non_null() != right.is_non_null()) return true;
    if (!left.wraps.empty()) return types_conflict(left.inner(), right.inner());
    return (left.named->is_leaf() || right.named->is_leaf()) && left.named != right.named;
}

class MergingCheck {
public:
    explicit MergingCheck(const Subject& subject) : subject_(subject) {}

    /// `parent` is the type whose fields are selected; nullptr: unknown.
    void check(const SelectionSet& set, const NamedType* parent);

private:
    void check_below(const SelectionSet& set, const NamedType* parent);
    void report(const Conflicts& conflicts);
    void spend(std::size_t comparisons);

    [[nodiscard]] FieldSet& fields_of(const SelectionSet& set, const NamedType* parent);
    [[nodiscard]] FieldSet* fields_of_fragment(std::string_view name);
    void collect(const SelectionSet& set, const NamedType* parent, FieldSet& fields) const;
    [[nodiscard]] const NamedType* condition_type(const Selection& fragment, const NamedType* parent) const;

    void compare_within(const FieldSet& fields, Conflicts& conflicts);
    void compare(const FieldSet& left, const FieldSet& right, bool exclusive, Conflicts& conflicts);
    void compare_with_fragment(FieldSet& fields, std::string_view fragment, bool exclusive,
                               Conflicts& conflicts);
    void compare_fragments(std::string_view left, std::string_view right, bool exclusive,
                           Conflicts& conflicts);
    [[nodiscard]] bool is_compared(std::string_view left, std::string_view right, bool exclusive);
    void compare_fields(std::string_view key, const FieldUse& left, const FieldUse& right, bool exclusive,
                        Conflicts& conflicts);
    [[nodiscard]] Conflicts compare_sub_fields(const FieldUse& left, const FieldUse& right, bool exclusive);

    const Subject& subject_;
    std::size_t comparisons_ = 0;
    std::map<std::pair<const SelectionSet*, const NamedType*>, std::unique_ptr<FieldSet>> field_sets_;
    std::map<std::pair<std::string_view, std::string_view>, bool> compared_;  ///< true: only as exclusive
};

void MergingCheck::check(const SelectionSet& set, const NamedType* parent) {
    const bool is_single =
        set.selections.size() == 1 && set.selections.front().kind != SelectionKind::inline_fragment;
    if (!is_single) {
        FieldSet& fields = fields_of(set, parent);
        Conflicts conflicts;
        compare_within(fields, conflicts);
        for (std::size_t index = 0; index < fields.fragments.size(); ++index) {
            compare_with_fragment(fields, fields.fragments[index], false, conflicts);
            for (std::size_t next = index + 1; next < fields.fragments.size(); ++next)
                compare_fragments(fields.fragments[index], fields.fragments[next], false, conflicts);
        }
        report(conflicts);
    }
    check_below(set, parent);
}

/// An inline fragment is part of the set around it; only what its fields select is still to be checked.
void MergingCheck::check_below(const SelectionSet& set, const NamedType* parent) {
    for (const Selection& selection : set.selections) {
        if (selection.kind == SelectionKind::inline_fragment) {
            check_below(selection.set, condition_type(selection, parent));
        } else if (!selection.set.empty()) {
            const FieldDefinition* definition =
                parent == nullptr ? nullptr : subject_.types.field(*parent, selection.name.text);
            const NamedType* type = definition == nullptr ? nullptr : definition->type.named;
            check(selection.set, type != nullptr && type->kind == TypeKind::object ? type : nullptr);
        }
    }
}

void MergingCheck::report(const Conflicts& conflicts) {
    for (const Conflict& conflict : conflicts) {
        std::vector<std::uint32_t> offsets = conflict.first;
        offsets.insert(offsets.end(), conflict.second.begin(), conflict.second.end());
        subject_.violations.add("Fields with the key " + quoted(conflict.key) + " cannot be merged: " +
                                    conflict.reason + ". Give them different aliases.",
                                offsets);
    }
}

void MergingCheck::spend(std::size_t comparisons) {
    comparisons_ += comparisons;
    if (comparisons_ > max_field_comparisons) throw TooManyComparisons();
}

FieldSet& MergingCheck::fields_of(const SelectionSet& set, const NamedType* parent) {
    std::unique_ptr<FieldSet>& fields = field_sets_[{&set, parent}];
    if (!fields) {
        fields = std::make_unique<FieldSet>();
        collect(set, parent, *fields);
    }
    return *fields;
}

FieldSet* MergingCheck::fields_of_fragment(std::string_view name) {
    const Fragment* fragment = subject_.find_fragment(name);
    if (fragment == nullptr) return nullptr;
    return &fields_of(fragment->set, subject_.types.find(fragment->type_condition.text));
}

void MergingCheck::collect(const SelectionSet& set, const NamedType* parent, FieldSet& fields) const {
    for (const Selection& selection : set.selections) {
        if (selection.kind == SelectionKind::inline_fragment) {
            collect(selection.set, condition_type(selection, parent), fields);
        } else if (selection.kind == SelectionKind::fragment_spread) {
            if (fields.spread.insert(selection.name.text).second)
                fields.fragments.push_back(selection.name.text);
        } else {
            const FieldDefinition* definition =
                parent == nullptr ? nullptr : find_by_name(parent->fields, selection.name.text);
            auto& uses = fields.fields[selection.response_key()];
            if (uses.empty()) fields.keys.push_back(selection.response_key());
            uses.push_back({&selection, parent, definition});
        }
    }
}

const NamedType* MergingCheck::condition_type(const Selection& fragment, const NamedType* parent) const {
    return fragment.type_condition.empty() ? parent : subject_.types.find(fragment.type_condition.text);
}

void MergingCheck::compare_within(const FieldSet& fields, Conflicts& conflicts) {
    for (const std::string_view key : fields.keys) {
        const std::vector<FieldUse>& uses = fields.fields.at(key);
        for (std::size_t left = 0; left < uses.size(); ++left) {
            for (std::size_t right = left + 1; right < uses.size(); ++right)
                compare_fields(key, uses[left], uses[right], false, conflicts);
        }
    }
}

void MergingCheck::compare(const FieldSet& left, const FieldSet& right, bool exclusive,
                           Conflicts& conflicts) {
    spend(left.keys.size());
    for (const std::string_view key : left.keys) {
        const auto others = right.fields.find(key);
        if (others == right.fields.end()) continue;
        for (const FieldUse& use : left.fields.at(key)) {
            for (const FieldUse& other : others->second)
                compare_fields(key, use, other, exclusive, conflicts);
        }
    }
}

void MergingCheck::compare_with_fragment(FieldSet& fields, std::string_view fragment, bool exclusive,
                                         Conflicts& conflicts) {
    spend(1);
    const auto [compared, is_new] = fields.compared.emplace(fragment, exclusive);
    if (!is_new && (exclusive || !compared->second)) return;
    compared->second = exclusive;
    FieldSet* others = fields_of_fragment(fragment);
    if (others == nullptr || others == &fields) return;
    compare(fields, *others, exclusive, conflicts);
    for (const std::string_view next : others->fragments)
        compare_with_fragment(fields, next, exclusive, conflicts);
}

void MergingCheck::compare_fragments(std::string_view left, std::string_view right, bool exclusive,
                                     Conflicts& conflicts) {
    spend(1);
    if (left == right || is_compared(left, right, exclusive)) return;
    FieldSet* of_left = fields_of_fragment(left);
    FieldSet* of_right = fields_of_fragment(right);
    if (of_left == nullptr || of_right == nullptr) return;
    compare(*of_left, *of_right, exclusive, conflicts);
    for (const std::string_view next : of_right->fragments)
        compare_fragments(left, next, exclusive, conflicts);
    for (const std::string_view next : of_left->fragments)
        compare_fragments(next, right, exclusive, conflicts);
}

/// Remembers the pair. A pair that was compared without being exclusive was compared more strictly.
bool MergingCheck::is_compared(std::string_view left, std::string_view right, bool exclusive) {
    const auto [compared, is_new] = compared_.emplace(std::minmax(left, right), exclusive);
    if (is_new) return false;
    if (exclusive || !compared->second) return true;
    compared->second = false;
    return false;
}

void MergingCheck::compare_fields(std::string_view key, const FieldUse& left, const FieldUse& right,
                                  bool exclusive, Conflicts& conflicts) {
    spend(1);
    // One object is of one type only: fields of different types are never answered together.
    const bool of_different_types = left.parent != right.parent && left.parent != nullptr &&
                                    right.parent != nullptr && left.parent->kind == TypeKind::object &&
                                    right.parent->kind == TypeKind::object;
    exclusive = exclusive || of_different_types;
    const auto refuse = [&](std::string reason) {
        conflicts.push_back({key, std::move(reason), {left.field->offset}, {right.field->offset}});
    };
    if (!exclusive && left.field->name.text != right.field->name.text)
        return refuse("they are different fields");
    if (!exclusive && !same_values(left.field->arguments, right.field->arguments))
        return refuse("their arguments differ");
    if (left.definition != nullptr && right.definition != nullptr &&
        types_conflict(left.definition->type.view(), right.definition->type.view()))
        return refuse("their types differ");
    if (left.field->set.empty() || right.field->set.empty()) return;
    Conflicts below = compare_sub_fields(left, right, exclusive);
    if (below.empty()) return;
    Conflict conflict{key, "what they select cannot be merged", {left.field->offset}, {right.field->offset}};
    constexpr std::size_t most_places = 20;
    for (const Conflict& sub : below) {
        if (conflict.first.size() >= most_places) break;
        conflict.first.insert(conflict.first.end(), sub.first.begin(), sub.first.end());
        conflict.second.insert(conflict.second.end(), sub.second.begin(), sub.second.end());
    }
    conflicts.push_back(std::move(conflict));
}

Conflicts MergingCheck::compare_sub_fields(const FieldUse& left, const FieldUse& right, bool exclusive) {
    Conflicts conflicts;
    FieldSet& of_left = fields_of(left.field->set, left.type());
    FieldSet& of_right = fields_of(right.field->set, right.type());
    compare(of_left, of_right, exclusive, conflicts);
    for (const std::string_view fragment : of_right.fragments)
        compare_with_fragment(of_left, fragment, exclusive, conflicts);
    for (const std::string_view fragment : of_left.fragments)
        compare_with_fragment(of_right, fragment, exclusive, conflicts);
    for (const std::string_view of_one : of_left.fragments) {
        for (const std::string_view of_other : of_right.fragments)
            compare_fragments(of_one, of_other, exclusive, conflicts);
    }
    return conflicts;
}

}  // namespace

void check_merging(const Subject& subject) {
    MergingCheck check(subject);
    try {
        for (const Operation& operation : subject.document.operations)
            check.check(operation.set, subject.types.root(operation.kind));
        for (const Fragment& fragment : subject.document.fragments)
            check.check(fragment.set, subject.types.find(fragment.type_condition.text));
    } catch (const TooManyComparisons&) {
        subject.violations.add("The document uses the same keys too often to be checked.", {});
    }
}

}  // namespace data_import::graphql

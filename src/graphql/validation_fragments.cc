// Rules about fragments as a whole (section 5.5): used, without cycles, not nested too deep.
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "graphql/execute.h"
#include "graphql/validator.h"

namespace data_import::graphql {

namespace {

/// Measures how deep selection sets stand inside one another. What was measured once is remembered, so that
/// fragments that take in fragments cost no more than the document is long.
class NestingCheck {
public:
    explicit NestingCheck(const Subject& subject) : subject_(subject) {}

    /// False when the limit was passed; it has been reported then.
    [[nodiscard]] bool check() {
        const auto& document = subject_.document;
        const auto fits = [&](const auto& definition) { return height(definition.set, 1).has_value(); };
        return std::all_of(document.operations.begin(), document.operations.end(), fits) &&
               std::all_of(document.fragments.begin(), document.fragments.end(), fits);
    }

private:
    /// The levels in a set that stands on this level; nothing when the limit was passed.
    std::optional<std::size_t> height(const SelectionSet& set, std::size_t level) {
        std::size_t highest = 0;
        for (const Selection& selection : set.selections) {
            const auto below = selection.kind == SelectionKind::fragment_spread
                                   ? spread_height(selection, level)
                               : selection.set.empty() ? std::optional<std::size_t>(0)
                                                       : height(selection.set, level + 1);
            if (!below) return std::nullopt;
            if (level + *below > max_document_nesting) return refuse(selection);
            highest = std::max(highest, *below);
        }
        return highest + 1;
    }

    /// A fragment inside itself, which another rule reports, ends the measuring.
    std::optional<std::size_t> spread_height(const Selection& spread, std::size_t level) {
        const Fragment* fragment = subject_.find_fragment(spread.name.text);
        if (fragment == nullptr) return 0;
        const auto known = heights_.find(fragment);
        if (known != heights_.end()) return known->second;
        if (level >= max_document_nesting) return refuse(spread);
        heights_[fragment] = 0;
        const auto measured = height(fragment->set, level + 1);
        if (measured) heights_[fragment] = *measured;
        return measured;
    }

    std::nullopt_t refuse(const Selection& selection) {
        subject_.violations.add("With fragments taken in, the document is nested more than " +
                                    std::to_string(max_document_nesting) + " levels deep.",
                                {selection.offset});
        return std::nullopt;
    }

    const Subject& subject_;
    std::unordered_map<const Fragment*, std::size_t> heights_;
};

/// Goes through the fragments depth first, each one once.
class CycleCheck {
public:
    explicit CycleCheck(const Subject& subject) : subject_(subject) {}

    /// True when there are no cycles.
    [[nodiscard]] bool check() {
        for (const Fragment& fragment : subject_.document.fragments) visit(fragment);
        return !found_;
    }

private:
    void visit(const Fragment& fragment) {
        const std::string_view name = fragment.name.text;
        if (!visited_.insert(name).second) return;
        first_step_[name] = path_.size();
        for (const Selection* spread : spreads_in(fragment.set)) {
            path_.push_back(spread);
            const auto cycle = first_step_.find(spread->name.text);
            const Fragment* next = subject_.find_fragment(spread->name.text);
            if (cycle != first_step_.end()) {
                refuse(cycle->second);
            } else if (next != nullptr) {
                visit(*next);
            }
            path_.pop_back();
        }
        first_step_.erase(name);
    }

    void refuse(std::size_t first_step) {
        found_ = true;
        std::vector<std::uint32_t> offsets;
        for (std::size_t step = first_step; step < path_.size(); ++step)
            offsets.push_back(path_[step]->offset);
        subject_.violations.add("The fragment " + quoted(path_.back()->name.text) +
                                    " takes itself in, directly or through others.",
                                offsets);
    }

    const Subject& subject_;
    bool found_ = false;
    std::unordered_set<std::string_view> visited_;
    std::vector<const Selection*> path_;  ///< spreads from the first fragment to here
    std::unordered_map<std::string_view, std::size_t> first_step_;  ///< of the fragments on the path
};

/// Counts lists of introspection inside one another: each one multiplies the answer by the size of the
/// schema.
class IntrospectionDepthCheck {
public:
    explicit IntrospectionDepthCheck(const Subject& subject) : subject_(subject) {}

    void check(const SelectionSet& set) {
        for (const Selection& selection : set.selections) {
            const bool is_root = selection.kind == SelectionKind::field &&
                                 (selection.name.text == "__schema" || selection.name.text == "__type");
            seen_.clear();
            if (is_root && is_too_deep(selection, 0)) {
                subject_.violations.add(
                    "Lists of introspection stand too deep inside one another; at most two are "
                    "allowed.",
                    {selection.offset});
            } else {
                check(selection.set);
            }
        }
    }

private:
    static constexpr unsigned too_many_lists = 3;

    bool is_too_deep(const Selection& selection, unsigned lists) {
        if (selection.kind == SelectionKind::fragment_spread) {
            const Fragment* fragment = subject_.find_fragment(selection.name.text);
            if (fragment == nullptr || !seen_[lists].insert(fragment).second) return false;
            return is_too_deep(fragment->set, lists);
        }
        const std::string_view name = selection.name.text;
        const bool is_list =
            name == "fields" || name == "interfaces" || name == "possibleTypes" || name == "inputFields";
        const unsigned deeper = lists + (selection.kind == SelectionKind::field && is_list ? 1 : 0);
        return deeper >= too_many_lists || is_too_deep(selection.set, deeper);
    }

    bool is_too_deep(const SelectionSet& set, unsigned lists) {
        return std::any_of(set.selections.begin(), set.selections.end(),
                           [&](const Selection& selection) { return is_too_deep(selection, lists); });
    }

    const Subject& subject_;
    /// Fragments that were looked at below this number of lists.
    std::unordered_map<unsigned, std::unordered_set<const Fragment*>> seen_;
};

void refuse_unused(const Subject& subject) {
    std::unordered_set<std::string_view> used;
    std::vector<const SelectionSet*> sets;
    for (const Operation& operation : subject.document.operations) sets.push_back(&operation.set);
    for (std::size_t next = 0; next < sets.size(); ++next) {
        for (const Selection* spread : spreads_in(*sets[next])) {
            const Fragment* fragment = subject.find_fragment(spread->name.text);
            if (fragment != nullptr && used.insert(fragment->name.text).second)
                sets.push_back(&fragment->set);
        }
    }
    for (const Fragment& fragment : subject.document.fragments) {
        if (!used.contains(fragment.name.text))
            subject.violations.add("The fragment " + quoted(fragment.name.text) + " is not used.",
                                   {fragment.offset});
    }
}

}  // namespace

std::vector<const Selection*> spreads_in(const SelectionSet& set) {
    std::vector<const Selection*> spreads;
    std::vector<const SelectionSet*> waiting = {&set};
    while (!waiting.empty()) {
        const SelectionSet& next = *waiting.back();
        waiting.pop_back();
        for (const Selection& selection : next.selections) {
            if (selection.kind == SelectionKind::fragment_spread) {
                spreads.push_back(&selection);
            } else if (!selection.set.empty()) {
                waiting.push_back(&selection.set);
            }
        }
    }
    return spreads;
}

bool check_nesting(const Subject& subject) {
    return NestingCheck(subject).check();
}

bool check_fragments(const Subject& subject) {
    refuse_unused(subject);
    return CycleCheck(subject).check();
}

void check_introspection_depth(const Subject& subject) {
    IntrospectionDepthCheck check(subject);
    for (const Operation& operation : subject.document.operations) check.check(operation.set);
    for (const Fragment& fragment : subject.document.fragments) check.check(fragment.set);
}

}  // namespace data_import::graphql

// Collects the fields of selection sets (specification of October 2021, section 6.3.2). Private to the
// folder.
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "service/graphql/document.h"

namespace data_import::graphql {

/// Thrown when a limit of graphql/execute.h is reached. `what()` is a sentence for the client.
class TooMuchWork : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The fields that are answered under one key. The first field decides what is answered; the others add to
/// its selections.
struct FieldGroup {
    std::string_view key;
    std::vector<const Selection*> fields;

    /// Returns the selection sets of the group's fields.
    [[nodiscard]] std::vector<const SelectionSet*> sets() const;
};

/// Groups the fields of selection sets by response key, as if the fields of each fragment stood in its place.
/// The type condition of a fragment is ignored. It always holds in a valid document, because no object here
/// has more than one type.
class FieldCollector {
public:
    using Condition = std::function<bool(const Selection&)>;

    /// All calls of collect() together look at no more than `most` selections. They skip selections for which
    /// `is_taken` returns false. The document has to outlive the collector.
    FieldCollector(const ExecutableDocument& document, std::size_t most, Condition is_taken)
        : document_(document), left_(most), is_taken_(std::move(is_taken)) {}

    /// Groups the fields of `sets` by response key, and returns the groups in the order in which their keys
    /// first appear. Throws TooMuchWork if the constructor's limit `most` is reached. Throws what the
    /// constructor's callback `is_taken` throws.
    [[nodiscard]] std::vector<FieldGroup> collect(const std::vector<const SelectionSet*>& sets);

private:
    struct Collection {
        std::vector<FieldGroup> groups = {};
        /// Index in `groups` of each key's group.
        std::unordered_map<std::string_view, std::size_t> index = {};
        std::unordered_set<const Fragment*> seen = {};
    };

    void add(Collection& collection, const SelectionSet& set);

    const ExecutableDocument& document_;
    std::size_t left_;
    Condition is_taken_;
};

}  // namespace data_import::graphql

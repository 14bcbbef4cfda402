// Executing an operation (specification of October 2021, section 6). Private to the folder.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "graphql/coercion.h"
#include "graphql/document.h"
#include "graphql/execute.h"
#include "graphql/introspection.h"
#include "graphql/source_text.h"
#include "graphql/type_system.h"

namespace data_import::graphql {

/// A field that cannot be executed; `what()` is the sentence for the client.
class FieldFailure : public std::runtime_error {
public:
    FieldFailure(const std::string& message, std::string_view code, std::uint32_t offset)
        : std::runtime_error(message), code_(code), offset_(offset) {}

    [[nodiscard]] std::string_view code() const { return code_; }
    [[nodiscard]] std::uint32_t offset() const { return offset_; }

private:
    std::string_view code_;
    std::uint32_t offset_;
};

/// Execution came to a limit of graphql/execute.h.
class TooMuchWork : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The arguments of a field or directive as an object. `offset` is where it stands. Throws FieldFailure.
[[nodiscard]] Value coerce_arguments(const std::vector<InputDefinition>& definitions,
                                     const std::vector<NamedValue>& arguments, const Variables& variables,
                                     std::uint32_t offset);

/// The fields that are answered under one key: the first one counts, the others add to its selections.
struct FieldGroup {
    std::string_view key;
    std::vector<const Selection*> fields;
};

/// Groups the fields of selection sets, fragments taken in.
class FieldCollector {
public:
    /// All of them have to outlive the collector.
    FieldCollector(const TypeSystem& types, const Document& document, const Variables& variables);

    /// In the order in which the keys come first. Throws FieldFailure for a condition without a value, and
    /// TooMuchWork after too many selections in all calls together.
    [[nodiscard]] std::vector<FieldGroup> collect(const NamedType& type, const SelectionSet& set);
    [[nodiscard]] std::vector<FieldGroup> collect(const NamedType& type, const FieldGroup& parents);

private:
    struct Collection {
        const NamedType& type;
        std::vector<FieldGroup> groups = {};
        std::unordered_map<std::string_view, std::size_t> index = {};  ///< of the groups, by key
        std::unordered_set<const Fragment*> seen = {};

        FieldGroup& group(std::string_view key);
    };

    void add(Collection& collection, const SelectionSet& set);
    void add(Collection& collection, const Selection& selection);
    void add_fragment(Collection& collection, std::string_view name);
    [[nodiscard]] bool is_taken(const Selection& selection) const;
    [[nodiscard]] bool is_true(const Directive& directive) const;

    const TypeSystem& types_;
    const Variables& variables_;
    std::unordered_map<std::string_view, const Fragment*> fragments_;
    std::size_t visited_ = 0;
};

class Execution {
public:
    /// All of them have to outlive the execution.
    Execution(const TypeSystem& types, const Document& document, std::string_view text,
              const Variables& variables, const Resolver& resolve)
        : types_(types),
          locator_(text),
          resolve_(resolve),
          collector_(types, document, variables),
          variables_(variables) {}

    [[nodiscard]] Response run(const Operation& operation);

private:
    /// Where a value stands in the answer.
    struct Place {
        const Place* parent;
        std::variant<std::string_view, std::size_t> segment;
    };

    /// A field that is being answered.
    struct Call {
        const FieldGroup& group;
        const FieldDefinition& definition;
        const NamedType& type;  ///< that has the field
        const Place* place;
    };

    // Those that write append a value to `data_`. They return false when it would be null where null is not
    // allowed: what encloses it becomes null then. The error is recorded already.
    [[nodiscard]] bool write_object(const NamedType& type, const Source& source,
                                    const std::vector<FieldGroup>& groups, const Place* place);
    [[nodiscard]] bool write_field(const Call& call, const Source& source);
    [[nodiscard]] bool write(const Call& call, TypeView type, const Resolved& resolved, const Place* place);
    [[nodiscard]] bool write_present(const Call& call, TypeView type, const Resolved& resolved,
                                     const Place* place);
    template <typename Item>
    [[nodiscard]] bool write_list(const Call& call, TypeView item_type, const std::vector<Item>& items,
                                  const Place* place);
    void write_leaf(const NamedType& leaf, const Value& value);
    /// Takes back what was written since `start`; null where that is allowed.
    [[nodiscard]] bool write_null_instead(std::size_t start, TypeView type);

    [[nodiscard]] Resolved resolve(const Call& call, const Source& source);
    void count_field();
    using Offsets = std::vector<std::uint32_t>;

    /// Records an error; throws TooMuchWork when there are `max_errors` already.
    void fail(const std::string& message, std::string_view code, const Offsets& offsets, const Place* place);
    void record(const std::string& message, std::string_view code, const Offsets& offsets,
                const Place* place);

    const TypeSystem& types_;
    Locator locator_;
    const Resolver& resolve_;
    FieldCollector collector_;
    const Variables& variables_;
    std::vector<Error> errors_;
    std::string data_;
    Value root_value_;  ///< what the resolver gave for the root field that is being answered
    std::size_t answered_ = 0;
};

}  // namespace data_import::graphql

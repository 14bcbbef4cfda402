// Turns literals and JSON into values of a type (specification of October 2021, sections 3.5 to 3.12, 5.6 and
// 6.1.2). Private to the folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/json/value.h"
#include "service/graphql/data.h"
#include "service/graphql/document.h"
#include "service/graphql/types.h"

namespace data_import::graphql {

/// The values of an operation's variables. A variable that was not given and has no default value is not in
/// the list.
using Variables = std::vector<Member>;

/// One place of a document in which a variable is used.
struct VariableUse {
    std::string_view name;
    std::uint32_t offset;
    TypeView expected;
    bool has_default;  ///< the argument or input field has a default value of its own
};

using VariableUses = std::vector<VariableUse>;

/// Reads literals as values of a type. Throws LocatedError for a literal that is not of the type.
class LiteralReader {
public:
    /// Makes a reader for validation, in which variables have no values yet. It notes each use of a variable
    /// in `uses`, and reads the variable as null.
    explicit LiteralReader(VariableUses& uses) : uses_(&uses) {}
    /// Makes a reader for execution. It reads a variable without a value as null. An argument or field that
    /// consists of such a variable counts as not given.
    explicit LiteralReader(const Variables& variables) : variables_(&variables) {}

    /// Returns the value of `literal` as a value of `type`. `has_default` tells whether the argument or input
    /// field that gets the value has a default value. If so, a variable that can be null is allowed even
    /// where `type` is non-null.
    [[nodiscard]] Datum read(const Literal& literal, TypeView type, bool has_default = false) const;
    /// Returns an object with the arguments of a field or directive, or with the fields of an input object.
    /// `inputs` are the declared arguments or fields; `given` are the literals in the document. An argument
    /// or field that was not given gets its default value, or is left out. `offset` is the position of the
    /// field, directive or input object in the document.
    [[nodiscard]] Datum read(const std::vector<InputValue>& inputs, const std::vector<Literal>& given,
                             std::uint32_t offset) const;

private:
    [[nodiscard]] Datum variable(const Literal& literal, TypeView type, bool has_default) const;
    [[nodiscard]] bool is_absent(const Literal& literal) const;
    [[noreturn]] void refuse(const std::string& sentence, std::uint32_t offset) const;

    VariableUses* uses_ = nullptr;
    const Variables* variables_ = nullptr;
};

/// Returns `plain` if it is a value of the scalar or enum `leaf`; otherwise nothing.
[[nodiscard]] std::optional<Datum> leaf_value(const Datum& plain, const Type& leaf);

/// Reads the values of an operation's variables from the request's JSON object `variables`, if it has one.
/// Throws LocatedError for the first value that is not of its variable's type.
[[nodiscard]] Variables coerce_variables(const Schema& schema, const Operation& operation,
                                         const std::optional<json::Value>& given);

}  // namespace data_import::graphql

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

/// The values of an operation's variables. One that was not given and has no default is missing.
using Variables = std::vector<Member>;

/// One use of a variable.
struct VariableUse {
    std::string_view name;
    std::uint32_t offset;
    TypeView expected;
    bool has_default;  ///< the argument or input field has a default value of its own
};

using VariableUses = std::vector<VariableUse>;

/// Reads literals as values of a type. Throws LocatedError for one that is not of it.
class LiteralReader {
public:
    /// Reads before the variables have values: notes their uses, and takes them for null.
    explicit LiteralReader(VariableUses& uses) : uses_(&uses) {}
    /// Takes a variable without a value for null, or for one that was not given.
    explicit LiteralReader(const Variables& variables) : variables_(&variables) {}

    /// `has_default`: the argument or input field has a default value of its own.
    [[nodiscard]] Datum read(const Literal& literal, TypeView type, bool has_default = false) const;
    /// Reads the arguments of a field or directive, or the fields of an input object, as an object. One that
    /// was not given has its default value, or is missing. `offset` is their position.
    [[nodiscard]] Datum read(const std::vector<InputValue>& inputs, const std::vector<Literal>& given,
                             std::uint32_t offset) const;

private:
    [[nodiscard]] Datum variable(const Literal& literal, TypeView type, bool has_default) const;
    [[nodiscard]] bool is_absent(const Literal& literal) const;
    [[noreturn]] void refuse(const std::string& sentence, std::uint32_t offset) const;

    VariableUses* uses_ = nullptr;
    const Variables* variables_ = nullptr;
};

/// Turns a plain value into one of a scalar or enum; nothing if it is none.
[[nodiscard]] std::optional<Datum> leaf_value(const Datum& plain, const Type& leaf);

/// Reads the values of an operation's variables from the request's JSON object `variables`, if it has one.
/// Throws LocatedError for the first that does not fit.
[[nodiscard]] Variables coerce_variables(const Schema& schema, const Operation& operation,
                                         const std::optional<json::Value>& given);

}  // namespace data_import::graphql

// Payloads that are wrong in one place, made from a schema and a valid payload: each rule of the schema is
// broken once in every way that it forbids.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "data/schema/schema.h"

namespace data_import::tests {

/// A wrong payload, and the item of `errors` that its refusal has to have.
struct Mutation {
    std::string body;
    std::string attr;
    std::string code;
};

using MutationReceiver = std::function<void(const Mutation&)>;

/// Calls `receive` with each mutation of `example`, a valid JSON text. Optional fields that the example lacks
/// are added with a sample of their schema, and then broken too; so are alternatives of variants. Arrays are
/// changed in their first item only, or in the first of each alternative.
void each_mutation(const schema::Schema& schema, std::string_view example, const MutationReceiver& receive);

/// The payload with the value of a field of its outermost object replaced by another JSON text.
[[nodiscard]] std::string with_field(std::string_view payload, std::string_view name,
                                     const std::string& json_text);

}  // namespace data_import::tests

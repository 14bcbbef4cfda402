// Makes payloads that are wrong in one place from a schema and a valid payload: one payload for each way in
// which a rule of the schema can be broken.
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

/// Calls `receive` with each mutation of `example`, a valid JSON text. If the example lacks an optional field
/// or an alternative of a variant, adds a sample of it and breaks the sample, too. In an array, only the
/// first item is changed, or the first item of each alternative.
void each_mutation(const schema::Schema& schema, std::string_view example, const MutationReceiver& receive);

/// The payload with the value of a field of its outermost object replaced by another JSON text.
[[nodiscard]] std::string with_field(std::string_view payload, std::string_view name,
                                     const std::string& json_text);

}  // namespace data_import::tests

// Values made from a schema: valid and invalid ones.
#pragma once

#include <string>
#include <vector>

#include "data/schema/schema.h"

namespace data_import::tests {

/// JSON of a value that the schema admits, as small as it can be; rules across fields are not considered.
/// Throws std::logic_error for a form of strings without a sample here.
[[nodiscard]] std::string sample_of(const schema::Schema& schema);

/// JSON of a valid value with every declared field, and an item in every array that may have one.
[[nodiscard]] std::string full_sample_of(const schema::Schema& schema);

struct WrongValue {
    std::string text;  ///< JSON
    std::string code;  ///< of the item of `errors` at the value itself
};

/// Values that are wrong by themselves: of every other JSON type, and for each limit one beyond it. null is
/// not among them. The members of objects and arrays are not changed.
[[nodiscard]] std::vector<WrongValue> wrong_values(const schema::Schema& schema);

}  // namespace data_import::tests

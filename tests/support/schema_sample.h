// Values made from a schema: valid and invalid ones.
#pragma once

#include <string>
#include <vector>

#include "data/schema/schema.h"

namespace data_import::tests {

/// JSON of the smallest value that the schema admits. Rules across fields are not considered. Throws
/// std::logic_error if no sample text has the form that the schema asks for.
[[nodiscard]] std::string sample_of(const schema::Schema& schema);

/// JSON of a valid value with every declared field, and an item in every array that may have one.
[[nodiscard]] std::string full_sample_of(const schema::Schema& schema);

struct WrongValue {
    std::string text;  ///< JSON
    std::string code;  ///< the code that the answer's `errors` must have for this value
};

/// Returns values that the schema refuses: one of each JSON type that the schema does not take, one beyond
/// each limit, and texts without the form or choice that the schema asks for. null is not among them. Values
/// inside objects and arrays are not made wrong.
[[nodiscard]] std::vector<WrongValue> wrong_values(const schema::Schema& schema);

}  // namespace data_import::tests

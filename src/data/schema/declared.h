// Shortens the path of a field in a payload to the part that is declared by a schema. The declared part
// contains no text that the sender of the payload has chosen.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/schema/schema.h"

namespace data_import::schema {

/// Returns whether a segment of Violation::attr is the index of an item in an array.
[[nodiscard]] bool is_index(std::string_view segment);

/// Returns the beginning of `attr`, the path of a field, as far as `schema` declares it, with `N` in place of
/// each index. The result ends before the first field that `schema` does not declare, so a schema has only
/// few possible results. Example: for `notes.17.secret` the result is `notes.N` if notes have no field
/// `secret`.
[[nodiscard]] std::string declared_part(const Schema& schema, std::string_view attr);

/// Returns the values that `schema`, an object or a variant, lists for its field `field`: the allowed words
/// of a choice or, for the discriminator of a variant, the names of the variant's forms. Empty if the schema
/// lists no values for the field.
[[nodiscard]] std::vector<std::string> listed_values(const Schema& schema, std::string_view field);

}  // namespace data_import::schema

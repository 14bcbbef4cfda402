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

/// Returns the beginning of `attr` (`notes.3.document_paths.0.path`), as far as `schema` declares it, with
/// `N` for every index: `notes.N.document_paths.N`. The result ends before the first field that is not
/// declared, so a schema has only few possible results.
[[nodiscard]] std::string declared_part(const Schema& schema, std::string_view attr);

/// Returns the values that `schema`, an object or a variant, lists for its field `field`: the allowed words
/// of a choice or, for the discriminator of a variant, the names of the variant's forms. Empty if the schema
/// lists no values for the field.
[[nodiscard]] std::vector<std::string> listed_values(const Schema& schema, std::string_view field);

}  // namespace data_import::schema

// The parts of paths in a payload that a declaration names. They hold nothing that a sender chose.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/schema/schema.h"

namespace data_import::schema {

/// Returns whether the segment of an `attr` is the number of an item in an array.
[[nodiscard]] bool is_index(std::string_view segment);

/// Returns the part of `attr` (`notes.3.document_paths.0.path`) that `schema` declares, from its beginning
/// on, with every index as `N`: `notes.N.document_paths.N`. The result ends before a field that only the
/// sender has named, so that only the few texts that the schema makes possible can come out.
[[nodiscard]] std::string declared_part(const Schema& schema, std::string_view attr);

/// Returns the values that the declaration lists for a field of an object or variant: the words of a choice,
/// or the names of the alternatives. Empty if it lists none.
[[nodiscard]] std::vector<std::string> listed_values(const Schema& schema, std::string_view field);

}  // namespace data_import::schema

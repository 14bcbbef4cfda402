// What a declaration says of places in a payload, without anything that a sender chose.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/schema.h"

namespace data_import::schema {

/// A place in an array, among the segments of an `attr`.
[[nodiscard]] bool is_index(std::string_view segment);

/// The part of `attr` (`notes.3.document_paths.0.path`) that `schema` declares, from its beginning on, every
/// index as `N`: `notes.N.document_paths.N`. Where the payload named a field itself, the place ends before
/// it, so that the result is one of the few texts that the schema alone makes possible.
[[nodiscard]] std::string declared_part(const Schema& schema, std::string_view attr);

/// What a field of an object or variant can be, where the declaration lists that: the words of a choice, the
/// names of the alternatives. Empty where it does not.
[[nodiscard]] std::vector<std::string> listed_values(const Schema& schema, std::string_view field);

}  // namespace data_import::schema

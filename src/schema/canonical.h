// Texts that equal records have in common: the canonical form, over which fingerprints are computed
// (extensions, section 4), and the content, by which repeats are known (decisions, section 5).
#pragma once

#include <string>

#include "json/value.h"
#include "schema/schema.h"

namespace data_import::schema {

/// Appends the canonical form of a valid value: members that are declared and were sent, sorted by their
/// names, without white space, scalars so that equal ones are written alike.
void append_canonical(std::string& text, const Schema& schema, const json::Value& value);

/// One text for all valid values that say the same. It is the canonical form, but for numbers where any
/// scalar may stand: there `1`, `1.0` and `1e0` are one, and none of them is a string.
[[nodiscard]] std::string content_text(const Schema& schema, const json::Value& value);

}  // namespace data_import::schema

// The canonical form of records, over which fingerprints are computed (contract, section 12.5).
#pragma once

#include <string>
#include <string_view>

#include "base/util/datetime.h"
#include "data/json/value.h"
#include "data/schema/schema.h"

namespace data_import::schema {

/// Appends the canonical form of a valid value: declared members that were sent, sorted by their names,
/// without white space. Equal scalars are written alike.
void append_canonical(std::string& text, const Schema& schema, const json::Value& value);

// Scalars in the canonical form.

/// Appends a number or a decimal string as a decimal in quotes, without exponent and without superfluous
/// zeros: `"12.5"`.
void append_decimal(std::string& text, const json::Value& decimal);
/// Appends `plain`, a decimal without exponent, in quotes and without superfluous zeros.
void append_decimal(std::string& text, std::string_view plain);
/// Appends an integer as it is; 0 has no sign.
void append_integer(std::string& text, std::string_view literal);
/// Appends the value of a field that takes any scalar.
void append_scalar(std::string& text, const json::Value& scalar);
void append_instant(std::string& text, util::Instant instant);
void append_boolean(std::string& text, bool truth);

}  // namespace data_import::schema

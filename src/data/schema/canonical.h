// The canonical form of records, over which fingerprints are computed (contract, section 12.5).
#pragma once

#include <string>
#include <string_view>

#include "base/util/datetime.h"
#include "data/json/value.h"
#include "data/schema/schema.h"

namespace data_import::schema {

/// Appends the canonical form of a valid value: members that are declared and were sent, sorted by their
/// names, without white space, scalars so that equal ones are written alike.
void append_canonical(std::string& text, const Schema& schema, const json::Value& value);

// The scalars of the form.

/// A decimal without exponent or zeros that say nothing, in quotes: of a number, or of a decimal string.
void append_decimal(std::string& text, const json::Value& decimal);
/// The same for a decimal without exponent.
void append_decimal(std::string& text, std::string_view plain);
/// An integer as it is; 0 has no sign.
void append_integer(std::string& text, std::string_view literal);
/// The value of a field that takes any scalar.
void append_scalar(std::string& text, const json::Value& scalar);
void append_instant(std::string& text, util::Instant instant);
void append_boolean(std::string& text, bool truth);

}  // namespace data_import::schema

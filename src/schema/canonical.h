// The canonical form of records, over which fingerprints are computed (contract, section 12.5).
#pragma once

#include <string>

#include "json/value.h"
#include "schema/schema.h"

namespace data_import::schema {

/// Appends the canonical form of a valid value: members that are declared and were sent, sorted by their
/// names, without white space, scalars so that equal ones are written alike.
void append_canonical(std::string& text, const Schema& schema, const json::Value& value);

}  // namespace data_import::schema

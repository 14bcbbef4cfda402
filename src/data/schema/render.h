// Writes parts of a valid payload as JSON, for answers.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "data/json/value.h"
#include "data/json/writer.h"
#include "data/schema/schema.h"

namespace data_import::schema {

/// Writes the declared fields of a valid value as they were sent: same names, same order, same number
/// literals, no defaults. Undeclared fields are dropped. This is the "validated data" of the contract,
/// section 5.
void write_validated(json::Writer& writer, const Schema& schema, const json::Value& value);

/// Writes the members of a valid object as write_validated() does, inside an object that the caller has
/// begun. `instead` is called for each member, and returns true if it has written another value for this
/// member.
void write_validated_members(json::Writer& writer, const Schema& schema, const json::Value& object,
                             const std::function<bool(std::string_view name, const json::Value&)>& instead);

}  // namespace data_import::schema

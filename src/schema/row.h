// A valid object as a row of a table: what a field is called in the payload, its column is called, too.
#pragma once

#include <string>

#include "json/value.h"
#include "schema/schema.h"

namespace data_import::schema {

/// JSON for PostgreSQL's json_populate_record: the declared fields that are there and not null. The fields of
/// an object inside stand beside the others, its name in front (`sender_address_name`); so do those of an
/// array of objects that is declared with `columns`, each as one array for all items. Another array of
/// objects becomes an array of rows, whose `ordinal` counts from 0. Numbers have no exponent unless
/// PostgreSQL has no such number, which can only be where any scalar may stand.
[[nodiscard]] std::string row_json(const Object& declared, const json::Value& object);

}  // namespace data_import::schema

// A valid object as rows of tables: what a field is called in the payload, its column is called, too.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "json/value.h"
#include "schema/schema.h"
#include "util/array_binary.h"

namespace data_import::schema {

/// Rows are JSON objects for PostgreSQL's json_populate_recordset.
struct Rows {
    std::string own;                                                     ///< of the object itself
    std::map<std::string, std::vector<std::string>, std::less<>> items;  ///< by the name of their array
    std::vector<util::ArrayBinary> columns;  ///< of the items that are stored in the object's own row
};

/// The declared fields that are there and not null. The fields of an object inside stand beside the others,
/// its name in front (`sender_address_name`). Those of an array of objects that is declared with `columns`
/// become columns, in their order, of all items; a text that all of them have in common stands in its column
/// once. The items of another array of objects become rows, whose
/// `ordinal` counts from 0; where such an array is optional, `has_` and its name is true beside the other
/// fields. `sent_as_null` is an array of the columns whose fields were sent as null, where there are any.
/// Numbers have no exponent, except where any scalar may stand: there they are as sent.
[[nodiscard]] Rows rows_of(const Object& declared, const json::Value& object);

/// One column for each field that `item`, an object, declares, in their order, with an element for each of
/// the items: NULL where the field is not there or null.
[[nodiscard]] std::vector<util::ArrayBinary> columns_of(const Schema& item, const json::Value& items);

/// The object's row with the rows of its items in it, as arrays of their names. It has no `columns`.
[[nodiscard]] std::string row_with_items(const Object& declared, const json::Value& object);

}  // namespace data_import::schema

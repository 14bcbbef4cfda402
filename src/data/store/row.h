// Turns a valid object into a row of a table. Columns have the names of the payload's fields.
#pragma once

#include <string>
#include <vector>

#include "data/database/array_binary.h"
#include "data/json/value.h"
#include "data/schema/schema.h"

namespace data_import::store {

struct RecordRow {
    std::string text;  ///< an object for PostgreSQL's json_populate_recordset
    /// Further columns of the row: the arrays that row_of() describes.
    std::vector<database::ArrayBinary> columns;
};

/// Returns a row with a column for each declared field that was sent and is not null. The columns of a nested
/// object have the object's name in front (`sender_address_name`). An array of objects becomes one of these:
///   declared with `columns`   a column for each field of the items, with the values of all items in their
///                             order; a text that is the same in all items stands there once
///   declared without them     an array of rows, whose column `ordinal` counts from 0; if the field of the
///                             array is optional, the record also has a column whose name is `has_` and the
///                             name of the field, and whose value is true
/// The column `sent_as_null` lists the columns whose fields were sent as null, if there are any. Numbers have
/// no exponent, but in fields that take any scalar they are as sent.
[[nodiscard]] RecordRow row_of(const schema::Schema& declared, const json::Value& object);

}  // namespace data_import::store

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

/// Writes the declared fields that were sent and are not null. The fields of a nested object stand among the
/// others, with its name in front (`sender_address_name`). The fields of an array of objects that is declared
/// with `columns` become one column each, with the values of all items in their order; if all items have the
/// same text, the column has it once. The items of any other array of objects become an array of rows, whose
/// column `ordinal` counts from 0. If that array is optional, the column with its name and `has_` in front is
/// true. `sent_as_null` is an array of the columns whose fields were sent as null, if there are any. Numbers
/// have no exponent, except in fields that take any scalar: there they are as sent.
[[nodiscard]] RecordRow row_of(const schema::Schema& declared, const json::Value& object);

}  // namespace data_import::store

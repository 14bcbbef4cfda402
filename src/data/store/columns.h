// Turns the valid items of an array in a payload into columns: arrays that the import functions of sql/ take
// as parameters.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/array_binary.h"
#include "data/json/value.h"
#include "data/schema/schema.h"

namespace data_import::store {

struct Columns {
    /// Rows for a table of their own. Each row belongs to one item of the array, as a line item belongs to a
    /// transaction.
    struct Part {
        /// Items that the rows belong to, in the order of the rows: each is a place (from 1) in the array.
        std::vector<std::size_t> owners;
        std::vector<database::ArrayBinary> columns;
    };
    std::vector<database::ArrayBinary> columns;
    std::vector<Part> parts;
};

/// Makes one column for each field that `item`, an object or a variant, declares. Columns are in the order of
/// the declaration. If several alternatives of a variant declare a field, the field has one column, with the
/// place and the type that the first of them gives it. A column has an element for each item: NULL if the
/// field is missing or null.
///
/// A field may hold a list. A list of single values becomes a text, namely an array literal of PostgreSQL:
/// `{a,b}`. A list of objects for which the schema calls schema::Array::columns() becomes one column of such
/// texts for each field of the objects; then every object must have all these fields. A list of objects
/// without that call becomes a Part; the parts are in the order of the declaration. The first column of a
/// part has the place of the object in the list, from 0. Then follows a column for each field of the objects
/// and, if there are decimals among the fields, a column with their notation (written()). If the list is
/// optional, Columns::columns has a column of booleans at the place of the field: true if the item has the
/// list.
[[nodiscard]] Columns columns_of(const schema::Schema& item, const json::Value& items);

/// Returns a decimal in a form that PostgreSQL takes. A decimal that is long or has an exponent is rewritten
/// without exponent and without trailing zeros after the point, because PostgreSQL refuses a zero with a
/// large exponent (0e9999999999) and keeps only a limited number of trailing zeros. The result is `sent`
/// itself, or refers to `room`.
[[nodiscard]] std::string_view taken_decimal(std::string_view sent, std::string& room);

/// Returns how a row's decimals were written, so that answers can repeat them as they were sent
/// (data_import.as_written). Returns nothing if all decimals are JSON strings and PostgreSQL shows each
/// exactly as it was sent. Returns `#` if all decimals are JSON numbers and PostgreSQL shows each exactly as
/// it was sent. In all other cases returns a JSON array of the decimals as they were sent, with null for a
/// decimal that was not sent.
[[nodiscard]] std::optional<std::string> written(std::span<const std::optional<json::Value>> decimals);

}  // namespace data_import::store

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
    /// Rows of another table, each of which belongs to an item, such as the line items of transactions.
    struct Part {
        std::vector<std::size_t> owners;  ///< for each row, the place (from 1) of its item
        std::vector<database::ArrayBinary> columns;
    };
    std::vector<database::ArrayBinary> columns;
    std::vector<Part> parts;
};

/// Makes one column for each field that `item`, an object or a variant, declares. Columns are in the order of
/// the declaration. If several alternatives of a variant declare a field, the field has one column, with the
/// place and the type that the first of them gives it. A column has an element for each item: NULL if the
/// field is missing or null. A list of values becomes a text, namely an array literal of PostgreSQL: `{a,b}`.
/// A list of objects that is declared with `columns` becomes one column of array literals for each field of
/// the objects; then every object must have all these fields.
///
/// Any other list of objects becomes a Part; the parts are in the order of the declaration. The first column
/// of a part has the place in the list, from 0. Then follows a column for each field and, if there are
/// decimals among the fields, a column with their notation (written()). If the list is optional, `columns`
/// has a column of booleans in its place: true if the item has the list.
[[nodiscard]] Columns columns_of(const schema::Schema& item, const json::Value& items);

/// Returns a decimal in a form that PostgreSQL takes. A decimal that is long or has an exponent is rewritten
/// without exponent and without trailing zeros after the point, because PostgreSQL refuses a zero with a
/// large exponent (0e9999999999) and keeps only a limited number of trailing zeros. The result is `sent`
/// itself, or refers to `room`.
[[nodiscard]] std::string_view taken_decimal(std::string_view sent, std::string& room);

/// Returns how a row's decimals were written, so that answers can repeat them as they were sent
/// (data_import.as_written). If PostgreSQL shows each of them exactly as it was sent, returns nothing if all
/// are JSON strings, and `#` if all are JSON numbers. Otherwise returns a JSON array of the decimals as they
/// were sent, with null for a decimal that was not sent.
[[nodiscard]] std::optional<std::string> written(std::span<const std::optional<json::Value>> decimals);

}  // namespace data_import::store

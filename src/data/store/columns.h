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
    /// Rows that are stored in a second table, such as the line items if columns_of() gets transactions.
    struct Part {
        /// For each row, the place of the row's owner in the parameter `items` of columns_of(), from 1. The
        /// owner of a line item is its transaction.
        std::vector<std::size_t> owners;
        std::vector<database::ArrayBinary> columns;
    };
    std::vector<database::ArrayBinary> columns;
    std::vector<Part> parts;
};

/// Turns the objects in the array `items` into columns: one column for each field that the schema `item`
/// declares, in the order of the declaration. A column has one element for each object: NULL if the object
/// lacks the field or has null there. `item` is an object or a variant. If several forms of a variant declare
/// a field, the field has one column, with the place and the type of its first declaration.
///
/// A field that holds a list of single values has a column of texts. Each text is an array literal of
/// PostgreSQL: `{a,b}`.
///
/// A list of objects that is declared with schema::Array::columns() has a column of array literals for each
/// field of the listed objects. Every listed object must then have all these fields.
///
/// A list of objects that is declared without schema::Array::columns() becomes a Part. The Part has a row for
/// each listed object. The parts are in the order of the declaration. The first column of a Part has the
/// place of the listed object in its list, from 0. Then follows a column for each field of the listed
/// objects. If some of these fields are decimals, the last column has, for each row, what written() returns
/// for the row's decimals. If the list is optional, Columns::columns has a column of booleans at the place of
/// the field: true if the object in `items` has the list.
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

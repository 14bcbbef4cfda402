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
/// declares, in the order of the declaration. `item` is an object or a variant. A column has one element for
/// each object: NULL if the object lacks the field or has null there. If several forms of a variant declare a
/// field, the field has one column, with the place and the type of its first declaration.
///
/// A field that holds a list is stored in another form:
///   - list of single values: a column of texts, each an array literal of PostgreSQL (`{a,b}`)
///   - list of objects, declared with schema::Array::columns(): a column of array literals for each field of
///     the listed objects; every listed object must have all these fields
///   - list of objects, declared without schema::Array::columns(): a Part; if the list is optional, also a
///     column of booleans in Columns::columns, true for each object in `items` that has the list
///
/// The parts are in the order of the declaration. A Part has a row for each listed object. The first column
/// of a Part has the place of the listed object in its list, from 0. Then follows a column for each field of
/// the listed objects. If some of these fields are decimals, a last column has what written() returns for
/// each row's decimals.
[[nodiscard]] Columns columns_of(const schema::Schema& item, const json::Value& items);

/// Returns a decimal in a form that PostgreSQL takes. A decimal that is long or has an exponent is rewritten
/// without exponent and without trailing zeros after the point. The result is `sent` itself, or refers to
/// `room`.
///
/// PostgreSQL refuses a zero with a large exponent (0e9999999999), and keeps only a limited number of
/// trailing zeros.
[[nodiscard]] std::string_view taken_decimal(std::string_view sent, std::string& room);

/// Returns the notation of a row's decimals, so that answers can repeat the decimals as they were sent
/// (data_import.as_written). `decimals` has nothing for a decimal that was not sent. The result is one of
/// these:
///   nothing        the sent decimals are JSON strings, and PostgreSQL shows each exactly as it was sent
///   `#`            the sent decimals are JSON numbers, and PostgreSQL shows each exactly as it was sent
///   a JSON array   in all other cases: the decimals as they were sent, null for one that was not sent
[[nodiscard]] std::optional<std::string> written(std::span<const std::optional<json::Value>> decimals);

}  // namespace data_import::store

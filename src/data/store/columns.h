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
        std::vector<std::size_t> owners;  ///< the place of each row's item, from 1
        std::vector<database::ArrayBinary> columns;
    };
    std::vector<database::ArrayBinary> columns;
    std::vector<Part> parts;
};

/// Makes one column for each field that `item`, an object or a variant, declares, in the order of the
/// declaration (in a variant: of the first alternative that declares the field). A column has an element for
/// each item: NULL if the field is missing or null. A list of values becomes a text, PostgreSQL's array
/// literal: `{a,b}`. A list of objects that is declared with `columns` becomes such a text for each field of
/// the objects; then every object must have all these fields.
///
/// Any other list of objects becomes a Part; the parts are in the order of the declaration. The columns of a
/// part are: the place in the list, from 0; one for each field; and, if there are decimals among the fields,
/// their notation (written()). If the list is optional, `columns` has a boolean in its place: true if the
/// list was sent.
[[nodiscard]] Columns columns_of(const schema::Schema& item, const json::Value& items);

/// Returns a decimal in a form that PostgreSQL takes. One that is long or has an exponent is written anew,
/// without exponent and without zeros at the end, because PostgreSQL refuses some exponents of zero
/// (0e9999999999) and keeps only so many zeros at the end. The result is `sent` itself, or refers to `room`.
[[nodiscard]] std::string_view taken_decimal(std::string_view sent, std::string& room);

/// Returns the notation of a row's decimals, by which answers repeat them as they were sent
/// (data_import.as_written). Nothing: all are strings, with the digits that PostgreSQL shows. `#`: all are
/// numbers, with these digits. Otherwise a JSON array of the literals, with null for a decimal that was not
/// sent.
[[nodiscard]] std::optional<std::string> written(std::span<const std::optional<json::Value>> decimals);

}  // namespace data_import::store

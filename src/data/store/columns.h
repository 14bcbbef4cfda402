// Turns the valid items of an array into columns of tables, as import functions of sql/ take them.
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
    /// Rows of another table that belong to these.
    struct Part {
        std::vector<std::size_t> owners;  ///< the place of each row's item, from 1
        std::vector<database::ArrayBinary> columns;
    };
    std::vector<database::ArrayBinary> columns;
    std::vector<Part> parts;
};

/// Makes one column for each field that `item`, an object or a variant, declares, in the order of the
/// declaration (in a variant: of the first alternative that declares the field). A column has an element for
/// each item: NULL if the field is missing or null. A list is a text, PostgreSQL's literal of it. A list of
/// objects that is declared with `columns` is a text for each of their fields, and all items need each of
/// them.
///
/// Any other list of objects is a part, in the order of the declaration: the place in the list, from 0; a
/// column for each field; and, if decimals are among these, their notation (`written`). If the list is
/// optional, a boolean stands in its place in `columns`: true if it was sent.
[[nodiscard]] Columns columns_of(const schema::Schema& item, const json::Value& items);

/// Returns a decimal as PostgreSQL takes it: of zero it refuses some exponents (0e9999999999), and of a
/// decimal it keeps only so many zeros at the end. The text is `sent`, or stands in `room`.
[[nodiscard]] std::string_view taken_decimal(std::string_view sent, std::string& room);

/// Tells how the decimals of a row were written, for answers that repeat them as they were sent
/// (data_import.as_written): nothing for strings as PostgreSQL shows them, `#` for numbers of that form, else
/// a JSON array of the literals, with null for a decimal that was not sent.
[[nodiscard]] std::optional<std::string> written(std::span<const std::optional<json::Value>> decimals);

}  // namespace data_import::store

// The valid items of an array as the columns of tables, as import functions of sql/ take them.
#pragma once

#include <cstddef>
#include <vector>

#include "database/array_binary.h"
#include "json/value.h"
#include "schema/schema.h"

namespace data_import::schema {

struct Columns {
    /// Rows of another table that belong to these.
    struct Part {
        std::vector<std::size_t> owners;  ///< the place of each row's item, from 1
        std::vector<database::ArrayBinary> columns;
    };
    std::vector<database::ArrayBinary> columns;
    std::vector<Part> parts;
};

/// One column for each field that `item`, an object or a variant, declares, in the order of the declaration
/// (for a variant: of the first alternative that declares the field), with an element for each of the items:
/// NULL if the field is not there or null. A list is a text, PostgreSQL's literal of it. A list of objects
/// that is declared with `columns` is a text for each of their fields, and all items need each of them.
///
/// Any other list of objects is a part, in the order of the declaration: the place in the list, from 0; a
/// column for each field; and, if decimals are among these, their notation (schema/postgres_decimals.h). If
/// the list is optional, a boolean stands in its place in `columns`: true if it was sent.
[[nodiscard]] Columns columns_of(const Schema& item, const json::Value& items);

}  // namespace data_import::schema

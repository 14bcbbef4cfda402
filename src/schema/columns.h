// The valid items of an array as the columns of tables, as import functions of sql/ take them.
#pragma once

#include <cstddef>
#include <vector>

#include "json/value.h"
#include "schema/schema.h"
#include "util/array_binary.h"

namespace data_import::schema {

struct Columns {
    /// Rows of another table that belong to these.
    struct Part {
        std::vector<std::size_t> owners;  ///< of each row the place of its item, from 1
        std::vector<util::ArrayBinary> columns;
    };
    std::vector<util::ArrayBinary> columns;
    std::vector<Part> parts;
};

/// One column for each field that `item`, an object or a variant, declares, in the order of the declaration
/// (of a variant: where its alternatives first declare it), with an element for each of the items: NULL where
/// the field is not there or null. A list is a text, PostgreSQL's literal of it; a list of objects that is
/// declared with `columns` is a text for each of their fields, which all of them need.
///
/// Any other list of objects is a part, in the order of the declaration: the place in the list, from 0; a column for each
/// field; and, where decimals are among these, how they were written (schema/written.h). Where the list is
/// optional, a boolean stands in its place in `columns`: whether it was sent.
[[nodiscard]] Columns columns_of(const Schema& item, const json::Value& items);

}  // namespace data_import::schema

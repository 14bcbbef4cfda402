// A record read from the rows of its tables and written in the canonical form: the inverse of row_of()
// (store/row.h).
//
// Columns have the names of the payload's fields. There may be two further kinds of columns:
//   has_NAME      for an optional array of objects with a table of its own: true if the array was sent
//   sent_as_null  if fields may be null: an array of the names of the columns that were sent as null; any
//                 other column that is NULL was not sent
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/database/binary_values.h"
#include "data/schema/schema.h"

namespace data_import::store {

/// A column to read, in PostgreSQL's binary form.
struct RecordColumn {
    /// For a column in a table of items: the field of the record that holds the items, such as `line_items`.
    /// The column is then read as an array with the values of all items of the record, in the order of the
    /// items. Empty for a column of the record's own row.
    std::string items = {};
    std::string name;
    bool is_literal = false;  ///< the column is an array, and is read as its text: `{a,b}`
    /// The numbers of the column are of type integer; if false, of type numeric. Without meaning for other
    /// columns.
    bool is_integer = false;
    bool operator==(const RecordColumn&) const = default;
};

class StoredRecord {
public:
    /// Plans how to read records of this declaration, an object or a variant. Throws std::logic_error if rows
    /// cannot hold such records.
    explicit StoredRecord(const schema::Schema& declared);

    [[nodiscard]] const std::vector<RecordColumn>& columns() const { return columns_; }

    /// Returns the place in `columns` of a field such as `amount`, or of a field of items such as
    /// `amounts.quantity`. Throws std::out_of_range if no record has the field.
    [[nodiscard]] std::size_t place_of(std::string_view field) const;

    /// Appends the record in the canonical form. The values of `row` are in the order of `columns`.
    void append_canonical(std::string& text, const std::vector<database::BinaryValue>& row) const {
        append(text, row, false);
    }
    /// Appends the record as a payload whose import stores an equal record. In fields that take any scalar,
    /// the number 1.50 is written as it was sent; append_canonical() writes it as the string `"1.5"`.
    void append_payload(std::string& text, const std::vector<database::BinaryValue>& row) const {
        append(text, row, true);
    }

    struct Part;

private:
    void append(std::string& text, const std::vector<database::BinaryValue>& row, bool keeps_scalars) const;

    std::vector<RecordColumn> columns_;
    std::map<std::string, std::size_t, std::less<>> places_;
    std::size_t discriminator_ = 0;  ///< place of the column that names the form, if records are variants
    std::vector<std::pair<std::string, std::vector<Part>>> forms_;
};

/// A member of an object, and the place of its value.
struct StoredRecord::Part {
    enum class Kind { text, boolean, integer, decimal, date, datetime, scalar, array, object, items };

    std::string key = {};  ///< `"name":`
    Kind kind = Kind::text;
    Kind element = Kind::text;  ///< kind of an array's elements
    bool is_literal = false;    ///< the value is an array in PostgreSQL's text form, such as `{1,2}`
    /// The place of the member's value in the row, from 0. For a member of an item: the place among the
    /// values of the item, from 0.
    std::size_t place = 0;
    /// The name by which the column sent_as_null lists the member if null was sent for it. Empty: the member
    /// must not be null.
    std::string null_name = {};
    /// The index, in the same list of values as `place`, of the value of the column sent_as_null. This value
    /// lists the members that were sent as null, by their `null_name`. Without meaning if `null_name` is
    /// empty.
    std::size_t nulls = 0;
    /// For items: whether the field with the items is required. A required field counts as sent even if it
    /// has no items.
    bool is_required = false;
    /// For items that are not required: place of the column that is true if the field was sent. Nothing:
    /// there is no such column, and the field counts as sent if there are items.
    std::optional<std::size_t> presence = {};
    /// If `kind` is Kind::items: for each value of an item, the index in the row of an array. The array has
    /// this value of all items.
    std::vector<std::size_t> item = {};
    /// If `kind` is Kind::items: one flag for each array in `item`. True: the array may have a single element
    /// although there are several items; all items then have this element as their value.
    std::vector<bool> may_be_once = {};
    std::vector<Part> members = {};  ///< members of the object, or of each item
};

}  // namespace data_import::store

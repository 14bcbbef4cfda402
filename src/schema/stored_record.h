// A record as the rows of tables hold it, written in the canonical form: the way back from row_of
// (schema/row.h).
//
// What a field is called in the payload, its column is called, too. Beside these there may be
//   has_NAME      of an optional array of objects with a table of its own: true where it was sent
//   sent_as_null  where fields may be null: names of those columns that were sent as null, as an array; other
//                 NULLs were not sent
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema/schema.h"
#include "util/binary_values.h"

namespace data_import::schema {

class StoredRecord {
public:
    /// What has to be read, in PostgreSQL's binary form.
    struct Column {
        std::string items =
            {};  ///< the array of objects whose table has it: it is read as an array of the values
                 ///< of all items, in their order; empty for a column of the record's own row
        std::string name;
        bool is_literal = false;  ///< an array, to be read as its text: `{a,b}`
        bool is_integer = false;  ///< else what is a number is numeric
        bool operator==(const Column&) const = default;
    };

    /// Of an object or a variant. Throws std::logic_error for what no rows hold this way.
    explicit StoredRecord(const Schema& declared);

    [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }

    /// The place in `columns` of a field, `amount` or `amounts.quantity`; throws std::out_of_range for
    /// another.
    [[nodiscard]] std::size_t place_of(std::string_view field) const;

    /// Appends the canonical form; the row's values are in the order of `columns`.
    void append_canonical(std::string& text, const std::vector<util::BinaryValue>& row) const;

    struct Part;

private:
    std::vector<Column> columns_;
    std::map<std::string, std::size_t, std::less<>> places_;
    std::size_t discriminator_ = 0;  ///< of a variant: the column that tells which of the forms it is
    std::vector<std::pair<std::string, std::vector<Part>>> forms_;
};

/// A member of an object, and where its value stands.
struct StoredRecord::Part {
    enum class Kind { text, boolean, integer, decimal, date, datetime, scalar, array, object, items };

    std::string key = {};  ///< `"name":`
    Kind kind = Kind::text;
    Kind element = Kind::text;                 ///< of an array
    bool is_literal = false;                   ///< an array that is read as text
    std::size_t place = 0;                     ///< of its value
    std::string null_name = {};                ///< where it may be null: its name among those
    std::size_t nulls = 0;                     ///< ... and the place of these names
    bool is_required = false;                  ///< of items: they were sent, though there may be none
    std::optional<std::size_t> presence = {};  ///< ... else the place of what says so, where there is one
    std::vector<std::size_t> item = {};        ///< of items: places of the values of one
    std::vector<bool> may_be_once = {};        ///< ... which of them all items may have in common
    std::vector<Part> members = {};  ///< of an object, or of one of the items, whose values stand in `item`
};

}  // namespace data_import::schema

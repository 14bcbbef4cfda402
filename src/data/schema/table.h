// Payloads as the records of a table, such as a CSV file. Columns have the names of the payload's fields.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "data/json/writer.h"
#include "data/schema/schema.h"

namespace data_import::schema {

/// Returns the names of all fields of a payload, whatever object they are in.
[[nodiscard]] std::set<std::string, std::less<>> field_names(const Schema& payload);

/// The kinds of values that programs write into columns in several ways; `other` is all else.
enum class ColumnKind { other, integer, decimal, date, datetime };

/// Reads payloads from columns. A column is a field without fields of its own, by its dotted path: `body`,
/// `sender_address.name`, `line_items.0.start_date`. A payload may have one required field with an object or
/// an array of objects, while all others are plain (`import_supplier`, `external_account_number`, `notes`).
/// Then the fields inside that one are columns of their own names (`body`), and a record is that object or
/// one item of that array. An empty cell is a field that is not sent; so is an item or object whose cells are
/// all empty.
class Table {
public:
    /// Returns the text of a record's cell in the column with this number, from 0.
    using Cells = std::function<std::string_view(std::size_t column)>;

    explicit Table(const Object& payload);
    ~Table();
    Table(Table&&) noexcept;
    Table& operator=(Table&&) noexcept;

    /// Declares the next column. Returns false if the payload has no such field, or the column is there
    /// already.
    [[nodiscard]] bool add_column(std::string_view name);
    /// Returns the kinds of the columns in their order; `other` for a column for which add_column() returned
    /// false.
    [[nodiscard]] const std::vector<ColumnKind>& kinds() const { return kinds_; }
    /// Returns names of the required fields that no column belongs to.
    [[nodiscard]] std::vector<std::string> missing() const;

    /// Returns the greatest number of records that one payload may have.
    [[nodiscard]] std::size_t most_records() const;
    /// Returns the cells of a record that all records of its payload have to have in common, as one text to
    /// compare.
    [[nodiscard]] std::string common_cells(const Cells& cells) const;

    /// Writes the payload of some records: begin() with the first of them, add() with each, end(). Decimals,
    /// texts and values of a wrong type are written as strings, so that no digit is lost and a wrong value is
    /// checked like any other. Booleans are true or false in any case, 1 or 0.
    void begin(json::Writer& writer, const Cells& first) const;
    void add(json::Writer& writer, const Cells& record) const;
    void end(json::Writer& writer) const;

private:
    class Fields;

    std::unique_ptr<Fields> common_;  ///< fields of the payload itself
    std::unique_ptr<Fields> record_;  ///< fields of a record; null if the payload is the record
    std::string name_;                ///< name of the field that has the records
    bool is_list_ = false;
    std::size_t most_records_ = 1;
    std::vector<ColumnKind> kinds_;
};

}  // namespace data_import::schema

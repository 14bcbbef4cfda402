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

/// The kinds of values that are written differently by different programs, such as dates; `other` is every
/// other kind.
enum class ColumnKind { other, integer, decimal, date, datetime };

/// Reads payloads from columns. The name of a column is the dotted path of a single value: `body`,
/// `sender_address.name`, `line_items.0.start_date`. A field with an empty cell is not sent, nor is an item
/// or object whose cells are all empty.
///
/// Most payloads have a field of records: a required field with an object or an array of objects, such as
/// `notes`, while all other fields are single values, such as `import_supplier`. The object, or each item of
/// the array, is a record. The names of the records' columns leave out the field of records: `body`, not
/// `notes.0.body`. A payload without a field of records is itself the only record.
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
    /// Returns the cells of a record that have to be the same in all records of a payload, as one text to
    /// compare.
    [[nodiscard]] std::string common_cells(const Cells& cells) const;

    /// Writes the payload of some records. Call begin() with the first record, then add() with each record,
    /// the first included, then end(). Decimals, texts and values of a wrong type are written as strings, so
    /// that no digit is lost and a wrong value is checked like any other. A boolean is read from true or
    /// false, in upper or lower case, and from 1 or 0.
    void begin(json::Writer& writer, const Cells& first) const;
    void add(json::Writer& writer, const Cells& record) const;
    void end(json::Writer& writer) const;

private:
    class Fields;

    std::unique_ptr<Fields> common_;  ///< columns of the payload's fields outside the records
    /// The columns of the fields inside a record. Null if no field of the payload has records; all columns
    /// are then in `common_`.
    std::unique_ptr<Fields> record_;
    std::string name_;  ///< name of the field that has the records; empty if no field has records
    bool is_list_ = false;
    std::size_t most_records_ = 1;
    std::vector<ColumnKind> kinds_;
};

}  // namespace data_import::schema

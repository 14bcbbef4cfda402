// The kinds of records that accounts have: their form, their tables, and their figures in control totals
// (contract, sections 1.4 and 12.1).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/json/value.h"
#include "data/schema/schema.h"

namespace data_import::records {

/// A sum over the records of a kind, which stands in receipts and control totals. In `by` and `field`, a
/// field of an array's items has the name of the array in front: `amounts.quantity`. The SQL view
/// data_import.record_figure computes the same figures from the stored records.
struct Figure {
    std::string_view name;      ///< name of the sum; if there is a `by`, its value follows: `amount:CHARGE`
    std::string_view by = {};   ///< the field that sums are kept apart by: the type or the unit
    std::string_view field;     ///< field that is summed up
    bool counts_items = false;  ///< the figure is the number of items of the array in `field`, not a sum
};

/// Items of records, such as the line items of transactions. They are rows of `table`, or rows that the SQL
/// function call `call` returns for a column of the record. In the SQL of the members below, `record` stands
/// for the row of the record, and `item` for the row of the item.
struct Items {
    /// Field of the record whose value is the array of items, such as `line_items`.
    std::string_view field;
    /// Table in the SQL schema data_import with a row for each item of a record, such as a line item of a
    /// transaction. Empty if the SQL function call `call` returns the items.
    std::string_view table = {};
    /// SQL condition on two rows of the same account: `record` is the row of a record, and `item` is a
    /// row of `table`. The condition is true if the item belongs to the record. Empty if `table` is empty.
    std::string_view of_record = {};
    std::string_view call = {};
    std::string_view order;
};

/// A column of a record that is read by an SQL expression, because the stored value can differ from the value
/// that was sent. `expression` gives the value that was sent.
struct SentColumn {
    std::string_view name;
    std::string_view expression;
};

struct Kind {
    std::string_view name;  ///< name in counts, receipts and payload::DeclaredImport::stores: `notes`
    schema::Schema record;  ///< form of one record
    /// Table in the SQL schema data_import. It has a row per record, with account_key and the columns of
    /// data_import.provenance, which tell where the row comes from.
    std::string_view table;
    std::span<const Items> items = {};
    std::span<const SentColumn> sent_columns = {};
    /// SQL expression: the date under which a record is stored, if another date was sent; otherwise NULL.
    /// Empty if records of the kind are always stored under the date that was sent.
    std::string_view moved_to = {};
    /// SQL condition for the records that suppliers sent; empty if the table has only such records.
    std::string_view condition = {};
    std::string_view id_name;  ///< SQL expression for the argument p_name of data_import.record_id
    /// Column that numbers, from 1, the records of an account that have the same `identity`. Empty if an
    /// account cannot have several such records.
    std::string_view copy = {};
    /// SQL condition for the records that exports write before the others of their account and kind, because
    /// an import in another order would take them for repeats. Empty if the order does not matter.
    std::string_view comes_first = {};
    std::span<const Figure> figures = {};
    /// Name of the figure that is the `amount` in the rows of a file of totals. If the sums of this figure
    /// are kept apart by a type or unit (Figure::by), the amount is the sum over all types or units. Empty if
    /// the kind has no amount.
    std::string_view amount = {};
    /// Returns the text by which repeats of a record are recognised; null: repeats are recognised by the
    /// whole content (schema::content_text).
    std::string (*identity)(const json::Value& record) = nullptr;
};

/// Returns all kinds, always in the same order.
[[nodiscard]] std::span<const Kind> kinds();

/// Returns the index in kinds(), from 0, of the kind with this name. Throws std::out_of_range if there is no
/// such kind.
[[nodiscard]] std::size_t place_of(std::string_view name);
[[nodiscard]] const Kind& kind_of(std::string_view name);
/// Returns the kind of this name; null if there is none.
[[nodiscard]] const Kind* find_kind(std::string_view name);

/// Returns the names of a kind's sums, such as `amount:CHARGE`. A name that ends with a colon stands for all
/// names that begin with it: `quantity:`.
[[nodiscard]] std::vector<std::string> sums_of(const Kind& kind);
/// Returns whether a name of sums_of() stands for all names that begin with it.
[[nodiscard]] inline bool is_open(std::string_view sum) {
    return sum.ends_with(':');
}

}  // namespace data_import::records

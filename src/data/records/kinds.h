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

/// A sum over the records of a kind, which stands in receipts and control totals. Fields of an array's items
/// have the name of the array in front: `amounts.quantity`. The SQL view data_import.record_figure computes
/// the same figures from the stored records.
struct Figure {
    std::string_view name;      ///< name of the sum; if there is a `by`, its value follows: `amount:CHARGE`
    std::string_view by = {};   ///< the field that sums are kept apart by: the type or the unit
    std::string_view field;     ///< field that is summed up
    bool counts_items = false;  ///< the figure is the number of items of the array in `field`, not a sum
};

/// The items of records. They are rows of a table, or rows that an SQL function returns for a column of the
/// record. In the SQL of the members, `record` is the record's row, and `item` is the item's row.
struct Items {
    std::string_view field;           ///< field of the record that has the items: `line_items`
    std::string_view table = {};      ///< table of the items; empty if there is a call
    std::string_view of_record = {};  ///< condition for the rows of the table that belong to a record
    std::string_view call = {};
    std::string_view order;
};

/// A column that may not hold the value that was sent. The SQL `expression` gives the sent value.
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
    /// Column that numbers the records with the same name, from 1; empty if names are unique.
    std::string_view copy = {};
    std::span<const Figure> figures = {};
    /// Name of the figure that is the amount in a line of totals: the figure's sums are added up over all
    /// values of its `by`. Empty if the kind has no amount.
    std::string_view amount = {};
    /// Returns the text by which repeats of a record are recognised; null: repeats are recognised by the
    /// whole content (schema::content_text).
    std::string (*identity)(const json::Value& record) = nullptr;
};

/// Returns all kinds, always in the same order.
[[nodiscard]] std::span<const Kind> kinds();

/// Returns the place of the kind of this name. Throws std::out_of_range if there is none.
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

// Reads the records of a kind from the database, and adds them up for control totals.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/binary_values.h"
#include "data/records/kinds.h"
#include "data/records/totals.h"
#include "data/store/stored_record.h"

namespace data_import::proof {

/// Reads and adds up the records of one kind.
class RecordTotals {
public:
    explicit RecordTotals(const records::Kind& kind);

    [[nodiscard]] const records::Kind& kind() const { return kind_; }
    /// Returns the layout of the rows for add() and add_figures(): each row begins with the columns that
    /// StoredRecord::columns() lists, in that order. More columns may follow.
    [[nodiscard]] const store::StoredRecord& record() const { return record_; }

    /// Adds a record to the totals; `text` is a buffer that is reused from record to record.
    void add(records::KindTotals& totals, std::string_view external_account_number,
             const std::vector<database::BinaryValue>& row, std::string& text) const;
    /// Adds a record to the totals without its fingerprint, which would take most of the time.
    void add_figures(records::KindTotals& totals, const std::vector<database::BinaryValue>& row) const;

private:
    /// A figure, and the columns of a row that the figure is computed from.
    struct FigureColumns {
        const records::Figure* figure;
        std::size_t field;  ///< index, from 0, of the column with the values to add up (Figure::field)
        /// Index, from 0, of the column with the type or unit by which the sums are kept apart (Figure::by).
        /// Equal to the member `field` if the figure has no type or unit.
        std::size_t by;
        bool is_of_items;
        bool is_integer;
    };

    static void add_value(records::KindTotals& totals, const FigureColumns& places,
                          const std::vector<database::BinaryValue>& row);
    static void add_items(records::KindTotals& totals, const FigureColumns& places,
                          const std::vector<database::BinaryValue>& row);

    const records::Kind& kind_;
    store::StoredRecord record_;
    std::vector<FigureColumns> figures_;
};

/// Returns a RecordTotals for each kind, in the order of records::kinds().
[[nodiscard]] const std::vector<RecordTotals>& record_totals();

}  // namespace data_import::proof

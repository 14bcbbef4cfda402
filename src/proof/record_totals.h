// How the records of a kind are read and added up. Private to the folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "database/binary_values.h"
#include "records/kinds.h"
#include "records/totals.h"
#include "schema/stored_record.h"
#include "store/records.h"

namespace data_import::proof {

class RecordTotals {
public:
    explicit RecordTotals(const records::Kind& kind);

    [[nodiscard]] const records::Kind& kind() const { return kind_; }
    /// The columns that a row has to have.
    [[nodiscard]] std::vector<store::RecordColumn> columns() const;
    /// Adds a record; `text` is reused from record to record.
    void add(records::KindTotals& totals, std::string_view external_account_number,
             const std::vector<database::BinaryValue>& row, std::string& text) const;

private:
    /// The columns with the values of a figure.
    struct Places {
        const records::Figure* figure;
        std::size_t field;
        std::size_t by;  ///< column with the figure's `by`
        bool is_of_items;
        bool is_integer;
    };

    static void add_items(records::KindTotals& totals, const Places& places,
                          const std::vector<database::BinaryValue>& row);
    static void add_value(records::KindTotals& totals, const Places& places,
                          const std::vector<database::BinaryValue>& row);

    const records::Kind& kind_;
    schema::StoredRecord record_;
    std::vector<Places> figures_;
};

}  // namespace data_import::proof

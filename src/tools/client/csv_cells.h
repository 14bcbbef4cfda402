// Converts the numbers and dates of CSV files, which people and programs write in several ways.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "data/schema/table.h"
#include "tools/client/csv_reading.h"

namespace data_import::client {

/// Converts the numbers and dates of records, one record at a time, into the form that the interface takes.
class CsvCells {
public:
    /// A cell that has two possible meanings, and was read with one of them.
    struct Warning {
        std::string column;
        std::string text;
    };

    CsvCells() = default;
    /// `names` and `kinds` have an element for each column.
    CsvCells(CsvReading reading, std::vector<std::string> names, std::vector<schema::ColumnKind> kinds);

    /// Reads the cells of the next record, which need to live only during the call.
    void read(const schema::Table::Cells& cells);

    /// Returns the value that is sent for the cell of this column, whose text is `text`: `12.50` for `12,50`.
    [[nodiscard]] std::string_view sent(std::size_t column, std::string_view text) const {
        return sent_[column].empty() ? text : std::string_view(sent_[column]);
    }
    /// Returns the first fault of the record, such as a date in another form than the command line says, with
    /// the name of the column. Empty if there is none.
    [[nodiscard]] const std::string& fault() const { return fault_; }
    [[nodiscard]] const std::vector<Warning>& warnings() const { return warnings_; }

private:
    void read_cell(std::size_t column, std::string_view text);
    void read_number(std::size_t column, std::string_view text);
    void read_decimal_comma(std::size_t column, std::string_view text);
    void take_currency(std::size_t column, std::string_view text, const std::string& currency);
    void read_date(std::size_t column, std::string_view text);
    void read_date_of_form(std::size_t column, std::string_view text);
    void add_fault(std::size_t column, std::string_view text, const std::string& cause);

    CsvReading reading_;
    std::vector<std::string> names_;
    std::vector<schema::ColumnKind> kinds_;
    std::vector<std::size_t> columns_;  ///< columns of numbers or dates
    std::vector<std::string> sent_;     ///< converted value by column; empty if the cell is sent as it is
    std::string currency_;              ///< currency of the file's amounts; empty until one has a currency
    std::string fault_;
    std::vector<Warning> warnings_;
};

}  // namespace data_import::client

// The columns of a CSV file by the names in its header, in any order.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/util/csv.h"

namespace data_import::util {

/// Thrown if the header of a CSV file is wrong. `what()` is a sentence with the number of the header's line,
/// the fault, and the columns that the header must have.
class WrongCsvHeader : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class CsvColumns {
public:
    /// Reads the header. Throws WrongCsvHeader if a required column is missing, or if a column stands twice
    /// or is neither required nor optional.
    CsvColumns(const CsvRecord& header, std::vector<std::string_view> required,
               std::vector<std::string_view> optional = {});

    /// Checks the form of a record. Returns a sentence about what is wrong, such as the number of columns;
    /// nothing if it is right.
    [[nodiscard]] std::optional<std::string> check(const CsvRecord& record) const;
    /// Returns a field; empty for an optional column that the file lacks. `column` is the number of the
    /// column: the required ones are counted from 0, then the optional ones.
    [[nodiscard]] std::string_view field(const CsvRecord& record, std::size_t column) const;

private:
    CsvHeader header_;
    std::vector<std::optional<std::size_t>> positions_;
};

}  // namespace data_import::util

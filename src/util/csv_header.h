// The header of a CSV file: the names of its columns.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "util/csv.h"

namespace data_import::util {

/// Names are in lower case, without blanks around them. Columns without a name behind the last one that has
/// one may stay blank: spreadsheets leave separators there.
class CsvHeader {
public:
    CsvHeader() = default;
    explicit CsvHeader(const CsvRecord& header);

    /// The fault of the header; empty for a right one. A wrong header has no usable names.
    [[nodiscard]] const std::string& error() const { return error_; }
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

    /// The fault in the form of a record; empty for a right one. A right record has a field for each name,
    /// and only blank ones for the columns without a name.
    [[nodiscard]] std::string check(const CsvRecord& record) const;

private:
    std::vector<std::string> names_;
    std::string error_;
    std::size_t width_ = 0;  ///< columns, including those without a name
};

}  // namespace data_import::util

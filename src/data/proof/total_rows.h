// Checks the rows of the files that `data-importctl reconcile` reads: declared totals, and reasons for
// accepting differences.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/util/csv.h"
#include "base/util/csv_columns.h"
#include "data/store/reconciliation.h"

namespace data_import::proof {

/// Reads rows of declared totals: external_account_number,kind,records,amount[,fingerprint,sums]
class TotalRows {
public:
    /// An amount like 1.234: its point was read as a separator of thousands, but may be meant as a decimal
    /// point.
    struct AmbiguousAmount {
        std::size_t line;
        std::string written;
        std::string read;
    };

    /// Reads the header. Throws util::WrongCsvHeader. With `has_decimal_comma`, amounts are written as 12,50
    /// and 1.234,50.
    TotalRows(const util::CsvRecord& header, bool has_decimal_comma);
    /// Appends the record to `rows` in the form that COPY reads. Returns the fault of the record; nothing if
    /// it is right.
    [[nodiscard]] std::optional<std::string> append(const util::CsvRecord& record, std::string& rows);

    [[nodiscard]] const std::optional<AmbiguousAmount>& first_ambiguous() const { return first_ambiguous_; }
    [[nodiscard]] std::size_t ambiguous_amounts() const { return ambiguous_amounts_; }

private:
    [[nodiscard]] std::string read_amount(const util::CsvRecord& record, std::string_view written);

    util::CsvColumns columns_;
    bool has_decimal_comma_;
    std::optional<AmbiguousAmount> first_ambiguous_;
    std::size_t ambiguous_amounts_ = 0;
};

/// Reads rows of reasons for accepting differences: external_account_number,kind,reason
class ReasonRows {
public:
    explicit ReasonRows(const util::CsvRecord& header);
    /// Appends the record to `rows` in the form that COPY reads. Returns the fault of the record; nothing if
    /// the record is right and was appended.
    [[nodiscard]] std::optional<std::string> append(const util::CsvRecord& record, std::string& rows) const;

private:
    util::CsvColumns columns_;
};

}  // namespace data_import::proof

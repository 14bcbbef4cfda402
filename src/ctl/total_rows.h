// The rows of the files of `reconcile`, each checked by itself.
#pragma once

#include <optional>
#include <string>

#include "ctl/csv_columns.h"
#include "store/reconciliation.h"
#include "util/csv.h"

namespace data_import::ctl {

/// external_account_number,kind,records,amount[,fingerprint,sums]
class TotalRows {
public:
    /// As CsvColumns says. `has_decimal_comma`: amounts are written as 12,50 and 1.234,50.
    TotalRows(const util::CsvRecord& header, bool has_decimal_comma);
    /// Appends the record as COPY reads it. Returns its fault, nothing for a right one.
    [[nodiscard]] std::optional<std::string> append(const util::CsvRecord& record, std::string& rows) const;

private:
    CsvColumns columns_;
    bool has_decimal_comma_;
};

/// external_account_number,kind,reason
class ReasonRows {
public:
    explicit ReasonRows(const util::CsvRecord& header);
    /// The same.
    [[nodiscard]] std::optional<std::string> append(const util::CsvRecord& record, std::string& rows) const;

private:
    CsvColumns columns_;
};

}  // namespace data_import::ctl

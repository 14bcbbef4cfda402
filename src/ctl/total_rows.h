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
    explicit TotalRows(const util::CsvRecord& header);
    /// Appends the record as COPY reads it. Answers what is wrong with it, nothing when it is right.
    [[nodiscard]] std::optional<std::string> append(const util::CsvRecord& record, std::string& rows) const;

private:
    CsvColumns columns_;
};

/// external_account_number,kind,reason
class ReasonRows {
public:
    explicit ReasonRows(const util::CsvRecord& header);
    /// Likewise.
    [[nodiscard]] std::optional<std::string> append(const util::CsvRecord& record, std::string& rows) const;

private:
    CsvColumns columns_;
};

}  // namespace data_import::ctl

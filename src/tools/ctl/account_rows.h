// The rows of a file for `account load`, each checked by itself.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/util/csv.h"
#include "base/util/csv_columns.h"
#include "data/store/account_load.h"

namespace data_import::ctl {

/// The columns that the header has to name, in any order.
inline constexpr std::array<std::string_view, 6> account_columns = {
    "external_account_number", "state",          "service_account_number",
    "account_created_at",      "statement_from", "statement_to"};

class AccountRows {
public:
    /// Reads the header. Throws util::WrongCsvHeader if a column is missing, unknown or there twice.
    explicit AccountRows(const util::CsvRecord& header);

    /// Reads a record into `account`, whose views are valid as long as the record. Returns the record's
    /// faults in words; nothing if it has none.
    [[nodiscard]] std::optional<std::string> read(const util::CsvRecord& record,
                                                  store::LoadedAccount& account) const;
    /// Appends the record to `rows`, in the form that PostgreSQL's COPY reads, and returns nothing. If the
    /// record has faults, appends nothing, and returns the faults in words.
    [[nodiscard]] std::optional<std::string> append(const util::CsvRecord& record, std::string& rows) const;

private:
    util::CsvColumns columns_;
};

}  // namespace data_import::ctl

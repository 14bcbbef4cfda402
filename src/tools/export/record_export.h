// Reads the records of accounts, part by part, and writes them as bulk lines.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "data/database/database.h"
#include "data/records/totals.h"
#include "tools/export/bulk_lines.h"
#include "tools/export/request.h"
#include "tools/export/sessions.h"

namespace data_import::exports {

/// The number of accounts that one statement reads (a range).
inline constexpr std::size_t accounts_of_range = 50;
/// The number of accounts in one file (a part). Parts and ranges are counted from the first account of the
/// export, so that equal exports have equal files.
inline constexpr std::size_t accounts_of_part = 1000;

/// The accounts of an export, divided into parts (one file each), which are divided into ranges (one
/// statement each).
class AccountRanges {
public:
    /// Adds the next account. Has to be called in the order of the numbers.
    void add(std::string_view external_account_number);

    [[nodiscard]] std::size_t accounts() const { return accounts_; }
    [[nodiscard]] std::size_t parts() const { return (accounts_ + accounts_of_part - 1) / accounts_of_part; }
    /// Calls `each` for each range of the part with the number `part`, counted from 0. The range has the
    /// accounts whose external account numbers are greater than `behind` and at most `last`. `behind` is the
    /// number of the last account before the range; it is empty for the first range of the export.
    void visit(std::size_t part,
               const std::function<void(const std::string& behind, const std::string& last)>& each) const;

private:
    std::vector<std::string> last_;  ///< number of the last account of each range
    std::size_t accounts_ = 0;
};

/// Returns the numbers that are greater than `behind` and not greater than `last`. `numbers` is sorted.
[[nodiscard]] std::span<const std::string> numbers_in(const std::vector<std::string>& numbers,
                                                      const std::string& behind, const std::string& last);

/// Reads the records of a part, passes them to `sink` as bulk lines, and adds their figures to `totals`,
/// which has an element for each of records::kinds().
void export_records(database::Database& database, const Request& request, const AccountRanges& ranges,
                    std::size_t part, Progress& progress, std::vector<records::KindTotals>& totals,
                    const BulkLines::Sink& sink);

/// Reads the records of a kind without accounts, and passes them to `sink` as bulk lines. Returns their
/// number.
std::int64_t export_records_without_account(database::Database& database, const std::string& kind,
                                            const Request& request, Progress& progress,
                                            const BulkLines::Sink& sink);

}  // namespace data_import::exports

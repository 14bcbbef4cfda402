// The records of accounts as bulk lines, part by part.
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

/// Accounts that one statement reads, and accounts of one file. They are counted from the first one of the
/// export, so that equal exports have equal files.
inline constexpr std::size_t accounts_of_range = 50;
inline constexpr std::size_t accounts_of_part = 1000;

/// The accounts of an export by their ranges.
class AccountRanges {
public:
    /// Adds accounts in the order of their numbers.
    void add(std::string_view external_account_number);

    [[nodiscard]] std::size_t accounts() const { return accounts_; }
    [[nodiscard]] std::size_t parts() const { return (accounts_ + accounts_of_part - 1) / accounts_of_part; }
    /// Calls `each` for the ranges of a part, with the number before a range and the last one in it.
    void visit(std::size_t part,
               const std::function<void(const std::string& behind, const std::string& last)>& each) const;

private:
    std::vector<std::string> last_;  ///< of each range
    std::size_t accounts_ = 0;
};

/// Returns the sorted numbers that lie in a range.
[[nodiscard]] std::span<const std::string> numbers_in(const std::vector<std::string>& numbers,
                                                      const std::string& behind, const std::string& last);

/// Reads the records of a part, in the order of exports; adds their totals.
void export_records(database::Database& database, const Request& request, const AccountRanges& ranges,
                    std::size_t part, Progress& progress, std::vector<records::KindTotals>& totals,
                    const BulkLines::Sink& sink);

/// Reads the records of a kind that belongs to no account, and returns their number.
std::int64_t export_records_without_account(database::Database& database, const std::string& kind,
                                            const Request& request, Progress& progress,
                                            const BulkLines::Sink& sink);

}  // namespace data_import::exports

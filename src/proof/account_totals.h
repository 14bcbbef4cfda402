// What the accounts of a supplier hold, computed from the records themselves (extensions, section 4).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "database/database.h"
#include "json/writer.h"
#include "records/fingerprint.h"
#include "records/kinds.h"
#include "util/decimal_sum.h"

namespace data_import::proof {

struct KindTotals {
    std::int64_t records = 0;
    std::map<std::string, util::DecimalSum, std::less<>> sums = {};
    records::Fingerprint fingerprint = {};
};

struct AccountTotals {
    std::string external_account_number;
    std::vector<KindTotals> kinds;  ///< in the order of records::kinds()
};

/// Which accounts of a supplier, and how long each part of the work may take: there is no limit to the whole.
struct TotalsQuery {
    std::string_view import_supplier;
    std::optional<std::string_view> external_account_number = {};  ///< nothing: all
    std::chrono::seconds timeout_of_part{600};
};

/// Passes the totals of accounts, in whatever state, on one by one, ordered by number (by code point), all
/// from one snapshot, in memory that does not grow with their number or that of their records. `each` may use
/// the database, in the same transaction. False where the one that was asked for is not known. What `each`
/// throws passes through.
[[nodiscard]] bool stream_account_totals(database::Database& database, const TotalsQuery& query,
                                         const std::function<void(const AccountTotals&)>& each);

/// Runs `work` in a transaction that sees one snapshot and may last for days, for the function above.
void with_snapshot(database::Database& database, const std::function<void()>& work);

/// The amount of a line of totals: the sum over all that the kind's amounts are kept apart by, 0 where it has
/// none.
[[nodiscard]] std::string amount_of(const KindTotals& totals, const records::Kind& kind);

/// `{"notes": {"records": 1, "sums": {}, "fingerprint": "..."}}`: the kinds of which there are records.
void write_kinds(json::Writer& writer, const AccountTotals& totals);

}  // namespace data_import::proof

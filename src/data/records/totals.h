// The totals of an account's records (contract, section 12.1).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/util/decimal_sum.h"
#include "data/json/value.h"
#include "data/json/writer.h"
#include "data/records/fingerprint.h"
#include "data/records/kinds.h"

namespace data_import::records {

/// The sums of a kind by the names of its figures: `amount:CHARGE`.
using Sums = std::map<std::string, util::DecimalSum, std::less<>>;

struct KindTotals {
    std::int64_t records = 0;
    Sums sums = {};
    Fingerprint fingerprint = {};
};

/// Adds the totals of other records.
void add(KindTotals& totals, const KindTotals& more);

struct AccountTotals {
    std::string external_account_number;
    std::vector<KindTotals> kinds;  ///< totals of each kind, in the order of kinds()
};

/// Returns the sums that a valid record adds to its kind.
[[nodiscard]] Sums figures_of(const Kind& kind, const json::Value& record);

/// Returns the amount of a kind's totals: the sum of the figure Kind::amount over all its types or units; 0
/// if the kind has no amount.
[[nodiscard]] std::string amount_of(const KindTotals& totals, const Kind& kind);

/// Writes sums as an object: `{"amount:CHARGE": "12.5"}`.
void write_sums(json::Writer& writer, const Sums& sums);

/// Writes the kinds that have records: `{"notes": {"records": 1, "sums": {}, "fingerprint": "..."}}`.
void write_kinds(json::Writer& writer, const AccountTotals& totals);

}  // namespace data_import::records

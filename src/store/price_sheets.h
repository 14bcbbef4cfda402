// Price sheets of market participants' fees: tables data_import.price_sheet and article_price.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "database/call.h"
#include "database/rows.h"
#include "store/provenance.h"

namespace data_import::store {

/// A price sheet as sent, checked.
struct PriceSheet {
    std::string content_digest;  ///< digest by store/content_digest.h
    std::string row;             ///< row by schema/row.h, with the rows of article_prices
};

/// Stores the organisation's sheets that are not there yet, or none at all when one of them cannot be stored.
/// Safe to repeat.
[[nodiscard]] database::Call import_price_sheets(const Provenance& provenance, std::string_view organisation,
                                                 std::span<const PriceSheet> sheets);

enum class PriceSheetRefusal {
    unknown_participant,
    other_content  ///< the organisation has the external_id of the participant with other content, stored or
                   ///< further ahead in the request
};

struct RefusedPriceSheet {
    std::size_t place = 0;  ///< in the request, from 0
    PriceSheetRefusal refusal = PriceSheetRefusal::unknown_participant;
};

/// With refusals nothing was stored; a sheet may be refused for both reasons.
struct PriceSheetsImported {
    std::size_t imported = 0;
    std::size_t already_imported = 0;
    std::vector<RefusedPriceSheet> refused;  ///< in the order of the request
};
[[nodiscard]] PriceSheetsImported read_imported_price_sheets(const database::Rows& rows);

}  // namespace data_import::store

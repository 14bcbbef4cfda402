// Market participants and the price sheets of their fees: tables data_import.market_participant,
// market_participant_contact, price_sheet and article_price.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/call.h"
#include "data/database/rows.h"
#include "data/store/provenance.h"

namespace data_import::store {

struct MarketParticipantContact {
    std::string category;
    std::optional<std::string> name;
    std::optional<std::string> email;
    std::optional<std::string> phone;
    std::optional<std::string> valid_from;  ///< RFC 3339 in UTC
};

/// A market participant as stored (contract, section 4.9).
struct MarketParticipant {
    std::int64_t code = 0;
    std::string code_type;
    std::string name;
    std::string role;
    std::string energy;
    /// The contacts; nothing if none were sent, or if another organisation sent them.
    std::optional<std::vector<MarketParticipantContact>> contact_details;
};

/// An organisation's request to add a participant.
struct SentMarketParticipant {
    std::string_view organisation;
    bool has_contact_details;  ///< contact_details were sent
    std::string row;           ///< JSON that row_of() (store/row.h) made, including contact_details
};

/// Adds a participant. If it exists already, it stays as it is.
[[nodiscard]] database::Call import_market_participant(const Provenance& provenance,
                                                       const SentMarketParticipant& sent);

struct MarketParticipantImported {
    bool created = false;  ///< the participant was added by this call
    MarketParticipant participant;
};
[[nodiscard]] MarketParticipantImported read_imported_market_participant(const database::Rows& rows);

/// A price sheet that was sent and has passed its checks.
struct PriceSheet {
    /// Digest by which a repeat is recognised: util::uuid_digest() of payload::content_of_price_sheet().
    std::string content_digest;
    std::string row;  ///< JSON that row_of() (store/row.h) made, including article_prices
};

/// Stores the organisation's sheets that do not exist yet. Stores none if one of them is refused. Safe to
/// retry.
[[nodiscard]] database::Call import_price_sheets(const Provenance& provenance, std::string_view organisation,
                                                 std::span<const PriceSheet> sheets);

enum class PriceSheetRefusal {
    unknown_participant,
    /// Another sheet has the same organisation, participant and external_id as the refused one, but other
    /// content. The other sheet is stored, or stands earlier in the request.
    other_content
};

struct RefusedPriceSheet {
    std::size_t place = 0;  ///< place in the request, from 0
    PriceSheetRefusal refusal = PriceSheetRefusal::unknown_participant;
};

/// The outcome of the request. If any sheet is refused, nothing was stored. A sheet that is refused for both
/// reasons of PriceSheetRefusal stands twice in `refused`.
struct PriceSheetsImported {
    std::size_t imported = 0;
    std::size_t already_imported = 0;
    std::vector<RefusedPriceSheet> refused;  ///< refused sheets, in the order of the request
};
[[nodiscard]] PriceSheetsImported read_imported_price_sheets(const database::Rows& rows);

}  // namespace data_import::store

// Market participants: tables data_import.market_participant and market_participant_contact.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "database/call.h"
#include "database/rows.h"
#include "store/provenance.h"

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
    std::optional<std::vector<MarketParticipantContact>> contact_details;  ///< nothing where none were sent,
                                                                           ///< or another organisation did
};

/// One organisation's request about a participant.
struct SentMarketParticipant {
    std::string_view organisation;
    bool has_contact_details;
    std::string row;  ///< row by schema/row.h, with the rows of contact_details
};

/// A participant that is there stays as it is.
[[nodiscard]] database::Call import_market_participant(const Provenance& provenance,
                                                       const SentMarketParticipant& sent);

struct MarketParticipantImported {
    bool created = false;  ///< by this call
    MarketParticipant participant;
};
[[nodiscard]] MarketParticipantImported read_imported_market_participant(const database::Rows& rows);

}  // namespace data_import::store

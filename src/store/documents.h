// Documents of accounts that are stored whole and known by their content: tables data_import.delivery_note,
// energy_amount and market_participant_invoice with what belongs to them.
#pragma once

#include <string>

#include "store/database.h"
#include "store/import.h"

namespace data_import::store {

/// One document as sent; everything in it has been checked.
struct Document {
    std::string content_digest;  ///< of store/content_digest.h
    std::string json;            ///< an object; numbers without exponent unless PostgreSQL has no such number
};

// Each stores the document unless the account has one of this content. Safe to repeat.

[[nodiscard]] Call import_delivery_note(const ImportTarget& target, Document document);
[[nodiscard]] Call import_energy_amount(const ImportTarget& target, Document document);
[[nodiscard]] Call import_market_participant_invoice(const ImportTarget& target, Document document);

/// What became of any of these calls.
[[nodiscard]] ImportVerdict read_imported_document(const Rows& rows);

}  // namespace data_import::store

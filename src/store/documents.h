// Documents of accounts that are stored whole and known by their content: tables data_import.delivery_note,
// energy_amount and market_participant_invoice with what belongs to them. Everything in them has been
// checked.
#pragma once

#include <string>

#include "database/call.h"
#include "database/rows.h"
#include "store/import.h"

namespace data_import::store {

enum class DocumentKind { delivery_note, energy_amount, market_participant_invoice };

struct Document {
    std::string content_digest;  ///< of store/content_digest.h
    std::string row;             ///< JSON whose members are columns of the kind's table, or rows of its items
};

/// Stores the document unless the account has one of this content. Safe to repeat.
[[nodiscard]] database::Call import_document(DocumentKind kind, const ImportTarget& target,
                                             Document document);
[[nodiscard]] ImportVerdict read_imported_document(const database::Rows& rows);

}  // namespace data_import::store

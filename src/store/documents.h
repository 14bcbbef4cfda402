// Documents of accounts that are stored whole and known by their content: tables data_import.delivery_note,
// energy_amount and market_participant_invoice with what belongs to them. Everything in them has been
// checked.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "store/database.h"
#include "store/import.h"

namespace data_import::store {

/// A delivery note. Quantities without exponent.
struct DeliveryNote {
    std::string content_digest;  ///< of store/content_digest.h
    std::string_view malo_number;
    std::optional<std::string_view> preceding_reference;
    bool cancelled = false;
    bool validation_status = false;
    std::optional<std::string_view> last_validation_at;
    std::string_view edifact_reference_number;
    struct Amounts {  ///< one element each for every amount
        ArrayText period_start_at;
        ArrayText period_end_at;
        ArrayText product_identifier;
        ArrayText product_identifier_type;
        ArrayText quantity;
        ArrayText quantity_unit;
        ArrayText line_item_identifier;
    } amounts;
};

/// Another document as sent.
struct Document {
    std::string content_digest;  ///< of store/content_digest.h
    std::string json;            ///< an object; numbers without exponent unless PostgreSQL has no such number
};

// Each stores the document unless the account has one of this content. Safe to repeat.

[[nodiscard]] Call import_delivery_note(const ImportTarget& target, DeliveryNote note);
[[nodiscard]] Call import_energy_amount(const ImportTarget& target, Document document);
[[nodiscard]] Call import_market_participant_invoice(const ImportTarget& target, Document document);

/// What became of any of these calls.
[[nodiscard]] ImportVerdict read_imported_document(const Rows& rows);

}  // namespace data_import::store

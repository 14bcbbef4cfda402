#include "store/documents.h"

#include <utility>

namespace data_import::store {

namespace {

Call import_document(const char* name, const char* sql, const ImportTarget& target, Document document) {
    return {.name = name,
            .sql = sql,
            .parameters = {std::string(target.import_supplier), std::string(target.external_account_number),
                           std::string(target.request_id), std::string(target.api_key_id),
                           std::move(document.content_digest), std::move(document.json)}};
}

}  // namespace

Call import_delivery_note(const ImportTarget& target, DeliveryNote note) {
    const auto text_or_null = [](const std::optional<std::string_view>& text) {
        return text ? Parameter(*text) : std::nullopt;
    };
    DeliveryNote::Amounts& amounts = note.amounts;
    return {
        .name = "import_delivery_note",
        .sql =
            "SELECT data_import.delivery_note_import(data_import.account_key($1, $2), $1, $3, $4, $5, $6, "
            "$7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)",
        .parameters = {std::string(target.import_supplier), std::string(target.external_account_number),
                       std::string(target.request_id), std::string(target.api_key_id),
                       std::move(note.content_digest), std::string(note.malo_number),
                       text_or_null(note.preceding_reference), note.cancelled ? "t" : "f",
                       note.validation_status ? "t" : "f", text_or_null(note.last_validation_at),
                       std::string(note.edifact_reference_number), amounts.period_start_at.take(),
                       amounts.period_end_at.take(), amounts.product_identifier.take(),
                       amounts.product_identifier_type.take(), amounts.quantity.take(),
                       amounts.quantity_unit.take(), amounts.line_item_identifier.take()}};
}

Call import_energy_amount(const ImportTarget& target, Document document) {
    return import_document("import_energy_amount",
                           "SELECT data_import.energy_amount_import("
                           "data_import.account_key($1, $2), $1, $3, $4, $5, $6)",
                           target, std::move(document));
}

Call import_market_participant_invoice(const ImportTarget& target, Document document) {
    return import_document("import_market_participant_invoice",
                           "SELECT data_import.market_participant_invoice_import("
                           "data_import.account_key($1, $2), $1, $3, $4, $5, $6)",
                           target, std::move(document));
}

ImportVerdict read_imported_document(const Rows& rows) {
    return parse_import_verdict(rows.text(0, 0));
}

}  // namespace data_import::store

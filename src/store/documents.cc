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

Call import_delivery_note(const ImportTarget& target, Document document) {
    return import_document("import_delivery_note",
                           "SELECT data_import.delivery_note_import("
                           "data_import.account_key($1, $2), $1, $3, $4, $5, $6)",
                           target, std::move(document));
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

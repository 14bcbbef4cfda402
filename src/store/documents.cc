#include "store/documents.h"

#include <utility>

namespace data_import::store {

namespace {

struct Statement {
    const char* name;
    const char* sql;
};

// in the order of DocumentKind
constexpr Statement statements[] = {
    {"import_delivery_note",
     "SELECT data_import.delivery_note_import(data_import.account_key($1, $2), $1, $3, $4, $5, $6)"},
    {"import_energy_amount",
     "SELECT data_import.energy_amount_import(data_import.account_key($1, $2), $1, $3, $4, $5, $6)"},
    {"import_market_participant_invoice",
     "SELECT data_import.market_participant_invoice_import(data_import.account_key($1, $2), $1, $3, $4, $5, "
     "$6)"},
};

}  // namespace

database::Call import_document(DocumentKind kind, const ImportTarget& target, Document document) {
    const Statement& statement = statements[static_cast<std::size_t>(kind)];
    return {.name = statement.name,
            .sql = statement.sql,
            .parameters = {std::string(target.import_supplier), std::string(target.external_account_number),
                           std::string(target.request_id), std::string(target.api_key_id),
                           std::move(document.content_digest), std::move(document.row)}};
}

ImportVerdict read_imported_document(const database::Rows& rows) {
    return parse_import_verdict(rows.text(0, 0));
}

}  // namespace data_import::store

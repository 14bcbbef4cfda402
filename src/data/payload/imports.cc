#include "data/payload/imports.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "data/payload/account_scoped.h"
#include "data/payload/declarations.h"

namespace data_import::payload {

namespace {

DeclaredImport list(std::string_view path, std::string_view stores, std::string_view field,
                    const schema::Object& body) {
    return {.path = path, .stores = stores, .field = field, .is_list = true, .body = body};
}

DeclaredImport document(std::string_view path, std::string_view stores, std::string_view field,
                        const schema::Object& document, std::string_view meaning) {
    return {.path = path,
            .stores = stores,
            .field = field,
            .is_list = false,
            .body = account_scoped().need(field, document, meaning),
            .is_document = true};
}

DeclaredImport whole(std::string_view path, std::string_view stores, const schema::Object& body,
                     bool in_bulk) {
    return {.path = path, .stores = stores, .field = {}, .is_list = false, .body = body, .in_bulk = in_bulk};
}

}  // namespace

const std::vector<DeclaredImport>& imports() {
    static const std::vector<DeclaredImport> all = {
        list("/v1/data-import/notes/create/", "notes", "notes", notes()),
        list("/v1/data-import/transactions/create/", "transactions", "transactions", transactions()),
        list("/v1/data-import/historical-statements/create/", "historical_statements", "statements",
             historical_statements()),
        document("/v1/data-import/delivery-note/create/", "delivery_notes", "delivery_note", delivery_note(),
                 "The delivery note."),
        document("/v1/data-import/energy-amount/create/", "energy_amounts", "energy_amount", energy_amount(),
                 "The energy amount."),
        document("/v1/data-import/market-participant-invoice/create/", "market_participant_invoices",
                 "market_participant_invoice", market_participant_invoice(), "The invoice."),
        whole("/v1/data-import/payment-instruction/create/", "payment_instructions",
              payment_instruction([](std::string_view) { return true; }), false),
        whole("/v1/data-import/market-participant/import/", "market_participants", market_participant(),
              true),
        list("/v1/data-import/market-participant-fees/import/", "price_sheets", "price_sheets",
             price_sheets()),
    };
    return all;
}

const DeclaredImport& import_of(std::string_view stores) {
    const auto found = std::ranges::find(imports(), stores, &DeclaredImport::stores);
    if (found == imports().end()) throw std::out_of_range("no import brings " + std::string(stores));
    return *found;
}

const DeclaredImport* find_import(std::string_view path) {
    const auto found = std::ranges::find(imports(), path, &DeclaredImport::path);
    return found == imports().end() ? nullptr : &*found;
}

}  // namespace data_import::payload

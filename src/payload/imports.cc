#include "payload/imports.h"

#include <algorithm>

#include "payload/account_scoped.h"
#include "payload/declarations.h"
#include "payload/paths.h"

namespace data_import::payload {

namespace {

Import list(std::string_view path, std::string_view stores, std::string_view field,
            const schema::Object& body) {
    return {.path = path, .stores = stores, .field = field, .is_list = true, .body = body};
}

Import document(std::string_view path, std::string_view stores, std::string_view field,
                const schema::Object& document, std::string_view meaning) {
    return {.path = path,
            .stores = stores,
            .field = field,
            .is_list = false,
            .body = account_scoped().need(field, document, meaning),
            .is_document = true};
}

Import whole(std::string_view path, std::string_view stores, const schema::Object& body, bool in_bulk) {
    return {.path = path, .stores = stores, .field = {}, .is_list = false, .body = body, .in_bulk = in_bulk};
}

}  // namespace

const std::vector<Import>& imports() {
    static const std::vector<Import> all = {
        list(paths::notes, "notes", "notes", notes()),
        list(paths::transactions, "transactions", "transactions", transactions()),
        list(paths::historical_statements, "historical_statements", "statements", historical_statements()),
        document(paths::delivery_note, "delivery_notes", "delivery_note", delivery_note(),
                 "The delivery note."),
        document(paths::energy_amount, "energy_amounts", "energy_amount", energy_amount(),
                 "The energy amount."),
        document(paths::market_participant_invoice, "market_participant_invoices",
                 "market_participant_invoice", market_participant_invoice(), "The invoice."),
        whole(paths::payment_instruction, "payment_instructions",
              payment_instruction([](std::string_view) { return true; }), false),
        whole(paths::market_participant, "market_participants", market_participant(), true),
        list(paths::price_sheets, "price_sheets", "price_sheets", price_sheets()),
    };
    return all;
}

const Import* find_import(std::string_view path) {
    const auto found = std::ranges::find(imports(), path, &Import::path);
    return found == imports().end() ? nullptr : &*found;
}

}  // namespace data_import::payload

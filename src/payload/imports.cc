#include "payload/imports.h"

#include <algorithm>

#include "payload/about.h"
#include "payload/account_scoped.h"
#include "payload/declarations.h"
#include "payload/transactions.h"

namespace data_import::payload {

const std::vector<Import>& imports() {
    static const std::vector<Import> all = {
        {"/v1/data-import/notes/create/", notes()},
        {"/v1/data-import/transactions/create/", transactions()},
        {"/v1/data-import/historical-statements/create/", historical_statements()},
        {"/v1/data-import/delivery-note/create/",
         account_scoped().need("delivery_note", delivery_note(), about::delivery_note), true, true},
        {"/v1/data-import/energy-amount/create/",
         account_scoped().need("energy_amount", energy_amount(), about::energy_amount), true, true},
        {"/v1/data-import/market-participant-invoice/create/",
         account_scoped().need("market_participant_invoice", market_participant_invoice(),
                               about::market_participant_invoice),
         true, true},
        {"/v1/data-import/payment-instruction/create/",
         payment_instruction([](std::string_view) { return true; }), false},
        {"/v1/data-import/market-participant/import/", market_participant()},
        {"/v1/data-import/market-participant-fees/import/", price_sheets()},
    };
    return all;
}

const Import* find_import(std::string_view path) {
    const auto found = std::ranges::find(imports(), path, &Import::path);
    return found == imports().end() ? nullptr : &*found;
}

}  // namespace data_import::payload

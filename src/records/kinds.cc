#include "records/kinds.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "payload/declarations.h"
#include "payload/transactions.h"

namespace data_import::records {

namespace {

constexpr Figure amounts_of_transactions[] = {{.name = "amount", .by = "type", .field = "amount"}};
constexpr Figure amounts_of_statements[] = {{.name = "gross_amount", .field = "gross_amount"}};
constexpr Figure amounts_of_delivery_notes[] = {
    {.name = "amounts", .field = "amounts.quantity", .counts_items = true},
    {.name = "quantity", .by = "amounts.quantity_unit", .field = "amounts.quantity"}};
constexpr Figure amounts_of_energy_amounts[] = {
    {.name = "quantity", .by = "quantity_unit", .field = "quantity"}};
constexpr Figure amounts_of_invoices[] = {
    {.name = "amount_total", .field = "amount_total"},
    {.name = "line_items", .field = "line_items.position", .counts_items = true}};

/// What of its payload is the record: the members beside the account.
schema::Object payment_instruction() {
    const schema::Schema text = schema::text(1, 512);
    return schema::object().need("vendor", text).need("reference", text).need("type", text);
}

}  // namespace

std::span<const Kind> kinds() {
    static const std::array all = {
        Kind{"notes", payload::note(), {}, ""},
        Kind{"transactions", payload::transaction(), amounts_of_transactions, "amount"},
        Kind{"historical_statements", payload::historical_statement(), amounts_of_statements, "gross_amount"},
        Kind{"delivery_notes", payload::delivery_note(), amounts_of_delivery_notes, "quantity"},
        Kind{"energy_amounts", payload::energy_amount(), amounts_of_energy_amounts, "quantity"},
        Kind{"market_participant_invoices", payload::market_participant_invoice(), amounts_of_invoices,
             "amount_total"},
        Kind{"payment_instructions", payment_instruction(), {}, ""}};
    return all;
}

std::size_t place_of(std::string_view name) {
    const auto found = std::ranges::find(kinds(), name, &Kind::name);
    if (found == kinds().end()) throw std::out_of_range("there are no records called " + std::string(name));
    return static_cast<std::size_t>(found - kinds().begin());
}

const Kind& kind_of(std::string_view name) {
    return kinds()[place_of(name)];
}

}  // namespace data_import::records

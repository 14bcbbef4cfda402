#include "data/records/kinds.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "data/payload/declarations.h"
#include "data/schema/declared.h"

namespace data_import::records {

namespace {

constexpr SentColumn sent_of_notes[] = {
    {"created_at", "CASE WHEN record.has_created_at THEN record.created_at END"},
    {"is_pinned", "CASE WHEN record.has_is_pinned THEN record.is_pinned END"},
    {"document_paths_document_path", "record.document_paths"}};

constexpr Figure figures_of_transactions[] = {{.name = "amount", .by = "type", .field = "amount"}};
constexpr SentColumn sent_of_transactions[] = {
    {"transaction_date", "coalesce(record.requested_transaction_date, record.transaction_date)"}};
constexpr std::string_view moved_transaction =
    "CASE WHEN record.requested_transaction_date IS NOT NULL THEN record.transaction_date END";
constexpr std::string_view of_transaction =
    "item.transaction_id = record.transaction_id AND item.copy = record.copy AND record.type = "
    "'SUPPLY_CHARGE'";
constexpr std::string_view of_taxed_transaction =
    "item.transaction_id = record.transaction_id AND item.copy = record.copy AND record.has_tax_items";
constexpr Items items_of_transactions[] = {{.field = "line_items",
                                            .table = "transaction_line_item",
                                            .of_record = of_transaction,
                                            .order = "position"},
                                           {.field = "tax_items",
                                            .table = "transaction_tax_item",
                                            .of_record = of_taxed_transaction,
                                            .order = "position"}};

constexpr Figure figures_of_statements[] = {{.name = "gross_amount", .field = "gross_amount"}};
constexpr SentColumn sent_of_statements[] = {
    {"is_annulled", "CASE WHEN record.has_is_annulled THEN record.is_annulled END"}};

constexpr Figure figures_of_delivery_notes[] = {
    {.name = "amounts", .field = "amounts.quantity", .counts_items = true},
    {.name = "quantity", .by = "amounts.quantity_unit", .field = "amounts.quantity"}};

constexpr Figure figures_of_energy_amounts[] = {
    {.name = "quantity", .by = "quantity_unit", .field = "quantity"}};

constexpr Figure figures_of_invoices[] = {
    {.name = "amount_total", .field = "amount_total"},
    {.name = "line_items", .field = "line_items.position", .counts_items = true}};
constexpr Items items_of_invoices[] = {
    {.field = "line_items", .call = "data_import.invoice_line_items(record.line_items)", .order = "ordinal"},
    {.field = "tax_amounts",
     .call = "data_import.invoice_tax_amounts(record.tax_amounts)",
     .order = "ordinal"}};

constexpr std::string_view id_of_document = "uuid_send(record.content_digest)";

/// Declares the record of a payment instruction: the members that its payload has besides the account.
schema::Object payment_instruction() {
    const schema::Schema text = schema::text(1, 512);
    return schema::object().need("vendor", text).need("reference", text).need("type", text);
}

std::string identity_of_transaction(const json::Value& transaction) {
    return std::string(transaction.at("transaction_id").text());
}

std::string identity_of_statement(const json::Value& statement) {
    return std::string(statement.at("statement_id").text());
}

std::string identity_of_instruction(const json::Value& instruction) {
    return (std::string(instruction.at("vendor").text()) += '\0') += instruction.at("reference").text();
}

}  // namespace

std::span<const Kind> kinds() {
    static const std::array all = {
        Kind{.name = "notes",
             .record = payload::note(),
             .table = "note",
             .sent_columns = sent_of_notes,
             .condition = "NOT record.is_by_service",
             .id_name = "data_import.name_of_note(record.identity, record.has_created_at, record.created_at)",
             // a note without created_at that follows the same note with one is a repeat
             .comes_first = "NOT record.has_created_at",
             .identity = payload::identity_of_note},
        Kind{.name = "transactions",
             .record = payload::transaction(),
             .table = "financial_transaction",
             .items = items_of_transactions,
             .sent_columns = sent_of_transactions,
             .moved_to = moved_transaction,
             .id_name = "data_import.name_of_transaction(record.transaction_id, record.copy)",
             .copy = "copy",
             .figures = figures_of_transactions,
             .amount = "amount",
             .identity = identity_of_transaction},
        Kind{.name = "historical_statements",
             .record = payload::historical_statement(),
             .table = "historical_statement",
             .sent_columns = sent_of_statements,
             .id_name = "data_import.bytes_of(record.statement_id)",
             .figures = figures_of_statements,
             .amount = "gross_amount",
             .identity = identity_of_statement},
        Kind{.name = "delivery_notes",
             .record = payload::delivery_note(),
             .table = "delivery_note",
             .id_name = id_of_document,
             .figures = figures_of_delivery_notes,
             .amount = "quantity"},
        Kind{.name = "energy_amounts",
             .record = payload::energy_amount(),
             .table = "energy_amount",
             .id_name = id_of_document,
             .figures = figures_of_energy_amounts,
             .amount = "quantity"},
        Kind{.name = "market_participant_invoices",
             .record = payload::market_participant_invoice(),
             .table = "market_participant_invoice",
             .items = items_of_invoices,
             .id_name = id_of_document,
             .figures = figures_of_invoices,
             .amount = "amount_total"},
        Kind{.name = "payment_instructions",
             .record = payment_instruction(),
             .table = "payment_instruction",
             .id_name = "data_import.name_of_payment_instruction(record.vendor, record.reference)",
             .identity = identity_of_instruction}};
    return all;
}

const Kind* find_kind(std::string_view name) {
    const auto found = std::ranges::find(kinds(), name, &Kind::name);
    return found == kinds().end() ? nullptr : &*found;
}

const Kind& kind_of(std::string_view name) {
    const Kind* const found = find_kind(name);
    if (found == nullptr) throw std::out_of_range("there are no records called " + std::string(name));
    return *found;
}

std::size_t place_of(std::string_view name) {
    return static_cast<std::size_t>(&kind_of(name) - kinds().data());
}

std::vector<std::string> sums_of(const Kind& kind) {
    std::vector<std::string> names;
    for (const Figure& figure : kind.figures) {
        const std::string name(figure.name);
        if (figure.by.empty()) {
            names.push_back(name);
            continue;
        }
        const std::vector<std::string> values = schema::listed_values(kind.record, figure.by);
        if (values.empty()) names.push_back(name + ':');
        for (const std::string& value : values) names.push_back(name + ':' + value);
    }
    return names;
}

}  // namespace data_import::records

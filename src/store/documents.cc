#include "store/documents.h"

#include <array>
#include <span>
#include <string_view>

#include "store/provenance.h"

namespace data_import::store {

namespace {

struct Kind {
    ImportFunction function;
    std::span<const std::string_view> items;  ///< whose rows the function takes behind the document's
};

constexpr std::string_view invoice_items[] = {"line_items", "tax_amounts"};

using enum util::ElementType;

// key of the account, supplier, digest of the content; the rows have request_id and api_key_id
constexpr std::array document_fields = {uuid, text, uuid};
constexpr std::array figure_types = {text, numeric};

/// More in a call would cost more than a call does: PostgreSQL looks for the amounts of each from the first
/// of all.
constexpr std::size_t most_delivery_notes = 12;

// in the order of DocumentKind
constexpr Kind kinds[] = {
    {{"import_delivery_notes",
      "SELECT request, verdict FROM unnest(data_import.delivery_notes_import($1, $2, $3, $4, $5, $6, $7, $8, "
      "$9, $10, $11, $12, $13, $14, $15, $16)) WITH ORDINALITY AS answer (verdict, request)",
      document_fields, most_delivery_notes},
     {}},
    {{"import_energy_amounts",
      "SELECT request, verdict FROM unnest(data_import.energy_amounts_import($1, $2, $3, $4, $5, $6, $7, "
      "$8)) WITH ORDINALITY AS answer (verdict, request)",
      document_fields},
     {}},
    {{"import_market_participant_invoices",
      "SELECT request, verdict FROM unnest(data_import.market_participant_invoices_import($1, $2, $3, $4, "
      "$5, $6, $7, $8, $9, $10)) WITH ORDINALITY AS answer (verdict, request)",
      document_fields},
     invoice_items},
};

std::string rows_with(std::string_view columns, const Document& document, std::string_view items) {
    std::string rows;
    const auto sent = document.item_rows.find(items);
    if (sent == document.item_rows.end()) return rows;
    for (const std::string& row : sent->second) append_row(rows, columns, row);
    return rows;
}

}  // namespace

Import import_document(DocumentKind kind, const ImportTarget& target, const Document& document) {
    const Kind& carried_out = kinds[static_cast<std::size_t>(kind)];
    Import import(carried_out.function, target);
    const std::string key = text_column("account_key", import.fields.front()) +
                            text_column("content_digest", document.content_digest);
    const std::string provenance =
        columns_of({.request_id = target.request_id, .api_key_id = target.api_key_id});
    append_row(import.json.emplace_back(), key + provenance, document.row);
    for (const std::string_view items : carried_out.items)
        import.json.push_back(rows_with(key, document, items));
    import.content = document.content_digest;
    import.fields.resize(2);
    import.fields.push_back(document.content_digest);
    RowSet& figures = import.rows.emplace_back(figure_types);
    figures.add(1, {"records", "1"});
    for (const auto& [name, sum] : document.figures) figures.add(1, {name, sum.to_text()});
    if (!document.item_columns.empty()) import.rows.emplace_back(document.item_columns);
    return import;
}

}  // namespace data_import::store

#include "store/documents.h"

#include <array>
#include <string_view>

#include "store/provenance.h"

namespace data_import::store {

namespace {

using enum util::ElementType;

// key of the account, supplier, digest of the content; the rows have request_id and api_key_id
constexpr std::array document_fields = {uuid, text, uuid};
constexpr std::array figure_types = {text, numeric};

/// More in a call would cost more than a call does: PostgreSQL looks for the amounts of each from the first
/// of all.
constexpr std::size_t most_delivery_notes = 12;

// in the order of DocumentKind
constexpr ImportFunction functions[] = {
    {"import_delivery_notes",
     "SELECT request, verdict FROM unnest(data_import.delivery_notes_import($1, $2, $3, $4, $5, $6, $7, $8, "
     "$9, $10, $11, $12, $13, $14, $15)) WITH ORDINALITY AS answer (verdict, request)",
     document_fields, most_delivery_notes},
    {"import_energy_amounts",
     "SELECT request, verdict FROM unnest(data_import.energy_amounts_import($1, $2, $3, $4, $5, $6, $7)) "
     "WITH ORDINALITY AS answer (verdict, request)",
     document_fields},
    {"import_market_participant_invoices",
     "SELECT request, verdict FROM unnest(data_import.market_participant_invoices_import($1, $2, $3, $4, "
     "$5, $6, $7)) WITH ORDINALITY AS answer (verdict, request)",
     document_fields},
};

}  // namespace

Import import_document(DocumentKind kind, const ImportTarget& target, const Document& document) {
    Import import(functions[static_cast<std::size_t>(kind)], target);
    append_row(import.row,
               text_column("account_key", import.fields.front()) +
                   text_column("content_digest", document.content_digest) +
                   columns_of({.request_id = target.request_id, .api_key_id = target.api_key_id}),
               document.row);
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

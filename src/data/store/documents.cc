#include "data/store/documents.h"

#include <array>
#include <limits>
#include <map>
#include <utility>

#include "data/store/provenance.h"

namespace data_import::store {

namespace {

using enum database::ElementType;

/// The element types of the parameters that have one element for each document of a call: account key,
/// supplier, content digest. The digest is a uuid, because util::uuid_digest() makes it. The request_id and
/// the api_key_id are in the JSON of the document's row instead (Import::row).
constexpr std::array document_fields = {uuid, text, uuid};
constexpr std::array figure_types = {text, numeric};

/// The most documents in a call, for documents with item columns (ImportedDocument). For more documents, a
/// second call costs less than a longer one, because PostgreSQL looks for the items of each document from the
/// first item of the call on.
constexpr std::size_t most_with_items = 12;

ImportFunction make_function(std::string_view kind, std::size_t item_columns) {
    // The parameters of the function, in this order:
    //   - the JSON of the documents' rows
    //   - an array for each of document_fields
    //   - the owners of the figures: for each figure, the place in the call, from 1, of its document
    //   - an array for each of figure_types
    //   - if documents have item columns: the bounds of the items, then an array for each item column
    // RowSet::take_parameters() describes owners and bounds.
    const std::size_t parameters =
        1 + document_fields.size() + 1 + figure_types.size() + (item_columns == 0 ? 0 : 1 + item_columns);
    std::string sql =
        import_sql("documents_import",
                   "generate_subscripts(documents_import, 1) AS request, unnest(documents_import) AS verdict",
                   parameters);
    sql.insert(sql.size() - 1, ", p_kind => '" + std::string(kind) + "'");
    return {"import_" + std::string(kind), std::move(sql), document_fields,
            item_columns == 0 ? std::numeric_limits<std::size_t>::max() : most_with_items};
}

/// Returns the ImportFunction for documents of this kind that have `item_columns` arrays of items
/// (ImportedDocument::item_columns). The result lives as long as the program, because imports point to it.
const ImportFunction& function_of(std::string_view kind, std::size_t item_columns) {
    static std::map<std::string, ImportFunction, std::less<>> functions;
    const auto known = functions.find(kind);
    return known != functions.end()
               ? known->second
               : functions.emplace(kind, make_function(kind, item_columns)).first->second;
}

}  // namespace

Import import_document(std::string_view kind, const ImportTarget& target, const ImportedDocument& document) {
    Import import(function_of(kind, document.item_columns.size()), target);
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

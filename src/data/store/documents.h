// Documents of accounts, which are stored whole and recognised by their content: the kinds of records whose
// import is a document (payload/imports.h). Their content has been checked.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/util/decimal_sum.h"
#include "data/store/import.h"

namespace data_import::store {

/// The figures of a document in receipts, besides the count of records (sql/schema/03-receipts.sql).
using Figures = std::map<std::string, util::DecimalSum, std::less<>>;

struct ImportedDocument {
    /// Digest by which a repeat is recognised: util::uuid_digest() of schema::content_text() of the document.
    std::string content_digest;
    std::string row;  ///< JSON object whose members are columns of the kind's table
    /// The items of the document, one array for each field of an item. The arrays may have different lengths,
    /// because a text that all items share stands in its array once (row_of()). All documents of a kind have
    /// the same number of arrays; no arrays: `row` has the whole document.
    std::vector<database::ArrayBinary> item_columns;
    Figures figures;
};

/// Stores the document as a record of this kind, unless the account has one with the same content. Calls
/// data_import.documents_import (sql/schema/18-documents.sql). Safe to retry. The answer has only the
/// verdict: see read_import_verdict().
[[nodiscard]] Import import_document(std::string_view kind, const ImportTarget& target,
                                     const ImportedDocument& document);

}  // namespace data_import::store

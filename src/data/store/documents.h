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
    std::string content_digest;  ///< util::uuid_digest() of the text by which a repeat is recognised
    std::string row;             ///< JSON object whose members are columns of the kind's table
    std::vector<database::ArrayBinary> item_columns;  ///< an array for each field of the row's items; all
                                                      ///< documents of a kind have the same number of arrays
    Figures figures;
};

/// Stores the document as a record of this kind, unless the account has one with the same content. Calls
/// data_import.documents_import (sql/schema/18-documents.sql). Safe to retry. The answer has only the
/// verdict: see read_import_verdict().
[[nodiscard]] Import import_document(std::string_view kind, const ImportTarget& target,
                                     const ImportedDocument& document);

}  // namespace data_import::store

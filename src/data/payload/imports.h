// All imports, each with its address, its payload and the records that it brings.
#pragma once

#include <string_view>
#include <vector>

#include "data/schema/schema.h"

namespace data_import::payload {

struct DeclaredImport {
    std::string_view path;
    std::string_view stores;  ///< the kind of the records that it stores: `notes`
    std::string_view field;   ///< field of the body that holds the records; empty: the body is the record
    bool is_list;             ///< the field is an array of records
    schema::Object body;
    bool in_bulk = true;  ///< it may be a line of a bulk request (contract, section 11.1)
    /// A success is answered by 201 with the document, whether it is new or was stored already. A bulk
    /// request may ask that such answers are left out, because the sender knows the document.
    bool is_document = false;
};

/// Returns all imports. The declaration of payment instructions takes any vendor, because only an
/// installation knows its vendors.
[[nodiscard]] const std::vector<DeclaredImport>& imports();

/// Returns the import of this kind of records. Throws std::out_of_range if there is none.
[[nodiscard]] const DeclaredImport& import_of(std::string_view stores);

/// Returns the import whose DeclaredImport::path is `path`; null if there is none. `path` must not contain a
/// query.
[[nodiscard]] const DeclaredImport* find_import(std::string_view path);

}  // namespace data_import::payload

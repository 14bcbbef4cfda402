// Endpoints that import one document, an object beside the account, and answer the request body as validated
// (specification 4.2, 4.3 and 4.6; decisions, section 5).
#pragma once

#include <string>
#include <string_view>

#include "http/endpoint.h"
#include "store/documents.h"

namespace data_import::api {

/// The properties in which such endpoints differ.
struct ValidatedImport {
    std::string_view path;
    std::string_view summary;
    std::string_view example;  ///< example of a request body, and of its answer
    std::string_view field;    ///< the document's field in the payload
    std::string_view meaning;  ///< meaning of that field, for the documentation
    schema::Object document;
    store::DocumentKind kind;
    std::string_view record;  ///< name of the kind of records that it is
};

/// A document whose canonical text is that of one that the account has is not stored again. A field that is
/// null and one that is not there make different contents.
[[nodiscard]] http::Endpoint validated_import(const ValidatedImport& declared);

}  // namespace data_import::api

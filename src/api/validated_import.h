// Endpoints that import one document, an object beside the account, and answer the request body as validated
// (contract, sections 5.2, 5.3 and 5.6).
#pragma once

#include <string_view>

#include "http/endpoint.h"

namespace data_import::api {

/// The properties in which such endpoints differ, beside their kind of records.
struct ValidatedImport {
    std::string_view path;  ///< path of a document among payload::imports()
    std::string_view summary;
    std::string_view example;  ///< example of a request body, and of its answer
};

/// A document whose canonical text is that of one that the account has is not stored again. A field that is
/// null and one that is not there make different contents.
[[nodiscard]] http::Endpoint validated_import(const ValidatedImport& declared);

}  // namespace data_import::api

// Answers requests with a document that does not change while the service runs. The document is compressed
// for clients that take gzip, and has an ETag, so that clients need not fetch it again (RFC 9110, sections
// 8.8.3, 12.5.3 and 13.1.2).
#pragma once

#include <string>
#include <string_view>

#include "service/http/endpoint.h"
#include "service/http/request.h"

namespace data_import::http {

class FixedDocument {
public:
    /// `text` is JSON.
    explicit FixedDocument(std::string text);

    /// Answers 200 with the document, or 304 without it if the client has it.
    void answer(const Request& request, Responder& responder);

private:
    std::string text_;
    std::string packed_;  ///< the compressed text; empty until the first client takes gzip
    std::string etag_;
    std::string packed_etag_;
};

/// Returns a `run` that answers every request with the document.
[[nodiscard]] Run run_of(FixedDocument document);

}  // namespace data_import::http

#include "service/api/endpoints.h"
#include "service/http/fixed_document.h"
#include "service/openapi/service_document.h"

namespace data_import::api {

namespace {

schema::Object answer() {
    const auto part = schema::any_object();
    const auto parts = schema::array(part);
    return schema::object()
        .need("openapi", schema::text(1, 16),
              "Version of the OpenAPI specification that the document follows.")
        .need("info", part, "What the service is, and what a client has to know about all endpoints.")
        .need("servers", parts, "The server of this document.")
        .need("tags", parts, "The groups of the endpoints.")
        .need("paths", part, "The endpoints.")
        .need("components", part, "Parts that the endpoints share.");
}

}  // namespace

http::Endpoint openapi_json(std::vector<http::Endpoint> others) {
    http::Endpoint endpoint{.method = "GET",
                            .path = "/v1/openapi.json",
                            .summary = "Return this document.",
                            .needs_token = false,
                            .answers = {{200, "The OpenAPI document of this service.", answer()}},
                            .waits = false,
                            .has_etag = true};
    others.push_back(endpoint);
    endpoint.run = http::run_of(http::FixedDocument(openapi::document(others)));
    return endpoint;
}

}  // namespace data_import::api

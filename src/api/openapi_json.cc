#include "api/endpoints.h"
#include "database/database.h"
#include "openapi/service_document.h"

namespace data_import::api {

http::Endpoint openapi_json(std::vector<http::Endpoint> others) {
    http::Endpoint endpoint{.method = "GET",
                            .path = "/v1/openapi.json",
                            .summary = "Give this document.",
                            .needs_token = false,
                            .answers = {{200, "The OpenAPI document of this service.", schema::object()}}};
    others.push_back(endpoint);
    endpoint.run = [document = openapi::document(others)](const http::Context&, database::Database&,
                                                          http::Responder& responder) {
        responder.send({.body = document});
    };
    endpoint.waits = false;
    return endpoint;
}

}  // namespace data_import::api

#include "api/endpoints.h"
#include "store/schema_state.h"
#include "store/schema_version.h"

namespace data_import::api {

namespace {

constexpr std::string_view good = R"({"status":"ok"})";

std::vector<http::Answer> answers() {
    return {{200, "All is well.", schema::object().need("status", schema::choice({"ok"}))}};
}

void answer_health(const http::Context&, store::Database&, http::Responder& responder) {
    responder.send({.body = std::string(good)});
}

// A newer schema serves too: migrations are compatible with the programs of the version before.
http::Reply reply_readiness(const http::Context&, const store::Rows& rows) {
    if (store::read_schema_version(rows) < store::schema_version) {
        throw http::Problem{http::Code::service_unavailable,
                            "The database is not migrated: data-importctl db migrate brings it up to date."};
    }
    return {.body = std::string(good)};
}

}  // namespace

http::Endpoint healthz() {
    return {.method = "GET",
            .path = "/healthz",
            .summary = "Tell whether the workers answer.",
            .needs_token = false,
            .answers = answers(),
            .run = answer_health,
            .waits = false};
}

http::Endpoint readyz(const Options& options) {
    return {.method = "GET",
            .path = "/readyz",
            .summary = "Tell whether requests can be served: the database answers and is migrated.",
            .needs_token = false,
            .answers = answers(),
            .plan =
                [check = options.check_installation](const http::Context&) {
                    check();
                    return store::find_schema_version();
                },
            .reply = reply_readiness};
}

}  // namespace data_import::api

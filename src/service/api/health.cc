#include <memory>

#include "data/database/database.h"
#include "data/store/readiness.h"
#include "data/store/schema_version.h"
#include "service/api/endpoints.h"

namespace data_import::api {

namespace {

constexpr std::string_view good = R"({"status":"ok"})";

std::vector<http::DocumentedAnswer> answers() {
    return {
        {200, "All is well.", schema::object().need("status", schema::choice({"ok"}), "Nothing is wrong.")}};
}

void answer_health(const http::Context&, database::Database&, http::Responder& responder) {
    responder.send({.body = std::string(good)});
}

// A newer schema is accepted, too: every migration is compatible with the programs of the version before.
void require_migrated(std::int64_t version) {
    if (version >= store::schema_version) return;
    throw http::Problem{Code::service_unavailable,
                        "The database is not migrated: data-importctl db migrate updates it."};
}

}  // namespace

http::Endpoint healthz() {
    return {.method = "GET",
            .path = "/healthz",
            .summary = "Check whether the workers answer.",
            .needs_token = false,
            .answers = answers(),
            .run = answer_health,
            .waits = false};
}

http::Endpoint readyz(const Options& options) {
    return {
        .method = "GET",
        .path = "/readyz",
        .summary = "Check whether requests can be served: the database answers, is migrated and can write.",
        .needs_token = false,
        .answers = answers(),
        .run = [check = options.check_installation, readiness = std::make_shared<store::Readiness>()](
                   const http::Context&, database::Database& database, http::Responder& responder) {
            check();
            require_migrated(readiness->check(database));
            responder.send({.body = std::string(good)});
        }};
}

}  // namespace data_import::api

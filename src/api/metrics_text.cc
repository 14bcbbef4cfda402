#include "api/local_endpoints.h"

#include <memory>
#include <string>

#include "database/database.h"
#include "metrics/exposition.h"
#include "store/import_log.h"
#include "store/progress.h"
#include "store/readiness.h"
#include "store/schema_version.h"
#include "util/version.h"

namespace data_import::api {

namespace {

// Prometheus gives up after 10 s: the figures that need no database are answered by then.
constexpr std::chrono::seconds database_patience{2};

std::vector<metrics::EndpointName> names_of(const std::vector<http::Endpoint>& endpoints) {
    std::vector<metrics::EndpointName> names;
    for (const http::Endpoint& endpoint : endpoints)
        names.push_back({endpoint.method, endpoint.path, endpoint.stores});
    names.push_back({"GET", metrics_path});
    return names;
}

/// The most series of refusals: suppliers and codes are many together.
constexpr std::size_t most_refusals = 200;

/// Refusals that cannot be counted are left out: that does not concern imports.
void look_at_refusals(metrics::ServiceState& state, database::Database& database) {
    try {
        const database::Rows rows = database.execute(store::find_recent_refusals(most_refusals),
                                                     std::chrono::steady_clock::now() + database_patience);
        for (store::RecentRefusals& one : store::read_recent_refusals(rows))
            state.refusals.push_back({std::move(one.import_supplier), std::move(one.code), one.count});
    } catch (const std::runtime_error&) {
    }
}

/// The most suppliers whose accounts are counted: four series each.
constexpr std::size_t most_suppliers = 50;

/// Like the refusals.
void look_at_accounts(metrics::ServiceState& state, database::Database& database) {
    try {
        const database::Rows rows = database.execute(store::find_accounts_by_state(most_suppliers),
                                                     std::chrono::steady_clock::now() + database_patience);
        for (const store::AccountsOfSupplier& one : store::read_accounts_by_state(rows)) {
            for (std::size_t number = 0; number < store::account_states.size(); ++number)
                state.accounts.push_back({one.import_supplier, one.status,
                                          std::string(store::account_states[number]), one.accounts[number]});
        }
    } catch (const std::runtime_error&) {
    }
}

/// The database is up if it can do the imports' work. The version is told of any database that answers.
void look_at_database(metrics::ServiceState& state, database::Database& database,
                      store::Readiness& readiness) {
    try {
        const database::Rows rows = database.execute(store::find_schema_version(),
                                                     std::chrono::steady_clock::now() + database_patience);
        state.schema_version = store::read_schema_version(rows);
        static_cast<void>(readiness.check(database));
        state.database_up = true;
        look_at_accounts(state, database);
        look_at_refusals(state, database);
    } catch (const database::SchemaMissing&) {
        state.schema_version = state.schema_version.value_or(0);
        state.database_up = true;
    } catch (const std::runtime_error&) {
        state.database_up = false;
    }
}

void look_at_keys(metrics::ServiceState& state, const std::function<auth::KeyRing()>& load) {
    try {
        const auth::KeyRing ring = load();
        state.signing_keys = ring.keys().size();
        if (const auto made = auth::creation_time(ring.signing_key().kid))
            state.newest_signing_key = made->time_since_epoch().count();
    } catch (const auth::KeyRingError&) {
        state.signing_keys = 0;
    }
}

}  // namespace

http::Endpoint metrics(const MetricsSource& source) {
    return {.method = "GET",
            .path = metrics_path,
            .summary = "Tell what the service counts.",
            .needs_token = false,
            .run = [&board = source.board, load_keys = source.load_keys, names = names_of(source.endpoints),
                    readiness = std::make_shared<store::Readiness>()](
                       const http::Context&, database::Database& database, http::Responder& responder) {
                metrics::ServiceState state{.version = util::version,
                                            .endpoints = names,
                                            .schema_version_needed = store::schema_version};
                look_at_database(state, database, *readiness);
                look_at_keys(state, load_keys);
                responder.send({.body = metrics::expose(board.read(), state),
                                .content_type = std::string(metrics::media_type)});
            }};
}

}  // namespace data_import::api

#include "service/api/local_endpoints.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/util/version.h"
#include "data/database/database.h"
#include "data/database/failures.h"
#include "data/store/consumers.h"
#include "data/store/import_log.h"
#include "data/store/progress.h"
#include "data/store/readiness.h"
#include "data/store/schema_version.h"
#include "service/metrics/exposition.h"

namespace data_import::api {

namespace {

// The longest waits for the version of the schema, and for statistics. They are short, because nginx gives up
// after 9 s, Prometheus after 10 s, and a request for /readyz may wait for the same worker.
constexpr std::chrono::seconds version_patience{1};
constexpr std::chrono::seconds statistics_patience{1};  ///< for all queries of statistics together

std::vector<metrics::EndpointName> names_of(const std::vector<http::Endpoint>& endpoints) {
    std::vector<metrics::EndpointName> names;
    for (const http::Endpoint& endpoint : endpoints)
        names.push_back({endpoint.method, endpoint.path, endpoint.stores});
    names.push_back({"GET", metrics_path});
    return names;
}

/// The greatest number of series of refusals. It is limited because suppliers and codes make many
/// combinations.
constexpr std::size_t most_refusals = 200;

/// The greatest number of suppliers whose accounts are counted. Each has four series.
constexpr std::size_t most_suppliers = 50;

/// The greatest number of pairs of consumer and supplier. Each has four series.
constexpr std::size_t most_consumer_pairs = 500;

/// Runs a database call that reads statistics, and returns its rows. Returns nothing if the call fails or
/// takes too long. A call that takes too long is counted as a database failure.
std::optional<database::Rows> find_statistics(const database::Call& call, database::Database& database,
                                              database::Deadline deadline,
                                              const metrics::Recorder& recorder) {
    try {
        return database.execute(call, deadline);
    } catch (const database::TimedOut&) {
        recorder.count_database_failure(metrics::DatabaseFailure::timed_out);
    } catch (const std::runtime_error&) {
    }
    return std::nullopt;
}

std::vector<metrics::ConsumerFigures> consumer_figures(const database::Rows& rows) {
    std::vector<metrics::ConsumerFigures> figures;
    for (store::ConsumerProgress& one : store::read_consumer_progress(rows))
        figures.push_back({std::move(one.consumer.name), one.import_supplier.value_or(""), one.waiting,
                           one.oldest_waiting_seconds, one.accounts_taken, one.records_taken});
    if (figures.size() > most_consumer_pairs) {
        std::ranges::stable_sort(figures, std::greater(), &metrics::ConsumerFigures::waiting_accounts);
        figures.resize(most_consumer_pairs);
    }
    return figures;
}

void look_at_statistics(metrics::ServiceState& state, database::Database& database,
                        const metrics::Recorder& recorder) {
    const database::Deadline deadline = std::chrono::steady_clock::now() + statistics_patience;
    if (const auto rows =
            find_statistics(store::find_accounts_by_state(most_suppliers), database, deadline, recorder)) {
        for (const store::AccountsOfSupplier& one : store::read_accounts_by_state(*rows)) {
            for (std::size_t number = 0; number < store::account_states.size(); ++number)
                state.accounts.push_back({one.import_supplier, one.status,
                                          std::string(store::account_states[number]), one.accounts[number]});
        }
    }
    if (const auto rows =
            find_statistics(store::find_recent_refusals(most_refusals), database, deadline, recorder)) {
        for (store::RecentRefusals& one : store::read_recent_refusals(*rows))
            state.refusals.push_back({std::move(one.import_supplier), std::move(one.code), one.count});
    }
    if (const auto rows = find_statistics(store::find_consumer_progress(), database, deadline, recorder))
        state.consumers = consumer_figures(*rows);
}

/// Asks the database for its part of `state`. `state.schema_version` becomes the version of the schema, or 0
/// if there is no schema; it stays unset if the database does not answer. `state.database_up` becomes true if
/// the database takes writes, or if only the schema or a right of the service's role is missing. The
/// statistics of accounts, refusals and consumers are read only if the database takes writes.
void look_at_database(metrics::ServiceState& state, database::Database& database, store::Readiness& readiness,
                      const metrics::Recorder& recorder) {
    try {
        const database::Rows rows = database.execute(store::find_schema_version(),
                                                     std::chrono::steady_clock::now() + version_patience);
        state.schema_version = store::read_schema_version(rows);
        static_cast<void>(readiness.check(database));
        state.database_up = true;
        look_at_statistics(state, database, recorder);
    } catch (const database::SchemaMissing&) {
        state.schema_version = state.schema_version.value_or(0);
        state.database_up = true;
    } catch (const std::runtime_error&) {
        state.database_up = false;
    }
}

void look_at_keys(metrics::ServiceState& state, const std::function<keys::KeyRing()>& load) {
    try {
        const keys::KeyRing ring = load();
        state.signing_keys = ring.keys().size();
        if (const auto made = keys::creation_time(ring.signing_key().kid))
            state.newest_signing_key = made->time_since_epoch().count();
    } catch (const keys::KeyRingError&) {
        state.signing_keys = 0;
    }
}

}  // namespace

http::Endpoint metrics(const MetricsSource& source) {
    return {.method = "GET",
            .path = metrics_path,
            .summary = "Tell what the service counts.",
            .needs_token = false,
            .run = [&board = source.board, recorder = source.recorder, load_keys = source.load_keys,
                    names = names_of(source.endpoints), readiness = std::make_shared<store::Readiness>()](
                       const http::Context&, database::Database& database, http::Responder& responder) {
                metrics::ServiceState state{.version = util::version,
                                            .endpoints = names,
                                            .schema_version_needed = store::schema_version};
                look_at_database(state, database, *readiness, recorder);
                look_at_keys(state, load_keys);
                responder.send({.body = metrics::expose(board.read(), state),
                                .content_type = std::string(metrics::media_type)});
            }};
}

}  // namespace data_import::api

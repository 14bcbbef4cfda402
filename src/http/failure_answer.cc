#include "http/failure_answer.h"

#include "auth/authenticator.h"
#include "database/failures.h"

namespace data_import::http {

namespace {

Problem problem_of(const auth::Denied& denied) {
    switch (denied.denial) {
        case auth::Denial::not_authenticated:
            return {Code::not_authenticated, denied.detail};
        case auth::Denial::token_expired:
            return {Code::token_expired, denied.detail};
        case auth::Denial::authentication_failed:
            break;
    }
    return {Code::authentication_failed, denied.detail};
}

}  // namespace

std::string without_values(std::string_view message) {
    return std::string(message.substr(0, message.find_first_of(":\"")));
}

std::string logged_reason(const std::exception& failure) {
    const auto* refused = dynamic_cast<const database::Refused*>(&failure);
    if (refused == nullptr) return without_values(failure.what());
    return refused->sqlstate() + ' ' + without_values(failure.what()) + " (PostgreSQL process " +
           std::to_string(refused->server_process()) + ')';
}

Failure current_failure(const std::string& request_id) {
    try {
        throw;
    } catch (const Problem& problem) {
        return {problem};
    } catch (const auth::Denied& denied) {
        return {problem_of(denied)};
    } catch (const auth::KeyRingError& failure) {
        return {{Code::service_unavailable, "The service has no signing keys; nothing was stored."},
                failure.what()};
    } catch (const database::SchemaMissing& failure) {
        return {
            {Code::service_unavailable,
             "The service's database is not migrated; nothing was stored. Repeat the request as it is."},
            std::string("the database is not migrated, data-importctl db migrate does it; ") + failure.what(),
            metrics::DatabaseFailure::schema_missing};
    } catch (const database::Unavailable& failure) {
        return {{Code::service_unavailable}, failure.what(), metrics::DatabaseFailure::unavailable};
    } catch (const database::TimedOut& failure) {
        return {{Code::gateway_timeout}, failure.what(), metrics::DatabaseFailure::timed_out};
    } catch (const database::OutcomeUnknown& failure) {
        return {{Code::error,
                 "The connection to the database broke while the request was being stored, so that its "
                 "outcome is unknown. Request " +
                     request_id + "."},
                failure.what(),
                metrics::DatabaseFailure::outcome_unknown};
    } catch (const database::Refused& failure) {
        // rolled back again and again, so that others could go on
        if (failure.sqlstate() == "40001") {
            return {{Code::service_unavailable}, failure.what(), metrics::DatabaseFailure::refused};
        }
        return {{Code::error, "An unexpected error occurred in the database; nothing was stored. Request " +
                                  request_id + "."},
                logged_reason(failure),
                metrics::DatabaseFailure::refused};
    } catch (const std::exception& failure) {
        return {{Code::error, "An unexpected error occurred. Request " + request_id + "."}, failure.what()};
    }
}

}  // namespace data_import::http

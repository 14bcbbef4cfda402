#include "service/http/failure_answer.h"

#include "data/database/failures.h"
#include "service/auth/authenticator.h"

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

/// Returns true for errors of PostgreSQL's own host: resources, files, internal errors (classes 53, 58, XX).
/// Their messages may have names of files, but no values of payloads.
bool tells_of_server(std::string_view sqlstate) {
    return sqlstate.starts_with("53") || sqlstate.starts_with("58") || sqlstate.starts_with("XX");
}

/// Returns the SQLSTATE that a message begins with; empty if it has none.
std::string_view sqlstate_of(std::string_view message) {
    constexpr std::size_t length = 5;
    return message.size() > length && message[length] == ':' ? message.substr(0, length) : std::string_view();
}

/// Returns true if the database can be reached but cannot store: it has no room (classes 53, 58), or takes no
/// writes (25006).
bool cannot_store(std::string_view reason) {
    const std::string_view sqlstate = sqlstate_of(reason);
    return sqlstate == "25006" || sqlstate.starts_with("53") || sqlstate.starts_with("58");
}

constexpr std::string_view insufficient_privilege = "42501";

constexpr std::string_view lost_while_storing =
    "The service lost its database while the request was being stored. Repeat the request as it is: nothing "
    "is stored twice.";

/// Returns the message of PostgreSQL up to its first colon or quotation mark. The rest may have values of
/// payloads, which must not be logged.
std::string without_values(std::string_view message) {
    return std::string(message.substr(0, message.find_first_of(":\"")));
}

}  // namespace

std::string logged_reason(const std::exception& failure) {
    const auto* refused = dynamic_cast<const database::Refused*>(&failure);
    if (refused == nullptr) {
        const bool is_whole = tells_of_server(sqlstate_of(failure.what()));
        return is_whole ? failure.what() : without_values(failure.what());
    }
    const std::string& sqlstate = refused->sqlstate();
    return sqlstate + ' ' + (tells_of_server(sqlstate) ? failure.what() : without_values(failure.what())) +
           " (PostgreSQL process " + std::to_string(refused->server_process()) + ')';
}

FailureAnswer current_failure(const std::string& request_id) {
    try {
        throw;
    } catch (const Problem& problem) {
        return {problem};
    } catch (const auth::Denied& denied) {
        return {problem_of(denied)};
    } catch (const keys::KeyRingError& failure) {
        return {{Code::service_unavailable, "The service has no signing keys; nothing was stored."},
                failure.what()};
    } catch (const database::SchemaMissing& failure) {
        if (sqlstate_of(failure.what()) == insufficient_privilege)
            return {{Code::service_unavailable,
                     "The service lacks a right in its database; nothing was stored. Repeat the request as "
                     "it is."},
                    std::string("a right of role data-import is missing in the database, run data-importctl "
                                "db setup; ") +
                        failure.what(),
                    metrics::DatabaseFailure::schema_missing};
        return {{Code::service_unavailable,
                 "The service's database is not migrated; nothing was stored. Repeat the request as it is."},
                std::string("the database is not migrated, run data-importctl db migrate; ") + failure.what(),
                metrics::DatabaseFailure::schema_missing};
    } catch (const database::UnavailableOutcomeUnknown& failure) {
        return {{Code::service_unavailable, std::string(lost_while_storing)},
                failure.what(),
                metrics::DatabaseFailure::unavailable};
    } catch (const database::Unavailable& failure) {
        std::string detail;
        if (cannot_store(failure.what()))
            detail = "The service cannot store now; nothing was stored. Repeat the request as it is.";
        return {{Code::service_unavailable, detail}, failure.what(), metrics::DatabaseFailure::unavailable};
    } catch (const database::TimedOut& failure) {
        return {{Code::gateway_timeout}, failure.what(), metrics::DatabaseFailure::timed_out};
    } catch (const database::OutcomeUnknown& failure) {
        return {{Code::error,
                 "The connection to the database broke while the request was being stored, so its outcome is "
                 "unknown. Request " +
                     request_id + "."},
                failure.what(),
                metrics::DatabaseFailure::outcome_unknown};
    } catch (const database::Refused& failure) {
        // PostgreSQL rolled back every attempt, in favour of transactions of other requests.
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

FailureAnswer with_unknown_outcome(FailureAnswer failure, const std::string& request_id) {
    if (failure.problem.code == Code::service_unavailable) {
        failure.problem.detail = lost_while_storing;
    } else if (failure.problem.code == Code::error && failure.of_database) {
        failure.problem.detail =
            "An unexpected error occurred in the database, and it is unknown whether the request was stored "
            "before. Request " +
            request_id + ".";
    }
    return failure;
}

Reply render_refusal(const Problem& problem, const Endpoint* endpoint, const Context& context) {
    constexpr int internal_error = 500;
    const codes::CodeRow& row = codes::row_of(problem.code);
    const std::string& request_id = context.request.request_id;
    if (row.status == internal_error && problem.detail.find(request_id) == std::string::npos) {
        Problem named = problem;
        if (named.detail.empty()) named.detail = row.detail;
        named.detail += " Request " + request_id + ".";
        return render(named);
    }
    const bool extends = endpoint != nullptr && endpoint->extend_refusal && context.document &&
                         problem.code == Code::validation_error;
    if (!extends) return render(problem);
    return render(problem, [&](json::Writer& writer) { endpoint->extend_refusal(writer, context, problem); });
}

}  // namespace data_import::http

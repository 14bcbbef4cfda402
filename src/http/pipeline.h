// A whole request from top to bottom, in the order of decisions, section 1. Read pipeline.cc first, and you
// know the service.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "auth/authenticator.h"
#include "http/endpoint.h"
#include "http/keyed_answers.h"
#include "http/refusal_log.h"
#include "http/router.h"
#include "metrics/metrics.h"

namespace data_import::http {

struct PipelineOptions {
    schema::UnknownFields unknown_fields = schema::UnknownFields::refuse;
    std::chrono::seconds timeout{55};                   ///< for everything that one request waits for
    std::chrono::seconds idempotency_retention{86400};  ///< of answers to requests with an Idempotency-Key
    bool log_requests = true;      ///< a log line for every request, not only for failed ones
    bool shares_bytes = false;     ///< the work of a request is its body's length; else it is 1
    std::size_t most_waiting = 1;  ///< workers of the pool that may wait long at the same time
};

/// Who is told what became of requests.
struct Observers {
    metrics::Recorder recorder;
    RefusalLog& refusals;
};

/// One worker's pipeline; not for use by several threads.
///
/// Of requests that arrive together, those that are planned calls into one account each share one transaction
/// and one round trip to the database. All others travel alone behind them, and so do those that were
/// together when anything unexpected happened to one of them. Who finds an account locked lets the others go
/// first. Long bodies share a transaction with those of their own organisation only. What nobody waits for
/// any more is not carried out.
class Pipeline {
public:
    Pipeline(const std::vector<Endpoint>& endpoints, auth::Authenticator& authenticator,
             store::Database& database, Observers observers, PipelineOptions options)
        : endpoints_(endpoints),
          router_(endpoints),
          authenticator_(authenticator),
          database_(database),
          observers_(observers),
          keyed_answers_(database, options.idempotency_retention),
          options_(options) {}

    /// Steps 1 and 2, and whether the organisation has its share already. Null: it has been refused. Throws
    /// nothing.
    [[nodiscard]] std::unique_ptr<Admitted> admit(const Task& task);

    /// Answers all of them, in any order. Throws nothing.
    void answer(std::span<const std::unique_ptr<Admitted>> requests);

    /// About once a second, between requests: logs whose requests were refused beyond their share, which do
    /// not have lines of their own.
    void tick();

private:
    struct Visit;

    template <typename Step>
    void attempt(Visit& visit, const Step& step);
    void serve(Visit& visit);
    void refuse(Visit& visit, const Problem& problem, Responder& responder);
    void report(Visit& visit);
    void enter(Visit& visit);
    void take_share(Visit& visit);
    void check_payload(Visit& visit) const;
    static void check_supplier(const Visit& visit);
    void serve_once(Visit& visit, store::LockWait wait);
    CarriedOut carry_out(Visit& visit);
    static void plan(Visit& visit);
    void execute(Visit& visit, Responder& responder, store::LockWait wait);
    void execute_together(std::vector<Visit*> visits);
    bool try_together(std::vector<Visit*>& visits);
    void leave_alone(Visit& visit);
    void reply(const Visit& visit, const store::Rows& rows, Responder& responder);
    void finish(const std::vector<Visit*>& visits);
    void wait_for_account(Visit& visit);
    bool is_held(Visit& visit);
    void remember_held(const Visit& visit);
    bool drop_abandoned(Visit& visit);

    const std::vector<Endpoint>& endpoints_;
    Router router_;
    auth::Authenticator& authenticator_;
    store::Database& database_;
    Observers observers_;
    KeyedAnswers keyed_answers_;
    PipelineOptions options_;
    std::map<std::string, std::chrono::steady_clock::time_point> held_;  ///< accounts, and when they were
    std::map<std::string, std::size_t, std::less<>> beyond_share_;       ///< refused requests, by API key
};

}  // namespace data_import::http

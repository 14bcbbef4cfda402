// One request, from its admission to its log line. The stages stand in their order in request_entry.cc and
// request_run.cc; checks.h has the checks.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/database.h"
#include "data/store/shard_groups.h"
#include "service/auth/authenticator.h"
#include "service/http/endpoint.h"
#include "service/http/keyed_answers.h"
#include "service/http/lock_wait.h"
#include "service/http/number_hints.h"
#include "service/http/refusal_log.h"
#include "service/http/request_log.h"
#include "service/http/responders.h"
#include "service/http/router.h"
#include "service/metrics/board.h"

namespace data_import::http {

struct RequestOptions {
    schema::UnknownFields unknown_fields;
    /// The time from the start of a request until its deadline, by which each wait of the request ends.
    std::chrono::seconds timeout;
    /// The greatest sum of the pauses of one long answer while other organisations work (PacedResponder).
    std::chrono::microseconds most_rest;
    bool log_requests;           ///< every request has a log line, not only refused and failed ones
    std::size_t max_body_bytes;  ///< limit of the body of a line of a bulk request
    bool shares_bytes;           ///< the pool counts bytes of bodies as work; false: each request counts 1
};

/// The parts that all requests of a worker share.
struct WorkerContext {
    const std::vector<Endpoint>& endpoints;
    auth::Authenticator& authenticator;
    database::Database& database;
    store::ShardGroups& shard_groups;
    KeyedAnswers keyed_answers;
    RefusalLog& refusals;
    metrics::Recorder recorder;
    RequestOptions options;
    NumberHints number_hints{database};
    /// The requests that were refused because they were beyond their share, and that are not logged yet.
    RequestsByKey beyond_share = {};
    LinesOnStrangers strangers = {};
    /// Answers a bulk request.
    std::function<void(const Context&, WorkerContext&, Responder&)> answer_lines = {};
};

/// The next stage of a request.
enum class Next {
    prepare,     ///< read and check the payload
    batch,       ///< carry out the import; one call may carry out the imports of several requests
    single,      ///< carry the request out in a transaction of its own
    under_key,   ///< check the request and carry it out, once under its Idempotency-Key
    retry_lock,  ///< carry the request out later: its account, or the participant that it is for, is locked
    done,        ///< no further stage: the request is answered, or nobody waits for the answer
};

/// Runs one request. Its functions throw nothing: a failure becomes the answer.
class RequestRun : public Admitted {
public:
    /// `task` and `worker` have to outlive this object.
    RequestRun(const Task& task, WorkerContext& worker);
    /// Runs line number `line` (from 1) of the bulk request `bulk`. `task` has the request in this line, and
    /// the responder that takes its answer. The responder has to hold the answer back until the transaction
    /// is committed. `is_success_told` tells whether the client wants the bodies of successful answers.
    RequestRun(const Task& task, WorkerContext& worker, const Context& bulk, std::size_t line,
               bool is_success_told);

    /// Checks path, transport, token and share of the request. Returns false if the request is refused.
    [[nodiscard]] bool enter();
    /// Checks path, query and length of a line. Token and share are not checked, because they belong to the
    /// whole bulk request. Returns false if the line is refused.
    [[nodiscard]] bool enter_line();
    /// Checks payload and supplier, and plans what is to be carried out. `body` is the parsed body, if it was
    /// read before.
    void prepare(std::optional<json::Document> body = {});
    /// Carries the request out by itself, and answers it. If its account is locked, the request's next stage
    /// is retry_lock instead.
    void carry_out_alone();
    /// Answers the request by the rows of its import, which was carried out in a batch. If its account was
    /// locked, the request's next stage is retry_lock instead.
    void end_with(const database::Rows& rows);
    /// Answers the request, which was alone in its batch, with the failure of the batch.
    void end_with(const std::exception_ptr& failure);
    void refuse(const Problem& problem);
    /// Refuses the request, because its account was locked for too long.
    void refuse_for_lock();
    /// Returns true if nobody waits for the answer any more. Then the request is done, and is not carried
    /// out.
    bool drop_abandoned();
    /// Counts the request for the metrics and writes its log line. Called when the request is done.
    void report();

    [[nodiscard]] Next next() const { return next_; }
    /// Leaves the request for a later try, because its account is locked.
    void leave_locked() { next_ = Next::retry_lock; }
    /// Ends the wait for a locked account (Next::retry_lock). The next stage is again the one that prepare()
    /// chose.
    void try_again() { next_ = way(); }
    /// Sets the time of the next try for a locked account. Returns false if the request's time for waiting is
    /// used up.
    [[nodiscard]] bool pause();
    /// Returns whether the request may be worked on: its organisation's share has room for it, and the pause
    /// before its next try is over.
    [[nodiscard]] bool is_ready() override;
    [[nodiscard]] bool is_answered() const override { return next_ == Next::done; }

    /// Notes that a batch has failed, and may have taken effect all the same.
    void set_outcome_unknown() { is_outcome_unknown_ = true; }

    [[nodiscard]] const Context& context() const { return context_; }
    /// Returns the status of the answer; 0 if there is none yet.
    [[nodiscard]] int status() const { return responder_.status(); }
    [[nodiscard]] bool has_import() const { return import_.has_value(); }
    /// Returns the import of the request. The request must have one, as every request with Next::batch has.
    [[nodiscard]] const store::Import& import() const { return *import_; }
    /// Returns the key of the account that the import is for or, without an import, the path of the request.
    /// If several lines of a bulk request have the same lock name, they take effect in their order.
    [[nodiscard]] std::string_view lock_name() const;

private:
    bool attempt(const std::function<void()>& stage);
    void route(Route found);
    void authenticate();
    void take_query();
    void delay_answer();
    void take_share();
    void give_turn_back();
    void check_content();
    void plan();
    [[nodiscard]] Next way() const;
    [[nodiscard]] bool has_key() const;
    void carry_out(Responder& responder, const std::optional<store::Place>& place_of_key = {});
    [[nodiscard]] database::Rows carry_out_import(const std::optional<store::Place>& place_of_key);
    void carry_out_once();
    [[nodiscard]] std::optional<std::string> account_of_body();
    CarriedOut carry_out_under_key(const store::Place& place);
    void reply(const database::Rows& rows, Responder& responder);
    void note_differing(const Reply& reply);
    void refuse(const Problem& problem, Responder& responder);
    void add_hint(Problem& problem);
    void note_refusal(const Problem& problem);
    [[nodiscard]] bool is_of_stranger(int status) const;
    [[nodiscard]] bool is_public() const { return endpoint_ == nullptr || endpoint_->is_public; }

    WorkerContext& worker_;
    Context context_;
    SentQuery sent_query_ = {};
    const Endpoint* endpoint_ = nullptr;  ///< endpoint of the request; null: no endpoint has its path
    std::optional<store::Import> import_ = {};
    std::optional<database::Call> call_ = {};  ///< the call of an endpoint without an import
    RecordingResponder responder_;
    RequestLog log_;
    Next next_ = Next::prepare;
    std::chrono::steady_clock::time_point begun_at_ = std::chrono::steady_clock::now();
    LockWait lock_wait_ = {};
    std::chrono::steady_clock::time_point next_try_ = {};
    /// A turn was taken for the answer; it has to be given back if the request is dropped.
    bool has_turn_ = false;
    bool is_outcome_unknown_;  ///< an earlier attempt may have stored the request
};

}  // namespace data_import::http

// One request from its admission to its answer, in the order of decisions, section 1. Read visit.cc from top
// to bottom, and you know the service.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "auth/authenticator.h"
#include "database/database.h"
#include "http/endpoint.h"
#include "http/keyed_answers.h"
#include "http/refusal_log.h"
#include "http/request_log.h"
#include "http/responders.h"
#include "http/router.h"
#include "metrics/board.h"

namespace data_import::http {

struct VisitOptions {
    schema::UnknownFields unknown_fields = schema::UnknownFields::refuse;
    std::chrono::seconds timeout{55};  ///< for everything that one request waits for
    /// Of an answer in parts, beside others, all in all.
    std::chrono::microseconds most_rest = PacedResponder::most_rest(std::chrono::seconds{600});
    bool log_requests = false;  ///< a log line for every request, not only for refused and failed ones
    std::size_t max_body_bytes = 10UL * 1024 * 1024;  ///< of a request in a line of another one
    bool shares_bytes = false;  ///< the work of a request is its body's length; else it is 1
};

/// What the requests of one worker are answered with.
struct Means {
    const std::vector<Endpoint>& endpoints;
    auth::Authenticator& authenticator;
    database::Database& database;
    KeyedAnswers keyed_answers;
    RefusalLog& refusals;
    metrics::Recorder recorder;
    VisitOptions options;
    RequestsByKey beyond_share = {};  ///< refused requests
};

/// How a request goes on.
enum class Travel {
    unread,    ///< nothing of its body has been looked at
    nowhere,   ///< it has its answer, or there is nobody to be answered
    together,  ///< its import may be carried out with others in one call
    alone,
    once,  ///< alone, and not again under the same Idempotency-Key
};

/// Why a request for a locked account is given up.
inline constexpr std::string_view account_stays_locked =
    "Other work has locked the account or participant for too long; nothing of this was stored. Repeat it as "
    "it is.";

/// A dry run waits no longer for a locked account.
inline constexpr std::chrono::milliseconds brief_wait{10};

/// None of its functions throws anything.
class Visit : public Admitted {
public:
    /// Both have to outlive it.
    Visit(const Task& task, Means& means);
    /// A line of a bulk request: the answer to `task` is held until all that it says is on disk. For
    /// `is_success_told` see Context.
    Visit(const Task& task, Means& means, const Context& bulk, std::size_t line, bool is_success_told);

    /// Steps 1 and 2, and whether the organisation has its share already. False: it has been refused.
    [[nodiscard]] bool admit();
    /// Likewise for a line of a bulk request, for whose sender all of that has been done.
    [[nodiscard]] bool admit_line();
    /// Steps 3 to 5, and the call of step 6; says by `travel` how to go on. `body` where it was read before.
    void prepare(std::optional<json::Document> body = {});
    /// Steps 6 to 8 without company. False: the account is locked, and nothing was stored.
    bool carry_out();
    /// Steps 7 and 8, where its import was carried out with others. False: the account is locked.
    bool answer(const database::Rows& rows);
    /// It is to be tried again a bit later. False: its time for that is up.
    [[nodiscard]] bool wait_for_account();
    /// It is tried now; whether it has waited for its account.
    bool begin_try() { return std::exchange(is_waiting_, false); }
    [[nodiscard]] bool is_waiting() const { return is_waiting_; }

    /// Its turn has come, and the time for another try.
    [[nodiscard]] bool is_ready() override;
    [[nodiscard]] bool is_answered() const override { return travel_ == Travel::nowhere; }
    void refuse(const Problem& problem);
    /// An attempt with others has failed, and may have taken effect all the same.
    void doubt() { may_be_stored_ = true; }
    [[nodiscard]] bool may_be_stored() const { return may_be_stored_; }
    /// True when nobody waits for the answer any more: it will not be carried out.
    bool drop_abandoned();
    /// The request is over: tells log and metrics.
    void report();

    [[nodiscard]] Travel travel() const { return travel_; }
    void travel(Travel travel) { travel_ = travel; }
    [[nodiscard]] const Context& context() const { return context_; }
    [[nodiscard]] bool has_import() const { return import_.has_value(); }
    /// Only where it has one, as all have that may travel together with others.
    [[nodiscard]] const store::Import& import() const { return *import_; }

private:
    template <typename Step>
    bool attempt(const Step& step);
    void find_endpoint();
    void check_address_of_line() const;
    void check_query_of_line() const;
    [[nodiscard]] bool is_address_of_line() const;
    void check_transport() const;
    void authenticate();
    void check_key_is_taken() const;
    void take_turn();
    void take_share();
    void check();
    void check_payload();
    void check_supplier() const;
    void plan();
    void execute(Responder& responder);
    [[nodiscard]] database::Rows execute_briefly(const database::Call& call);
    void execute_once();
    CarriedOut carry_out_under_key();
    void reply(const database::Rows& rows, Responder& responder);
    void note_differing(const Reply& reply);
    void refuse(const Problem& problem, Responder& responder);
    void note_refusal(const Problem& problem);
    [[nodiscard]] std::optional<std::string> key_of_named_account() const;
    void tell_refusal(std::string_view import_supplier, const Problem& problem);
    [[nodiscard]] Reply render(const Problem& problem) const;
    [[nodiscard]] const Endpoint& endpoint() const { return *log_.endpoint; }
    [[nodiscard]] bool has_company() const;
    [[nodiscard]] bool is_public() const;

    Means& means_;
    Context context_;
    SentQuery sent_query_ = {};
    RecordingResponder responder_;
    RequestLog log_;
    std::optional<store::Import> import_ = {};  ///< planned
    std::optional<database::Call> call_ = {};   ///< likewise, where it is no import
    Travel travel_ = Travel::unread;
    std::chrono::steady_clock::time_point begun_at_ = std::chrono::steady_clock::now();
    std::optional<std::chrono::steady_clock::time_point> locked_since_ = {};  ///< as the first try found
    std::chrono::steady_clock::time_point next_try_ = {};
    bool is_waiting_ = false;       ///< for its account
    bool is_line_ = false;          ///< of a bulk request
    bool has_key_ = false;          ///< an Idempotency-Key that its endpoint takes
    bool is_beyond_share_ = false;  ///< refused for the sake of others
    bool may_be_stored_ = false;    ///< by an attempt before
    /// Counts what a request under a key came to. Its attempts may be repeated: called once, when its answer
    /// is sure.
    std::function<void()> note_outcome_ = {};
};

}  // namespace data_import::http

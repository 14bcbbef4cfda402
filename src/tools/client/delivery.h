// Delivers requests, and retries them.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "tools/client/access.h"
#include "tools/client/answer.h"
#include "tools/client/pace.h"
#include "tools/client/schedule.h"
#include "tools/client/session.h"
#include "tools/client/stop.h"

namespace data_import::client {

/// The outcome of one line.
enum class Fate {
    accepted,
    refused,      ///< the service refuses the line, and would refuse a retry, too
    malformed,    ///< the line is no request, and was not sent
    undelivered,  ///< all retries are used up, and no answer has settled the line
    unknown,      ///< the line may be stored; it is not sent again, so that it is not stored twice
    stopped,      ///< the run stopped before the line was settled; the next run has to send it
};

struct Outcome {
    Fate fate = Fate::accepted;
    int status = 0;  ///< status of the last answer; 0 without one
    /// Code of the service's answer. Without an answer: `malformed_line`, `connection_failed`, `time_out`,
    /// `certificate_not_trusted`, `proxy_denied`, `no_token`, `outcome_unknown` or `not_sent`. For an answer
    /// from a proxy or another program: `broken_answer`.
    std::string code;
    std::string detail;  ///< sentence about `code`, for people
    ImportAnswer answer;
    std::string request_id = {};
    bool idempotent = true;      ///< the line may be sent again without harm
    bool may_be_stored = false;  ///< the line may have been carried out, although no answer says so
    bool asked = true;           ///< the run has tried to send the line
};

/// Returns the outcome of a line that was not sent.
[[nodiscard]] Outcome unasked(Fate fate, std::string_view code, std::string detail);
/// Returns the outcome of a line that is no request. If the line has no line end, the outcome's sentence asks
/// whether the file is complete.
[[nodiscard]] Outcome malformed(const InputLine& line, const std::string& reason);

/// Accounts with a line that was not delivered, or whose outcome is unknown. The run does not send their
/// later lines, so that the lines of an account are carried out in their order. Safe to use from any thread.
class LeftAccounts {
public:
    /// Adds an account. Does nothing if the text is empty, as for a line without an account.
    void add(const std::string& account) {
        const std::lock_guard lock(mutex_);
        if (!account.empty()) accounts_.insert(account);
    }
    [[nodiscard]] bool contains(const std::string& account) const {
        const std::lock_guard lock(mutex_);
        return accounts_.contains(account);
    }

private:
    mutable std::mutex mutex_;
    std::unordered_set<std::string> accounts_;
};

/// Settings and callbacks for all requests of a run.
struct DeliveryOptions {
    unsigned retries;
    bool dry_run = false;
    bool keeps_journal = false;  ///< there is a journal, from which the next run takes the keys of this run
    /// Called before this run sends a request with an Idempotency-Key for the first time. Returns the time
    /// when the request was first sent: the present time, unless an earlier run has sent the request.
    std::function<std::chrono::sys_seconds(const InputLine&)> begin = {};
    std::function<void()> on_retry = [] {};  ///< called before a request is sent once more
};

/// Sends requests over one session. Not safe to use from several threads.
class Delivery {
public:
    /// Settled requests with their outcomes: one, or several that were answered together.
    using Settled = std::vector<std::pair<const Job*, Outcome>>;
    using Settle = std::function<void(Settled)>;

    /// Everything that is passed by reference must outlive this object.
    Delivery(Session& session, Access& access, Pace& pace, Stop& stop, LeftAccounts& left,
             DeliveryOptions options);

    /// Sends the requests of the bundle in their order, each until it is settled or its retries are used up.
    /// Passes the outcomes to `settle`. Stops the run if all further requests would fail for the same reason.
    /// Such a reason is an API key, a token or a certificate that is not accepted, or a supplier that is
    /// paused or complete.
    void deliver(const Bundle& bundle, const Settle& settle);

private:
    using Jobs = std::vector<const Job*>;
    /// The result of one bulk request.
    struct Sent {
        /// Lines that have to be sent again, in their order, with the outcome that says why.
        Settled again = {};
        std::optional<std::chrono::seconds> retry_after = {};
        bool is_too_much = false;  ///< the bulk request was too large; fewer lines may work
    };

    [[nodiscard]] Outcome deliver(const Job& job);
    [[nodiscard]] Outcome send_until_settled(const Job& job);
    void settle_open(Outcome& outcome) const;
    void pass_over_left(Jobs& pending, const Settle& settle) const;
    void deliver_lines(const Bundle& bundle, const Settle& settle);
    [[nodiscard]] Sent send_lines(const Jobs& jobs, const Settle& settle);
    [[nodiscard]] static Sent too_much(const Jobs& jobs, const Outcome& outcome);
    [[nodiscard]] Settled settle_lines(const Jobs& sent, LineAnswers answers, const Attempt& attempt,
                                       const Settle& settle);
    [[nodiscard]] Attempt send(const Question& question, std::size_t lines);
    [[nodiscard]] bool wait_to_retry(unsigned retry, std::optional<std::chrono::seconds> retry_after) const;
    [[nodiscard]] std::pair<Outcome, Decision> judged(Attempt& attempt, bool has_key);
    [[nodiscard]] Decision decide(const Attempt& attempt, const Outcome& outcome, bool has_key);

    Session& session_;
    Access& access_;
    Pace& pace_;
    Stop& stop_;
    LeftAccounts& left_;
    DeliveryOptions options_;
    std::chrono::sys_seconds began_;
};

}  // namespace data_import::client

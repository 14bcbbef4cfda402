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
    refused,      ///< by the service; asking again does not change that
    malformed,    ///< not sent: the line is no request
    undelivered,  ///< no answer that settles it, after all retries
    unknown,      ///< it may have been carried out, and sending it again could carry it out twice
    stopped,      ///< the run stops, and this line would have to be sent again
};

struct Outcome {
    Fate fate = Fate::accepted;
    int status = 0;  ///< status of the last answer; 0 without one
    std::string
        code;  ///< code of the answer; without an answer `malformed_line`, `connection_failed`, `time_out`,
               ///< `certificate_not_trusted`, `proxy_denied`, `no_token`, `outcome_unknown`, `not_sent`;
               ///< `broken_answer` for an answer that is not the service's
    std::string detail;  ///< the sentence that belongs to it
    ImportAnswer answer;
    std::string request_id = {};
    bool idempotent = true;      ///< it may be carried out any number of times
    bool may_be_stored = false;  ///< it may have been carried out, although no answer says so
    bool asked = true;           ///< the service was asked
};

/// Makes an outcome without a question to the service.
[[nodiscard]] Outcome unasked(Fate fate, std::string_view code, std::string detail);
/// Makes an outcome for a line that is no request. Its sentence asks whether the file is complete if the line
/// may be half of one.
[[nodiscard]] Outcome malformed(const InputLine& line, const std::string& reason);

/// Accounts with a line that this run has not delivered. Their later lines have to wait, too, so that an
/// account's lines are carried out in their order. Safe to use from any thread.
class LeftAccounts {
public:
    /// `account` is empty for a line without an account. No line waits for such a line.
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

/// The rules for all requests of a run.
struct DeliveryOptions {
    unsigned retries;
    bool dry_run = false;
    bool keeps_journal = false;  ///< the next run knows the keys of this one
    /// Called before a request with a key is sent for the first time. Returns the time of the first sending,
    /// which may have been in an earlier run.
    std::function<std::chrono::sys_seconds(const InputLine&)> begin = {};
    std::function<void()> on_retry = [] {};  ///< called before a request is sent once more
};

/// Sends requests over one session. For one thread.
class Delivery {
public:
    /// Requests of a bundle as soon as they are settled: one, or several that were answered together.
    using Settled = std::vector<std::pair<const Job*, Outcome>>;
    using Settle = std::function<void(Settled)>;

    /// All arguments have to live longer.
    Delivery(Session& session, Access& access, Pace& pace, Stop& stop, LeftAccounts& left,
             DeliveryOptions options);

    /// Sends the requests, in their order, until each is settled or its retries are used up. Requests a stop
    /// if all other requests would fail alike: an API key, a token or a certificate that is not accepted, a
    /// supplier that is paused or complete.
    void deliver(const Bundle& bundle, const Settle& settle);

private:
    using Jobs = std::vector<const Job*>;
    /// The result of a request with several lines.
    struct Sent {
        Settled again = {};  ///< lines that have to be sent again, in their order, with the reason
        std::optional<std::chrono::seconds> retry_after = {};
        bool is_too_much = false;  ///< fewer lines at once may work
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
};

}  // namespace data_import::client

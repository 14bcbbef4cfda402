// One request on its way, with its repeats.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>

#include "client/answer.h"
#include "client/import_request.h"
#include "client/retry.h"
#include "client/session.h"
#include "client/stop.h"
#include "client/token_access.h"

namespace data_import::client {

/// What became of one line.
enum class Fate {
    accepted,
    refused,      ///< by the service; asking again does not change that
    malformed,    ///< not sent: the line is no request
    undelivered,  ///< no answer that settles it, after all repeats
    stopped,      ///< the run stops, and this line would have to be sent again
};

struct Outcome {
    Fate fate = Fate::accepted;
    int status = 0;    ///< of the last answer; 0 without one
    std::string code;  ///< of the answer, or what stands for it where there is none: `malformed_line`,
                       ///< `connection_failed`, `time_out`, `broken_answer`, `certificate_not_trusted`,
                       ///< `no_token`, `outcome_unknown`
    ErrorItem error;   ///< what to tell people: the first item of the answer, else only a detail
    Answer answer;     ///< of an accepted request
    unsigned repeats = 0;
    bool idempotent = true;
};

/// An outcome for a line that is no request.
[[nodiscard]] Outcome malformed(const std::string& reason);

/// Sends requests over one session. For one thread.
class Delivery {
public:
    /// All of them have to live longer.
    Delivery(Session& session, Access& access, unsigned retries, Stop& stop);

    /// Sends the request until it is settled or the repeats are used up. Requests a stop where all other
    /// requests would fail alike: an API key, a token or a certificate that is not accepted.
    [[nodiscard]] Outcome deliver(const ImportRequest& request);

private:
    [[nodiscard]] bool wait(std::chrono::milliseconds time) const;
    void stop_for(const Attempt& attempt, const Outcome& outcome);

    Session& session_;
    Access& access_;
    unsigned retries_;
    Stop& stop_;
    std::minstd_rand random_{std::random_device{}()};
};

}  // namespace data_import::client

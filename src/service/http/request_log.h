// The log line of one request: what was asked for, what was answered, and how long it took.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/util/log.h"
#include "base/util/token_bucket.h"
#include "service/http/endpoint.h"

namespace data_import::http {

/// Collects the fields of a request's log line. Measures the time from the construction of this object to
/// stop().
class RequestLog {
public:
    /// The subject of a refused request; unknown members are empty. The only value of a payload in it is the
    /// number of the account, by which operators know whom to call.
    struct Refusal {
        std::string import_supplier = {};
        std::string account = {};    ///< external account number
        std::string item_code = {};  ///< code of the first item in `errors`
        std::string attr = {};       ///< place in the payload that the first item in `errors` names
    };

    /// The value of `reason` for a request whose client was gone before the answer was complete. Such a
    /// request is no failure of the service.
    static constexpr std::string_view client_gone = "client gone";

    std::string_view code = "-";   ///< code of the problem; `-`: there was none
    Refusal refusal = {};          ///< details of a refused request
    std::string reason = "-";      ///< cause of an unexpected failure, or client_gone; for operators only
    bool is_counted_only = false;  ///< the request is only counted, and gets no line of its own
    std::chrono::microseconds took{};

    /// Ends the measurement, because the answer has been sent, or there will be none.
    void stop();

    /// Sets `code` and `refusal`.
    void note_refusal(const Endpoint* endpoint, const Context& context, const Problem& problem);

    /// Writes the line. Does not write it for a successful request unless `also_when_good` is true.
    /// `endpoint` is null if no endpoint has the request's path.
    void write(const Context& context, const Endpoint* endpoint, int status, bool also_when_good) const;

private:
    void add_refusal(std::vector<util::LogField>& fields) const;

    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

/// The number of requests of each API key.
using RequestsByKey = std::map<std::string, std::size_t, std::less<>>;

/// Writes a line for each API key: how many of its requests were refused beyond the organisation's share.
void log_beyond_share(const RequestsByKey& refused);

/// Limits the log lines about refused requests without a valid token, for one worker. Anybody can send any
/// number of such requests: a few get a line each, and the others are counted.
class LinesOnStrangers {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// Returns whether the next refused request without a valid token gets a line of its own; if not, counts
    /// it.
    [[nodiscard]] bool has_line(Time now = std::chrono::steady_clock::now());
    /// Returns how many requests has_line() has counted, and sets the count to 0. If the last count was
    /// returned less than 10 s ago, returns 0 and keeps the count.
    [[nodiscard]] std::size_t take_counted(Time now = std::chrono::steady_clock::now());

private:
    /// The time after which one more line is allowed. It is also the shortest time between two calls of
    /// take_counted() that return a count above 0.
    static constexpr std::chrono::seconds interval{10};
    static constexpr double most_at_once = 20;

    util::TokenBucket lines_{most_at_once, 1.0 / interval.count()};
    std::size_t counted_ = 0;
    Time told_at_{};
};

/// Logs that `counted` requests without a valid token were refused without log lines of their own. Writes
/// nothing if `counted` is 0.
void log_strangers(std::size_t counted);

}  // namespace data_import::http

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

/// Measures from the beginning of the request.
class RequestLog {
public:
    /// The subject of a refused request; unknown members are empty. It has no values of payloads except the
    /// account's name, which tells operators whom to call.
    struct Refusal {
        std::string import_supplier = {};
        std::string account = {};    ///< external account number
        std::string item_code = {};  ///< of the first item in its `errors`
        std::string attr = {};       ///< of that item
    };

    static constexpr std::string_view client_gone = "client gone";  ///< the client's own affair

    std::string_view code = "-";   ///< of a problem
    Refusal refusal = {};          ///< its further details
    std::string reason = "-";      ///< of an unexpected failure, or client_gone; for operators only
    bool is_counted_only = false;  ///< it has no line of its own
    std::chrono::microseconds took{};

    /// Stops the time: the answer is out, or there will be none.
    void stop();

    /// Sets code and refusal.
    void note_refusal(const Endpoint* endpoint, const Context& context, const Problem& problem);

    /// Writes the line; for a request without any trouble, only if asked to. `endpoint` is null if there is
    /// none at the address.
    void write(const Context& context, const Endpoint* endpoint, int status, bool also_when_good) const;

private:
    void add_refusal(std::vector<util::LogField>& fields) const;

    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

/// The number of requests of each API key.
using RequestsByKey = std::map<std::string, std::size_t, std::less<>>;

/// Writes a line for each key: how many of its requests were refused beyond the organisation's share.
void log_beyond_share(const RequestsByKey& refused);

/// The lines about refused requests without a valid token, for one worker. Anybody can send any number of
/// them: a few have a line each, and the others are counted.
class LinesOnStrangers {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// Returns whether the next request has a line of its own; else it is counted.
    [[nodiscard]] bool has_line(Time now = std::chrono::steady_clock::now());
    /// Returns the number of those counted, and counts from 0 again; 0 if the last call was less than 10 s
    /// ago.
    [[nodiscard]] std::size_t take_counted(Time now = std::chrono::steady_clock::now());

private:
    static constexpr std::chrono::seconds interval{10};  ///< between new lines, and between numbers
    static constexpr double most_at_once = 20;

    util::TokenBucket lines_{most_at_once, 1.0 / interval.count()};
    std::size_t counted_ = 0;
    Time told_at_{};
};

/// Logs that so many requests of strangers were refused. Writes nothing for 0.
void log_strangers(std::size_t counted);

}  // namespace data_import::http

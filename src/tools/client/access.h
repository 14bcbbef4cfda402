// Access to the service: the API key, the token, and single requests.
#pragma once

#include <Poco/Net/Context.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <string>

#include "base/net/watchdog.h"
#include "tools/client/options.h"
#include "tools/client/session.h"
#include "tools/client/stop.h"

namespace data_import::client {

/// Obtains a token from the service, and a new one before it expires or when the service refuses it. All
/// sessions of a run share it; safe to use from several threads.
class Access {
public:
    /// Reads the API key from the file. Throws std::runtime_error if the file cannot be used, or holds no
    /// key.
    ///
    /// A regular file is read again for each token, so that a new key in it is used during the run. The key
    /// of a pipe or a terminal is kept, because these can be read only once.
    explicit Access(std::string api_key_file);

    /// Sends one request with a valid token, and returns the result. While the service refuses the token,
    /// sends the request again with a new token, at most twice. If no token can be obtained, does not send
    /// the request, and returns the reason as the result. That is AttemptFailure::no_token if a retry would
    /// not help, else a status or failure for which requests are retried.
    [[nodiscard]] Attempt send(Session& session, const Question& question);

private:
    using Clock = std::chrono::steady_clock;

    /// A token. If `token` is empty, `failed` is the result of each request that needs a token.
    struct Grant {
        std::string token;
        Attempt failed;
    };

    [[nodiscard]] Grant grant(Session& session);
    [[nodiscard]] Grant obtain(Session& session);
    void forget(const std::string& token);
    [[nodiscard]] bool has_token() const { return !present_.token.empty() && Clock::now() < renewal_; }

    const std::string api_key_file_;
    std::string kept_key_;  ///< key of a file that can be read only once; else empty
    std::mutex mutex_;
    std::atomic<std::uint64_t> tries_ = 0;  ///< number of requests for a token so far
    Grant present_;                         ///< result of the last request for a token
    Clock::time_point renewal_{};
};

/// Thrown if the service has answered 404: a thing that the request names, such as a supplier, does not exist
/// for this API key.
class NotFound : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Sends single requests over one connection. Not safe to use from several threads.
class Inquiry {
public:
    /// Reads the API key, and starts the thread of a Watchdog. `options` and `stop` must outlive this object.
    /// Throws std::runtime_error if there is no API key, or no certificate of a certificate authority.
    ///
    /// An Interruption must be made before this object, because an Interruption has to be made before any
    /// other thread.
    Inquiry(const Options& options, const Stop& stop);

    /// Sends a request, and returns the body of a successful answer (2xx). The body is empty if
    /// `question.receive` takes it in pieces. Retries the request until an answer settles it, its retries are
    /// used up, or the run is stopped. Does not retry once `question.receive` has got a piece. Throws
    /// NotFound for an answer 404, else another std::runtime_error that says why there is no answer. Passes
    /// on exceptions of `question.receive`.
    [[nodiscard]] std::string ask(const Question& question);

private:
    const Options& options_;
    const Stop& stop_;
    Access access_;
    const Poco::Net::Context::Ptr context_;
    net::Watchdog watchdog_;
    Session session_;
};

}  // namespace data_import::client

// Single questions to the service.
#pragma once

#include <Poco/Net/Context.h>

#include <string>

#include "client/options.h"
#include "client/session.h"
#include "client/stop.h"
#include "client/token_access.h"
#include "net/watchdog.h"

namespace data_import::client {

/// Asks over one connection. For one thread.
class Inquiry {
public:
    /// Both have to live longer; no stop may be asked for by a signal that is not blocked yet. Throws
    /// std::runtime_error where there is no API key, or no certificate of an authority.
    Inquiry(const Options& options, Stop& stop);

    /// The body of the answer, which is 2xx; empty where `question` takes it in pieces. Repeats the request
    /// until an answer settles it, as a run does. Throws std::runtime_error that says why there is none, and
    /// passes on exceptions of the question's `receive`.
    [[nodiscard]] std::string ask(const Question& question);

private:
    [[nodiscard]] bool wait(unsigned repeat, const Attempt& attempt);

    const Options& options_;
    Stop& stop_;
    Access access_;
    const Poco::Net::Context::Ptr context_;
    net::Watchdog watchdog_;
    Session session_;
};

}  // namespace data_import::client

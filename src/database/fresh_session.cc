#include "database/fresh_session.h"

#include <poll.h>

#include <algorithm>
#include <string_view>

namespace data_import::database {

namespace {

using std::chrono::steady_clock;

/// The lines that say why; a name can have several addresses. What stands behind them are hints.
std::string reason_of(const PGconn* handle) {
    const std::string_view text = PQerrorMessage(handle);
    std::string reason;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = text.substr(begin, end - begin);
        if (reason.empty() || line.starts_with("connection to server"))
            (reason += reason.empty() ? "" : "; ") += line;
        begin = end + 1;
    }
    return reason;
}

/// Whether the session is open; waits for it until the deadline.
bool is_open(PGconn* handle, Deadline deadline) {
    for (PostgresPollingStatusType status = PGRES_POLLING_WRITING; status != PGRES_POLLING_OK;
         status = PQconnectPoll(handle)) {
        if (status == PGRES_POLLING_FAILED) return false;
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now()).count();
        if (left <= 0) return false;
        pollfd awaited{PQsocket(handle),
                       static_cast<short>(status == PGRES_POLLING_READING ? POLLIN : POLLOUT), 0};
        poll(&awaited, 1, static_cast<int>(std::min<long>(left, 60'000)));
    }
    return true;
}

}  // namespace

// libpq tells the SQLSTATE of a refused session in its message only, and when asked to be verbose.
FreshSession open_fresh_session(std::vector<std::string>& hosts, Deadline deadline) {
    constexpr std::string_view too_many_connections = "53300";
    std::string reasons;
    for (auto host = hosts.begin(); host != hosts.end(); ++host) {
        if (steady_clock::now() >= deadline) throw TimedOut("no session before the deadline; " + reasons);
        FreshSession session(PQconnectStart(host->c_str()));
        if (!session) throw std::bad_alloc();
        PQsetErrorVerbosity(session.get(), PQERRORS_VERBOSE);
        if (PQstatus(session.get()) != CONNECTION_BAD &&
            is_open(session.get(), std::min(deadline, steady_clock::now() + connect_time))) {
            PQsetErrorVerbosity(session.get(), PQERRORS_DEFAULT);
            std::rotate(hosts.begin(), host, host + 1);
            return session;
        }
        if (!reasons.empty()) reasons += "; ";
        if (PQstatus(session.get()) == CONNECTION_BAD)
            reasons += reason_of(session.get());
        else
            reasons +=
                "no answer in time from " + std::string(PQhost(session.get())) + ':' + PQport(session.get());
    }
    if (reasons.find(too_many_connections) != std::string::npos) throw NoSessionLeft(reasons);
    throw Unavailable(reasons);
}

}  // namespace data_import::database

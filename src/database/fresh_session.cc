#include "database/fresh_session.h"

#include <poll.h>

#include <algorithm>
#include <string_view>

namespace data_import::database {

namespace {

/// The last line: those before are of hosts that were tried in vain.
std::string reason_of(const PGconn* handle) {
    std::string_view text = PQerrorMessage(handle);
    while (text.ends_with('\n')) text.remove_suffix(1);
    const std::size_t location = text.find("\nLOCATION:");
    text = text.substr(0, location);
    return std::string(text.substr(text.rfind('\n') + 1));
}

[[noreturn]] void throw_failure(const PGconn* handle) {
    constexpr std::string_view too_many_connections = "53300";
    const std::string reason = reason_of(handle);
    if (reason.find(too_many_connections) != std::string::npos) throw NoSessionLeft(reason);
    throw Unavailable(reason);
}

void wait(const PGconn* handle, short events, Deadline deadline) {
    using std::chrono::milliseconds;
    const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    if (left <= 0) throw TimedOut("no session before the deadline");
    pollfd awaited{PQsocket(handle), events, 0};
    poll(&awaited, 1, static_cast<int>(std::min<long>(left, 60'000)));
}

}  // namespace

// libpq tells the SQLSTATE of a refused session in its message only, and when asked to be verbose.
FreshSession open_fresh_session(const std::string& conninfo, Deadline deadline) {
    FreshSession session(PQconnectStart(conninfo.c_str()));
    if (!session || PQstatus(session.get()) == CONNECTION_BAD) throw_failure(session.get());
    PQsetErrorVerbosity(session.get(), PQERRORS_VERBOSE);
    for (PostgresPollingStatusType status = PGRES_POLLING_WRITING; status != PGRES_POLLING_OK;
         status = PQconnectPoll(session.get())) {
        if (status == PGRES_POLLING_FAILED) throw_failure(session.get());
        wait(session.get(), status == PGRES_POLLING_READING ? POLLIN : POLLOUT, deadline);
    }
    PQsetErrorVerbosity(session.get(), PQERRORS_DEFAULT);
    return session;
}

}  // namespace data_import::database

#include "data/database/fresh_session.h"

#include <poll.h>

#include <algorithm>
#include <regex>
#include <string_view>

#include "data/database/pg_connection.h"

namespace data_import::database {

namespace {

using std::chrono::steady_clock;

constexpr std::string_view too_many_connections = "53300";

/// Returns the reason why libpq did not open the session of `handle`: the first line of libpq's message, and
/// each line about a further address of the host, joined by `; `. The other lines of the message are hints,
/// and are left out.
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

/// Returns the SQLSTATE of a refusal, and the function of PostgreSQL that refused the session. `text` is
/// libpq's verbose message: `FATAL:  28000: MESSAGE` and `LOCATION:  FUNCTION, FILE:LINE`. A part that is not
/// found is empty.
///
/// If a session is refused, libpq tells the two parts only in its message. The word LOCATION is English,
/// because no program of this project calls setlocale; MESSAGE may be in any language.
Refusal refusal_in(const std::string& text) {
    static const std::regex state(":  ([0-9A-Z]{5}): ");
    static const std::regex place("\nLOCATION:  (\\w+), ");
    std::smatch parts;
    if (!std::regex_search(text, parts, state)) return {};
    Refusal refusal{.sqlstate = parts[1]};
    if (std::regex_search(text, parts, place)) refusal.function = parts[1];
    return refusal;
}

/// Waits for the session until the deadline. Returns whether it is open.
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

struct Attempt {
    FreshSession session = {};  ///< the session; null: none was opened
    bool is_silent = false;
    std::string reason = {};
    Refusal refusal = {};
};

Attempt try_host(const std::string& conninfo, Deadline deadline) {
    FreshSession session(PQconnectStart(conninfo.c_str()));
    if (!session) throw std::bad_alloc();
    PQsetErrorVerbosity(session.get(), PQERRORS_VERBOSE);
    if (PQstatus(session.get()) != CONNECTION_BAD && is_open(session.get(), deadline)) {
        PQsetErrorVerbosity(session.get(), PQERRORS_DEFAULT);
        return {.session = std::move(session)};
    }
    if (PQstatus(session.get()) == CONNECTION_BAD) {
        return {.reason = reason_of(session.get()), .refusal = refusal_in(PQerrorMessage(session.get()))};
    }
    return {.is_silent = true,
            .reason =
                "no answer in time from " + std::string(PQhost(session.get())) + ':' + PQport(session.get())};
}

}  // namespace

// The statement is not prepared, because a session that a pooler lends may already have a prepared statement
// of the same name.
std::int64_t backend_of(PgConnection& session, Deadline deadline) {
    return Rows(session.execute_text("SELECT pg_catalog.pg_backend_pid()", deadline).release()).integer(0, 0);
}

// Waits for the answer to the session's first statement, which switches statement_timeout off. The role may
// have a short statement_timeout by default, which would end the session's later statements.
void await_first_answer(PgConnection& session, Deadline deadline) {
    try {
        session.execute_text("SET statement_timeout = 0",
                             std::min<Deadline>(deadline, steady_clock::now() + connect_time));
    } catch (const StatementCancelled&) {
        throw;
    } catch (const TimedOut&) {
        throw NoSessionLeft(
            "the connection is accepted, and its first statement gets no answer: a pooler before PostgreSQL "
            "has no session left (default_pool_size), or PostgreSQL hangs",
            {std::string(too_many_connections), pooler});
    }
}

// The second round tries again the hosts that refused the session, because one of them may have become the
// primary while another host was silent.
FreshSession open_fresh_session(std::vector<std::string>& hosts, Deadline deadline) {
    std::string reasons;
    Refusal refusal;
    std::vector<bool> is_silent(hosts.size());
    for (const bool is_again : {false, true}) {
        if (is_again && std::count(is_silent.begin(), is_silent.end(), true) == 0) break;
        for (std::size_t at = 0; at < hosts.size(); ++at) {
            if (is_silent[at]) continue;
            if (steady_clock::now() >= deadline) throw TimedOut("no session before the deadline; " + reasons);
            Attempt attempt = try_host(hosts[at], std::min(deadline, steady_clock::now() + connect_time));
            if (attempt.session) {
                std::rotate(hosts.begin(), hosts.begin() + static_cast<std::ptrdiff_t>(at),
                            hosts.begin() + static_cast<std::ptrdiff_t>(at) + 1);
                return std::move(attempt.session);
            }
            is_silent[at] = attempt.is_silent;
            if (is_again) continue;
            (reasons += reasons.empty() ? "" : "; ") += attempt.reason;
            if (refusal.sqlstate.empty() || attempt.refusal.sqlstate == too_many_connections)
                refusal = attempt.refusal;
        }
    }
    if (refusal.sqlstate == too_many_connections) throw NoSessionLeft(reasons, refusal);
    throw Unavailable(reasons, refusal);
}

}  // namespace data_import::database

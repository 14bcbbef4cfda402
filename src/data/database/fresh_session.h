// Opens a session by a deadline, at one of several hosts. Private to database/.
#pragma once

#include <libpq-fe.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "data/database/database.h"

namespace data_import::database {

class PgConnection;

struct SessionCloser {
    void operator()(PGconn* handle) const { PQfinish(handle); }
};
using FreshSession = std::unique_ptr<PGconn, SessionCloser>;

/// The longest time that a host may take to open a session.
constexpr std::chrono::seconds connect_time{2};

/// Asks the hosts one after the other (conninfo_by_host). If one did not answer in time, asks those that
/// refused once more. Moves the host that opens a session to the front. Throws TimedOut, and Unavailable or
/// NoSessionLeft with the reasons of all hosts.
[[nodiscard]] FreshSession open_fresh_session(std::vector<std::string>& hosts, Deadline deadline);

/// Returns the number of the session's backend, for which it asks PostgreSQL: the number that libpq has got
/// may be one that a pooler made up.
[[nodiscard]] std::int64_t backend_of(PgConnection& session, Deadline deadline);

/// Runs the first statement of a session, which switches off its statement_timeout, within the time of a
/// connect. Throws NoSessionLeft if there is no answer: a pooler accepts a connection before it has a session
/// for it.
void await_first_answer(PgConnection& session, Deadline deadline);

}  // namespace data_import::database

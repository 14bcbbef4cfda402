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

/// Returns a session of the first host that opens one. `hosts` has one conninfo for each host
/// (conninfo_by_host()). The host that opened the session is moved to the front, so that the next session is
/// tried there first.
/// If a host does not answer within connect_time, the hosts that refused the session are tried once more.
/// Throws TimedOut at the deadline. If no host opens a session, throws Unavailable or NoSessionLeft, with the
/// reasons of all hosts.
[[nodiscard]] FreshSession open_fresh_session(std::vector<std::string>& hosts, Deadline deadline);

/// Asks PostgreSQL for the process number of the session's backend. The number that libpq has got may be one
/// that a pooler made up.
[[nodiscard]] std::int64_t backend_of(PgConnection& session, Deadline deadline);

/// Runs the first statement of a session, which switches statement_timeout off. Throws NoSessionLeft if
/// PostgreSQL does not answer within connect_time.
///
/// An accepted connection is not enough, because a pooler accepts it before the pooler has a session of
/// PostgreSQL.
void await_first_answer(PgConnection& session, Deadline deadline);

}  // namespace data_import::database

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

/// Tries to open a session at one host after the other (conninfo_by_host gives `hosts`). If a host did not
/// answer in time, makes a second attempt at the hosts that refused the first. Moves the host that opens a
/// session to the front.
/// Throws TimedOut, and Unavailable or NoSessionLeft with the reasons of all hosts.
[[nodiscard]] FreshSession open_fresh_session(std::vector<std::string>& hosts, Deadline deadline);

/// Asks PostgreSQL for the process number of the session's backend. The number that libpq has got may be one
/// that a pooler made up.
[[nodiscard]] std::int64_t backend_of(PgConnection& session, Deadline deadline);

/// Runs the first statement of a session, which switches off its statement_timeout, within connect_time.
/// Throws NoSessionLeft if there is no answer, because a pooler accepts a connection before it has a session
/// for it.
void await_first_answer(PgConnection& session, Deadline deadline);

}  // namespace data_import::database

// A session that is opened by a deadline, at one of several hosts. Private to database/.
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

/// The time within which one host has to open a session.
constexpr std::chrono::seconds connect_time{2};

/// Asks the hosts one after the other (conninfo_by_host). If one of them did not answer in time, the hosts
/// that refused are asked once more. The host that opens a session moves to the front. Throws Unavailable
/// (NoSessionLeft), which tells of every host, and TimedOut.
[[nodiscard]] FreshSession open_fresh_session(std::vector<std::string>& hosts, Deadline deadline);

/// As PostgreSQL tells it: a pooler makes up a number of its own for the session.
[[nodiscard]] std::int64_t backend_of(PgConnection& session, Deadline deadline);

/// Runs the first statement of a session, which takes its time-out away, within the time of a connect. Throws
/// NoSessionLeft if it gets no answer: a pooler accepts a connection before it has a session for it.
void await_first_answer(PgConnection& session, Deadline deadline);

}  // namespace data_import::database

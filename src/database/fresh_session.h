// A session that is opened by a deadline, at one of several hosts. Private to database/.
#pragma once

#include <libpq-fe.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "database/database.h"

namespace data_import::database {

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

}  // namespace data_import::database

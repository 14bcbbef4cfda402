#include "data/database/session_count.h"

#include <algorithm>
#include <vector>

#include "data/database/conninfo.h"
#include "data/database/fresh_session.h"
#include "data/database/pg_connection.h"

namespace data_import::database {

namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds time_of_one{1};

}  // namespace

// Runs a statement in each session, because a pooler lends a client one of its own sessions only at the
// client's first statement. The client then keeps that session until it leaves.
SessionCount count_sessions(const Options& options, std::size_t most, Deadline deadline) {
    std::vector<std::string> hosts = conninfo_by_host(options);
    std::vector<FreshSession> sessions;
    SessionCount count;
    try {
        while (count.sessions < most) {
            const Deadline soon = std::min<Deadline>(deadline, steady_clock::now() + time_of_one);
            sessions.push_back(open_fresh_session(hosts, soon));
            PgConnection session(sessions.back().get(), options.longest_silence);
            await_first_answer(session, soon);
            count.is_pooled = backend_of(session, soon) != session.backend();
            ++count.sessions;
        }
    } catch (const std::runtime_error&) {
        // The next session was refused or did not answer, so `count` is complete.
    }
    return count;
}

}  // namespace data_import::database

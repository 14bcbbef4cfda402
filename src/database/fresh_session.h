// A session beside the pooled one, opened by a deadline. Private to database/.
#pragma once

#include <libpq-fe.h>

#include <memory>
#include <string>

#include "database/database.h"

namespace data_import::database {

struct SessionCloser {
    void operator()(PGconn* handle) const { PQfinish(handle); }
};
using FreshSession = std::unique_ptr<PGconn, SessionCloser>;

/// Throws Unavailable (NoSessionLeft) and TimedOut.
[[nodiscard]] FreshSession open_fresh_session(const std::string& conninfo, Deadline deadline);

}  // namespace data_import::database

// A session beside the pooled one, opened by a deadline. Private to store/.
#pragma once

#include <libpq-fe.h>

#include <memory>
#include <string>

#include "store/database.h"

namespace data_import::store {

struct SessionCloser {
    void operator()(PGconn* handle) const { PQfinish(handle); }
};
using FreshSession = std::unique_ptr<PGconn, SessionCloser>;

/// Throws Unavailable (NoSessionLeft) and TimedOut.
[[nodiscard]] FreshSession open_fresh_session(const std::string& conninfo, Deadline deadline);

}  // namespace data_import::store

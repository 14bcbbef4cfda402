// Finds out, by opening sessions, how many sessions can be open together with given connection parameters. A
// pooler or a proxy in front of PostgreSQL may allow fewer sessions than PostgreSQL itself.
#pragma once

#include <cstddef>

#include "data/database/database.h"

namespace data_import::database {

struct SessionCount {
    std::size_t sessions = 0;  ///< sessions that were open together and answered
    bool is_pooled = false;    ///< the sessions go through a pooler
};

/// Opens sessions until `most` are open, one is refused, or one does not answer within a second; then closes
/// all of them. Throws nothing but std::invalid_argument, as check_conninfo does.
[[nodiscard]] SessionCount count_sessions(const Options& options, std::size_t most, Deadline deadline);

}  // namespace data_import::database

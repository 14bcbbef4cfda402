// News for a consumer, line by line.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "data/database/database.h"

namespace data_import::exports {

/// Takes what is new for a consumer, at most some accounts at a time: passes on a line for each record and
/// for each account that was reset or erased, then commits. `sink` gets some lines at a time and returns when
/// they are written; what it throws passes through, and nothing of these accounts is taken then. False: there
/// was nothing.
[[nodiscard]] bool take_news(database::Database& database, const std::string& consumer,
                             const std::function<void(std::string_view lines)>& sink);

}  // namespace data_import::exports

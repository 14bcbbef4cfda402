// News for a consumer, line by line.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "data/database/database.h"

namespace data_import::exports {

/// Takes news of a consumer, for some accounts at most: passes on a line for each record and for each account
/// that was reset or erased, then commits. `sink` gets some lines at a time and returns when they are
/// written; its exceptions pass through, and then nothing of these accounts is taken. Returns false if there
/// was nothing.
[[nodiscard]] bool take_news(database::Database& database, const std::string& consumer,
                             const std::function<void(std::string_view lines)>& sink);

}  // namespace data_import::exports

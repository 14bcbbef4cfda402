// Writes the news of a consumer as lines.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "data/database/database.h"

namespace data_import::exports {

/// Takes news of the consumer, of at most a fixed number of accounts and of market participants. Passes a
/// line to `sink` for each new record, and for each account that was reset or erased, then commits. `sink`
/// gets several lines at a time, and must have written them when it returns. If `sink` throws, nothing is
/// taken, and the exception passes through. Returns false if there was nothing to take.
[[nodiscard]] bool take_news(database::Database& database, const std::string& consumer,
                             const std::function<void(std::string_view lines)>& sink);

}  // namespace data_import::exports

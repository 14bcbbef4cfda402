// Writes the news of a consumer as lines.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "data/database/database.h"

namespace data_import::exports {

/// Takes what is new for the consumer `consumer`. One call takes a limited number of accounts and a limited
/// number of market participants. Passes a line to `sink` for each new record, and for each account that was
/// reset or erased, then commits. `sink` gets several lines at a time, and must have written them when it
/// returns. If `sink` throws, nothing is taken, and the exception passes through. Returns true if something
/// was taken; false if nothing was new.
[[nodiscard]] bool take_news(database::Database& database, const std::string& consumer,
                             const std::function<void(std::string_view lines)>& sink);

}  // namespace data_import::exports

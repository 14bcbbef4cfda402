// Writes the news of a consumer as lines.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "data/database/database.h"

namespace data_import::exports {

/// Takes what is new for the consumer `consumer`, and returns whether anything was new. Passes to `sink` a
/// line for each new record, and for each account that was reset or erased, then commits. One call takes a
/// limited number of accounts and of market participants.
/// `sink` gets several lines at a time, and must have written them when it returns. `keep` is called before
/// the commit if anything was new, and must have made the lines durable when it returns. If one of them
/// throws, nothing is taken, and the exception passes through.
[[nodiscard]] bool take_news(database::Database& database, const std::string& consumer,
                             const std::function<void(std::string_view lines)>& sink,
                             const std::function<void()>& keep);

}  // namespace data_import::exports

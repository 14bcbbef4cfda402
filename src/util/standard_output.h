// Standard output as pipes know it: whoever reads may have gone.
#pragma once

#include <csignal>

namespace data_import::util {

enum class Output { written, unread, failed };

/// Writes what std::cout still holds, and tells what has become of all that went there. `unread`: nobody
/// reads any more, as behind `| head -1`.
[[nodiscard]] Output finish_output();

/// What to end with then, without a word: what a shell says of a program that the signal has ended. Here it
/// ends none, as Poco blocks it.
inline constexpr int status_of_unread_output = 128 + SIGPIPE;

}  // namespace data_import::util

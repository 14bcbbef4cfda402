// Standard output as pipes know it: the reader may have gone.
#pragma once

#include <csignal>

namespace data_import::util {

enum class Output { written, unread, failed };

/// Flushes std::cout and tells whether all of the output was written. `unread`: nobody reads any more, as
/// behind `| head -1`.
[[nodiscard]] Output finish_output();

/// The exit status for `unread`, which is reached silently. A shell gives the same status to a program that
/// SIGPIPE has ended; here the signal ends none, as Poco blocks it.
inline constexpr int status_of_unread_output = 128 + SIGPIPE;

}  // namespace data_import::util

// Standard output to a pipe whose reader may have gone.
#pragma once

#include <csignal>

namespace data_import::util {

enum class Output { written, unread, failed };

/// Flushes std::cout and returns whether all of the output was written. `unread`: nobody reads any more, as
/// after `| head -1`.
[[nodiscard]] Output finish_output();

/// The exit status of a program whose output is `unread`; the program prints no message. A shell gives the
/// same status to a program that SIGPIPE has ended. SIGPIPE does not end the programs of this project,
/// because Poco blocks it.
inline constexpr int status_of_unread_output = 128 + SIGPIPE;

}  // namespace data_import::util

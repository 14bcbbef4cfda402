// The signals by which people and systems end a program.
#pragma once

#include <signal.h>

namespace data_import::util {

/// Returns SIGINT, SIGTERM and, unless it is ignored as by nohup(1), SIGHUP.
[[nodiscard]] sigset_t ending_signals();

}  // namespace data_import::util

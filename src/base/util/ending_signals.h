// The signals by which people and systems end a program.
#pragma once

#include <signal.h>

namespace data_import::util {

/// Returns SIGINT, SIGTERM and SIGHUP; not SIGHUP if the process ignores it, as under nohup(1).
[[nodiscard]] sigset_t ending_signals();

}  // namespace data_import::util

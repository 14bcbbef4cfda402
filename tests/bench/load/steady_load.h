// A steady load, during which the service is reloaded and at last stopped.
#pragma once

#include <string>

namespace data_import::bench {

/// Sends requests with BODY_BYTES of notes over CONNECTIONS connections until SIGUSR1, for LONGEST_SECONDS at
/// most. After SIGUSR1 a client stops at its first answer that is not 2xx. The load ends when all clients
/// have stopped, at the latest STOP_SECONDS after SIGUSR1. Returns one line of NAME=VALUE: times, and the
/// answers before and after SIGUSR1. The names in capitals are variables of the environment.
[[nodiscard]] std::string load_steadily();

}  // namespace data_import::bench

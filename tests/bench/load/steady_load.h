// The same load for long, through a reload and into the end of the service.
#pragma once

#include <string>

namespace data_import::bench {

/// Sends BODY_BYTES of notes a request over CONNECTIONS connections. From SIGUSR1 on a client stops at the
/// first answer that is not 201; when all have, or STOP_SECONDS later, the load ends. Prints one line of
/// NAME=VALUE: answers before and after SIGUSR1.
[[nodiscard]] std::string load_steadily();

}  // namespace data_import::bench

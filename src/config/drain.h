// Whether this host is taken out of service for a while.
#pragma once

#include <filesystem>

#include "config/settings.h"

namespace data_import::config {

/// The file that is there while the host is drained: /readyz says 503, and all requests go on. It goes with
/// the directory of the sockets when the service stops.
[[nodiscard]] inline std::filesystem::path drain_mark(const Settings& settings) {
    return settings.socket_directory / "drained";
}

}  // namespace data_import::config

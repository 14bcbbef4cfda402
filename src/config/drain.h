// The drain of a host: it is taken out of service for a while.
#pragma once

#include <filesystem>

#include "config/settings.h"

namespace data_import::config {

/// The file exists while the host is drained: /readyz says 503, and all requests go on. It is beside the
/// sockets, in a directory that ends with the machine's run and not with the service's.
[[nodiscard]] inline std::filesystem::path drain_mark(const Settings& settings) {
    return settings.socket_directory / "drained";
}

}  // namespace data_import::config

#include "fastcgi/pool.h"

#include <algorithm>
#include <thread>

namespace data_import::fastcgi {

namespace {

using std::chrono::seconds;

constexpr seconds listing_write_timeout{60};

/// Where processors and database share a machine.
std::size_t at_once(const config::Settings& settings) {
    if (settings.import_workers_at_once > 0) return settings.import_workers_at_once;
    return std::max(std::thread::hardware_concurrency(), 1U);
}

/// Handlers keep their own deadlines; a worker that is this much later hangs, and is killed.
constexpr seconds grace{30};

}  // namespace

std::vector<Pool> pools(const config::Settings& settings) {
    const auto socket = [&](const char* name) {
        return settings.socket_directory / (std::string(name) + ".sock");
    };
    const seconds read_timeout = settings.read_timeout;
    const seconds short_limit = read_timeout + settings.request_timeout + grace;
    const seconds long_limit = read_timeout + settings.listing_timeout + listing_write_timeout + grace;
    return {{"import", socket("import"), settings.import_workers, read_timeout, settings.request_timeout,
             short_limit, settings.batch, at_once(settings)},
            {"listing", socket("listing"), settings.listing_workers, read_timeout, listing_write_timeout,
             long_limit, 1, settings.listing_workers},
            {"vendor", socket("vendor"), settings.vendor_workers, read_timeout, settings.request_timeout,
             short_limit, 1, settings.vendor_workers}};
}

}  // namespace data_import::fastcgi

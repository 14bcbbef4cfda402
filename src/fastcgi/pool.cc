#include "fastcgi/pool.h"

namespace data_import::fastcgi {

namespace {

using std::chrono::seconds;

constexpr seconds listing_write_timeout{60};

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
             short_limit, settings.batch},
            {"listing", socket("listing"), settings.listing_workers, read_timeout, listing_write_timeout,
             long_limit},
            {"vendor", socket("vendor"), settings.vendor_workers, read_timeout, settings.request_timeout,
             short_limit}};
}

}  // namespace data_import::fastcgi

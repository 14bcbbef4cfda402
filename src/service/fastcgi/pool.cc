#include "service/fastcgi/pool.h"

#include <algorithm>
#include <thread>

#include "base/util/limits.h"

namespace data_import::fastcgi {

namespace {

using sharing::PoolKind;
using std::chrono::seconds;

constexpr seconds listing_write_timeout{60};

/// The divisor of the setting batch_bytes while several organisations import. Batches are smaller then,
/// because each organisation waits until the transactions of the others have ended.
constexpr std::size_t part_when_shared = 4;

/// Returns how many workers should work at the same time. The default is the number of processors, which is
/// right if the database is on the same machine.
std::size_t at_once(const config::Settings& settings) {
    if (settings.import_workers_at_once > 0) return settings.import_workers_at_once;
    return std::max(std::thread::hardware_concurrency(), 1U);
}

/// The time that a worker may take in addition to the deadlines that its handler keeps. A worker that takes
/// still longer hangs, and is killed.
constexpr seconds grace{30};

}  // namespace

std::vector<Pool> pools(const config::Settings& settings) {
    const seconds read = settings.read_timeout;
    const seconds answer = settings.request_timeout;
    const seconds short_limit = read + answer + grace;
    const seconds long_limit = read + settings.listing_timeout + listing_write_timeout + grace;
    const auto one_at_a_time = [&](PoolKind kind, std::size_t workers, seconds write, seconds limit) {
        return Pool{.kind = kind,
                    .socket = settings.socket_directory / (name_of(kind) + ".sock"),
                    .workers = workers,
                    .read_timeout = read,
                    .write_timeout = write,
                    .request_limit = limit,
                    .at_once = workers,
                    .capacity = workers};
    };
    Pool import = one_at_a_time(PoolKind::import, settings.import_workers, answer, short_limit);
    import.batch = settings.batch;
    import.batch_bytes = settings.batch_bytes;
    import.shared_batch_bytes = settings.batch_bytes / part_when_shared;
    import.at_once = at_once(settings);
    import.capacity = std::min(import.at_once, import.workers) * import.shared_batch_bytes;
    import.never_refused = util::limits::never_refused;
    import.keeps_connections = true;
    import.shares_bytes = true;
    const Pool bulk = one_at_a_time(PoolKind::bulk, settings.bulk_workers, answer, short_limit);
    const Pool listing =
        one_at_a_time(PoolKind::listing, settings.listing_workers, listing_write_timeout, long_limit);
    const Pool vendor = one_at_a_time(PoolKind::vendor, settings.vendor_workers, answer, short_limit);
    Pool health = one_at_a_time(PoolKind::health, settings.health_workers, answer, short_limit);
    health.batch = settings.batch;
    Pool operators = one_at_a_time(PoolKind::operators, settings.operator_workers, answer, short_limit);
    operators.reads_person = true;
    return {import, bulk, listing, vendor, health, operators};
}

}  // namespace data_import::fastcgi

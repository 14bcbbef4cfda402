// Checks that the workers can have as many sessions as they need: by PostgreSQL's limits, and through a
// pooler.
#include <algorithm>
#include <chrono>

#include "data/database/session_count.h"
#include "tools/console/context.h"
#include "tools/doctor/doctor.h"

namespace data_import::doctor {

namespace {

using namespace std::chrono_literals;

constexpr const char* subject = "connections";
constexpr auto patience = 4s;

std::size_t workers_of(const config::Settings& settings) {
    return settings.import_workers + settings.bulk_workers + settings.listing_workers +
           settings.vendor_workers + settings.health_workers + settings.operator_workers;
}

/// Returns the number of sessions that the workers need during a reload, which adds one worker to each pool.
std::size_t needed_by(const config::Settings& settings) {
    constexpr std::size_t other_pools = 5;
    return workers_of(settings) + other_pools + (settings.operator_workers > 0 ? 1 : 0);
}

Finding judge(std::int64_t needed, std::int64_t most, std::int64_t free, const std::string& of,
              const std::string& remedy) {
    const std::string text = "the workers need " + std::to_string(needed) + " of " + std::to_string(most) +
                             of + ", others have left " + std::to_string(free);
    if (needed > most) return fault(subject, text, remedy);
    if (needed > free) return warning(subject, text, remedy);
    return ok(subject, text);
}

}  // namespace

Findings judge_connections(const config::Settings& settings, const DatabaseServer& place,
                           const store::ServerDiagnosis& server,
                           const std::vector<store::SessionLimit>& limits) {
    const auto needed = static_cast<std::int64_t>(needed_by(settings));
    const std::string remedy = change_setting(
        place, "max_connections", std::to_string(2 * (server.most_connections + needed)), Effect::restart);
    Findings findings{judge(needed, server.most_connections, server.free_connections, "", remedy)};
    for (const store::SessionLimit& limit : limits) {
        Finding finding = judge(needed, limit.most, limit.free,
                                " that " + std::string(limit.kind == "ROLE" ? "role " : "database ") +
                                    limit.name + " may have (CONNECTION LIMIT)",
                                lift_limit(place, limit.kind, limit.name));
        if (finding.health != Health::ok) findings.push_back(std::move(finding));
    }
    return findings;
}

std::string size_of_pool(const config::Settings& settings) {
    return "default_pool_size = " + std::to_string(needed_by(settings)) +
           " for each host of the service, and max_client_conn above all of them";
}

Findings judge_sessions(const config::Settings& settings, const DatabaseServer& place, std::size_t found) {
    const std::size_t needed = needed_by(settings);
    if (found >= needed)
        return {ok(subject, "the pooler has the " + std::to_string(needed) + " that the workers need")};
    const std::string text = "the workers need " + std::to_string(needed) +
                             " through the setting database, and " + std::to_string(found) +
                             " can be had: a pooler before PostgreSQL has no more";
    const std::string remedy = edit_pooler(place, size_of_pool(settings));
    return {found < workers_of(settings) ? fault(subject, text, remedy) : warning(subject, text, remedy)};
}

// Checks whether a pooler before PostgreSQL has enough sessions for the service. Returns nothing if there is
// no pooler. Counts the sessions that the service has open, and opens only as many more as a reload needs. A
// pooler that is too small does not give all of these new sessions. Meanwhile the service keeps its own
// sessions.
Findings check_sessions(const Context& context, const DatabaseServer& place, database::Database& database) {
    const auto end = std::chrono::steady_clock::now() + patience;
    const database::Options options{.conninfo = context.settings().database,
                                    .application_name = std::string(console::program_name)};
    if (!database::count_sessions(options, 1, end).is_pooled) return {};
    const std::size_t needed = needed_by(context.settings());
    const std::size_t open =
        // adds the session of `database`, which count_own_sessions() does not count
        static_cast<std::size_t>(store::count_own_sessions(database, end)) + 1;
    const std::size_t lacking = needed - std::min(needed, open);
    return judge_sessions(context.settings(), place,
                          open + database::count_sessions(options, lacking, end).sessions);
}

}  // namespace data_import::doctor

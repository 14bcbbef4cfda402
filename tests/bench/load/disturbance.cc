#include "disturbance.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "companion.h"
#include "settings.h"
#include "statistics.h"
#include "temporary_files.h"
#include "victim.h"

namespace data_import::bench {

namespace {

using namespace std::chrono_literals;

Schedule schedule_from_now(const Attack& played) {
    constexpr Clock::duration warm_up = 2s;
    const Clock::time_point quiet = Clock::now() + warm_up;
    const Clock::time_point attack = quiet + seconds("QUIET_SECONDS");
    const Clock::time_point after =
        attack + std::max<Clock::duration>(seconds("ATTACK_SECONDS"), played.at_least);
    return {quiet, attack, after, after + seconds("EASE_SECONDS") + 1s};
}

Surroundings surroundings() {
    return {static_cast<std::uint16_t>(number("PORT")),
            setting("NETWORK"),
            lines_of(setting("ATTACKER_TOKENS")),
            setting("VICTIM_TOKEN"),
            lines_of(setting("SHARER_TOKENS")),
            setting("WRONG_KEY"),
            milliseconds("PAUSE_MS"),
            milliseconds("RECONNECT_MS")};
}

double cpu_seconds() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto of = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return of(usage.ru_utime) + of(usage.ru_stime);
}

/// Gives this process, which plays the attackers, the lowest priority and a session of its own.
///
/// Real attackers have machines of their own, so their work must not slow down the service here. A session of
/// its own is needed, because a kernel with autogroups compares priorities only within a session.
void step_back() {
    constexpr int lowest = 19;
    const sched_param none{};
    if (::setsid() < 0 || ::sched_setscheduler(0, SCHED_IDLE, &none) != 0)
        throw std::runtime_error("no lower priority");
    std::ofstream("/proc/self/autogroup") << lowest;
}

/// Returns the limits of the victim's p99 during the attack, as NAME=VALUE. `most_p99_ms` is the largest
/// allowed p99, `most_ratio` its largest allowed ratio to the p99 before the attack. If `is_harmless` is
/// true, `most_p99_ms` is the p99 of `of_the_clients` (the requests of the attack's clients), at most 1 s.
std::string limits(bool is_harmless, const Exchanges& of_the_clients) {
    if (!is_harmless) return " most_ratio=3 most_p99_ms=150";
    constexpr double at_most_ms = 1000;
    const double theirs = std::min(percentile(of_the_clients, 0.99), at_most_ms);
    return " most_ratio=999 most_p99_ms=" + std::to_string(std::lround(theirs));
}

/// Lets the attack's clients send requests from `schedule.attack` to `schedule.after`. Returns figures as
/// NAME=VALUE. The figure `refused` is the number of answers 429 if `is_harmless` is true, otherwise 0.
///
/// The clients begin one after the other, because hundreds that begin at once would be another attack.
std::string play(const Conducts& clients, const Schedule& schedule, bool is_harmless) {
    step_back();
    constexpr Clock::duration spread = 500ms;
    Tally tally;
    Exchanges exchanges;
    Loop loop;
    for (std::size_t index = 0; index < clients.size(); ++index) {
        loop.add(
                clients[index],
                [&](const Exchange& exchange) {
                    ++tally[exchange.status];
                    if (is_harmless) exchanges.push_back(exchange);
                },
                schedule.attack + spread / clients.size() * index)
            .connect_ahead();
    }
    loop.run(schedule.attack);
    const double cpu_before = cpu_seconds();
    loop.run(schedule.after);
    for (const auto& client : loop.clients()) {
        if (client->waiting_since()) ++tally[unanswered];
    }
    const double seconds = std::chrono::duration<double>(schedule.after - schedule.attack).count();
    const int percent = static_cast<int>((cpu_seconds() - cpu_before) / seconds * 100);
    constexpr int too_many_requests = 429;
    const auto refused = is_harmless && tally.contains(too_many_requests) ? tally.at(too_many_requests) : 0;
    return "refused=" + std::to_string(refused) + " attackers_cpu=" + std::to_string(percent) +
           limits(is_harmless, exchanges) + " answers=" + text_of(tally);
}

std::string watch_temporary_files(const Schedule& schedule) {
    const std::string folder = setting("NGINX_TEMPORARY");
    const int nginx = static_cast<int>(number("NGINX_PID"));
    std::uint64_t most = 0;
    for (Clock::time_point next = schedule.attack; next < schedule.after; next += 200ms) {
        std::this_thread::sleep_until(next);
        most = std::max(most, temporary_bytes(folder, nginx));
    }
    return "temporary_mb=" + std::to_string(most / 1'000'000);
}

}  // namespace

/// Builds the texts of the attack's requests before the schedule begins, because building these texts takes
/// processor time.
std::string measure_disturbance(const Attack& attack) {
    const Surroundings around = surroundings();
    const Conducts clients = attack.clients(around);
    const Schedule schedule = schedule_from_now(attack);
    Companion attackers([&] { return play(clients, schedule, attack.is_harmless); });
    Companion watcher([&] { return watch_temporary_files(schedule); });
    Connection::trust(setting("CA_FILE"));
    Victim victim(attack.victim, around, schedule);
    victim.work();
    // report() must be called before line(), because line() waits for other processes, and report() would
    // count the time of that wait as a stall of the victim
    const std::string felt = victim.report();
    return felt + ' ' + watcher.line() + ' ' + attackers.line();
}

}  // namespace data_import::bench

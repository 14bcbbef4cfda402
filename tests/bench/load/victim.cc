#include "victim.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "settings.h"

namespace data_import::bench {

namespace {

using namespace std::chrono_literals;
using std::chrono::duration;

constexpr Clock::duration think = 5ms;
constexpr std::size_t clients = 4;
constexpr double ratio_bound = 3;
constexpr double bound_ms = 150;
constexpr double probe_bound_ms = 1000;
constexpr double never = 999;

SharedRequest request_of(std::string_view mode) {
    const std::string token = setting("VICTIM_TOKEN");
    if (mode == "notes") return post(notes_path, token, notes(victim_supplier, account_mark, 1, 200));
    if (mode == "payment") return post(payment_path, token, payment(victim_supplier, "good"));
    if (mode == "token") return post(token_path, "", obtain_token(setting("VICTIM_KEY")));
    return get(std::string(listing_path) + std::string(victim_listing_supplier) + '/', token);
}

Conduct conduct_of(std::string_view mode, const Surroundings& around) {
    Conduct conduct;
    conduct.place.port = around.port;
    conduct.request = request_of(mode);
    conduct.accounts = supplier_accounts;
    conduct.think = conduct.pause = conduct.reconnect = think;
    if (mode == "token") {
        conduct.expected = "\"token\"";  // the answer to a refused key is 200, too
        conduct.interval = 1s;
        conduct.place.source = around.network + ".1";
    }
    return conduct;
}

/// Asks /healthz as a load balancer does: over a new connection each time.
Conduct probe(const Surroundings& around) {
    Conduct conduct;
    conduct.place.port = around.port;
    conduct.request = get("/healthz", "");
    conduct.interval = 100ms;
    conduct.keeps_connection = false;
    return conduct;
}

/// Returns the status that is assumed for the client's request while no answer has come: 200 if the request
/// was sent less than a second ago, otherwise `unanswered`.
int status_of_waiting(const Client& client) {
    return Clock::now() - *client.waiting_since() < 1s ? 200 : unanswered;
}

}  // namespace

Victim::Victim(std::string_view mode, const Surroundings& around, const Schedule& schedule)
    : schedule_(schedule) {
    const auto record_in = [](Exchanges& list) {
        return [&list](const Exchange& one) { list.push_back(one); };
    };
    const Conduct conduct = conduct_of(mode, around);
    interval_ = conduct.interval;
    const std::size_t count = interval_ > 0s ? 1 : clients;
    for (std::size_t index = 0; index < count; ++index)
        loop_.add(conduct, record_in(exchanges_), Clock::now());
    prober_ = &loop_.add(probe(around), record_in(probes_), Clock::now());
}

void Victim::work() {
    loop_.run(schedule_.after);
    loop_.run(schedule_.end, [this] { return at_ease().has_value(); });
}

std::string Victim::report() const {
    const Exchanges quiet = quiet_ones();
    const Exchanges during = begun_in(with_missed(up_to_now(), gap()), schedule_.attack, schedule_.after);
    const auto ease = at_ease();
    const double ease_seconds = ease ? duration<double>(*ease - schedule_.after).count() : never;
    std::array<char, 256> line{};
    std::snprintf(line.data(), line.size(),
                  "quiet_p50_ms=%.2f quiet_p99_ms=%.2f p50_ms=%.2f p99_ms=%.2f max_ms=%.1f ease_s=%.1f",
                  percentile(quiet, 0.5), percentile(quiet, 0.99), percentile(during, 0.5),
                  percentile(during, 0.99), percentile(during, 1), ease_seconds);
    return line.data() + errors() + probe_report();
}

/// The time between the starts of two requests of a client before the attack.
Clock::duration Victim::gap() const {
    if (interval_ > 0s) return interval_;
    const double median = percentile(begun_in(exchanges_, schedule_.quiet, schedule_.attack), 0.5);
    return think + std::chrono::duration_cast<Clock::duration>(duration<double, std::milli>(median));
}

Exchanges Victim::quiet_ones() const {
    return begun_in(with_missed(exchanges_, gap()), schedule_.quiet, schedule_.attack);
}

double Victim::bound() const {
    return std::min(ratio_bound * percentile(quiet_ones(), 0.99), bound_ms);
}

std::optional<Clock::time_point> Victim::at_ease() const {
    return at_ease_from(with_missed(up_to_now(), gap()), schedule_.after, Clock::now(), bound());
}

/// The exchanges, and the requests that are not answered yet.
Exchanges Victim::up_to_now() const {
    Exchanges all = exchanges_;
    for (const auto& client : loop_.clients()) {
        if (client.get() != prober_ && client->waiting_since())
            all.push_back({*client->waiting_since(), Clock::now(), status_of_waiting(*client)});
    }
    return all;
}

std::string Victim::errors() const {
    Tally tally;
    std::size_t count = 0;
    for (const Exchange& one : begun_in(up_to_now(), schedule_.quiet, schedule_.end)) {
        if (one.is_good()) continue;
        ++tally[one.status];
        ++count;
    }
    return " errors=" + std::to_string(count) + " error_statuses=" + text_of(tally);
}

std::string Victim::probe_report() const {
    Exchanges probes = begun_in(probes_, schedule_.attack, schedule_.end);
    if (prober_->waiting_since()) probes.push_back({*prober_->waiting_since(), Clock::now(), 200});
    const auto failed = std::ranges::count_if(probes, [](const Exchange& one) {
        return one.status != 200 || percentile({one}, 1) > probe_bound_ms;
    });
    return " healthz_ms=" + std::to_string(static_cast<long>(percentile(probes, 1))) +
           " healthz_failed=" + std::to_string(failed);
}

}  // namespace data_import::bench

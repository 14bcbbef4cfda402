#include "disturbance.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <thread>

#include "settings.h"
#include "statistics.h"
#include "temporary_files.h"

namespace data_import::bench {

namespace {

using namespace std::chrono_literals;
using Time = Clock::time_point;

constexpr Clock::duration warm_up = 1s;
constexpr Clock::duration victim_think = 5ms;
constexpr std::size_t victim_clients = 4;
constexpr double ratio_bound = 3;
constexpr double bound_ms = 150;
constexpr double probe_bound_ms = 1000;

/// When each part begins; the parts of a run are processes that share nothing but the clock.
struct Schedule {
    Time quiet;
    Time attack;
    Time after;
    Time end;

    static Schedule from_now() {
        const Time quiet = Clock::now() + warm_up;
        const Time attack = quiet + seconds("QUIET_SECONDS");
        const Time after = attack + seconds("ATTACK_SECONDS");
        return {quiet, attack, after, after + seconds("EASE_SECONDS") + 1s};
    }
};

std::vector<std::string> lines_of(const std::string& file) {
    std::ifstream input(file);
    std::vector<std::string> lines;
    for (std::string line; std::getline(input, line);) lines.push_back(line);
    if (lines.empty()) throw std::runtime_error(file + " is empty");
    return lines;
}

Surroundings surroundings() {
    return {static_cast<std::uint16_t>(number("PORT")),
            setting("NETWORK"),
            lines_of(setting("ATTACKER_TOKENS")),
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

/// A process of its own that writes one line.
class Companion {
public:
    template <typename Work>
    explicit Companion(Work work) {
        std::array<int, 2> ends{};
        if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
        process_ = ::fork();
        if (process_ < 0) throw std::runtime_error("no process");
        if (process_ == 0) speak(ends[1], work);
        ::close(ends[1]);
        input_ = util::FileDescriptor(ends[0]);
    }
    Companion(const Companion&) = delete;
    Companion& operator=(const Companion&) = delete;
    ~Companion() {
        if (process_ <= 0) return;
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }

    /// Waits for its end. Throws where it failed.
    std::string line() {
        std::string text;
        std::array<char, 4096> buffer;
        for (ssize_t count = 0; (count = ::read(input_.get(), buffer.data(), buffer.size())) > 0;)
            text.append(buffer.data(), static_cast<std::size_t>(count));
        int status = 0;
        ::waitpid(process_, &status, 0);
        process_ = 0;
        if (status != 0) throw std::runtime_error("a part of the load generator failed");
        return text;
    }

private:
    template <typename Work>
    [[noreturn]] static void speak(int output, Work work) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        int status = 1;
        try {
            const std::string text = work();
            status = ::write(output, text.data(), text.size()) < 0 ? 1 : 0;
        } catch (const std::exception& failure) {
            std::fprintf(stderr, "attack: %s\n", failure.what());
        }
        std::fflush(nullptr);
        ::_exit(status);
    }

    pid_t process_ = 0;
    util::FileDescriptor input_;
};

/// Not all in the same moment, which would be another attack.
std::string play(const Conducts& clients, const Schedule& schedule) {
    constexpr Clock::duration spread = 500ms;
    std::this_thread::sleep_until(schedule.attack);
    Tally tally;
    Loop loop;
    const double cpu_before = cpu_seconds();
    for (std::size_t index = 0; index < clients.size(); ++index)
        loop.add(clients[index], [&](const Exchange& exchange) { ++tally[exchange.status]; },
                 schedule.attack + spread / clients.size() * index);
    loop.run(schedule.after);
    for (const auto& client : loop.clients()) {
        if (client->waiting_since()) ++tally[unanswered];
    }
    const double seconds = std::chrono::duration<double>(schedule.after - schedule.attack).count();
    const int percent = static_cast<int>((cpu_seconds() - cpu_before) / seconds * 100);
    return "attackers_cpu=" + std::to_string(percent) + " answers=" + text_of(tally);
}

std::string watch_temporary_files(const Schedule& schedule) {
    const std::string folder = setting("NGINX_TEMPORARY");
    const int nginx = static_cast<int>(number("NGINX_PID"));
    std::uint64_t most = 0;
    for (Time next = schedule.attack; next < schedule.after; next += 200ms) {
        std::this_thread::sleep_until(next);
        most = std::max(most, temporary_bytes(folder, nginx));
    }
    return "temporary_mb=" + std::to_string(most / 1'000'000);
}

Conduct victim_conduct(std::string_view victim, const Surroundings& around) {
    const std::string token = setting("VICTIM_TOKEN");
    Conduct conduct;
    conduct.place.port = around.port;
    conduct.accounts = supplier_accounts;
    conduct.think = conduct.pause = conduct.reconnect = victim_think;
    if (victim == "notes") conduct.request = post(notes_path, token, notes(victim_supplier, account_mark, 1, 200));
    if (victim == "payment") conduct.request = post(payment_path, token, payment(victim_supplier, "good"));
    if (victim == "listing")
        conduct.request = get(std::string(listing_path) + std::string(victim_listing_supplier) + '/', token);
    if (victim == "token") {
        conduct.request = post(token_path, "", obtain_token(setting("VICTIM_KEY")));
        conduct.expected = "\"token\"";
        conduct.interval = 1s;
        conduct.place.source = around.network + ".1";
    }
    return conduct;
}

/// As a balancer does it: on a connection of its own each time.
Conduct probe(const Surroundings& around) {
    Conduct conduct;
    conduct.place.port = around.port;
    conduct.request = get("/healthz", "");
    conduct.interval = 100ms;
    conduct.keeps_connection = false;
    return conduct;
}

class Victim {
public:
    Victim(std::string_view mode, const Surroundings& around, const Schedule& schedule) : schedule_(schedule) {
        const Conduct conduct = victim_conduct(mode, around);
        interval_ = conduct.interval;
        const std::size_t count = interval_ > 0s ? 1 : victim_clients;
        for (std::size_t index = 0; index < count; ++index)
            loop_.add(conduct, [this](const Exchange& exchange) { exchanges_.push_back(exchange); }, Clock::now());
        prober_ = &loop_.add(probe(around), [this](const Exchange& exchange) { probes_.push_back(exchange); },
                             Clock::now());
    }

    void work() {
        loop_.run(schedule_.after);
        loop_.run(schedule_.end, [this] { return at_ease().has_value(); });
    }

    [[nodiscard]] std::string report() const {
        const Exchanges quiet = begun_in(with_missed(exchanges_, gap()), schedule_.quiet, schedule_.attack);
        const Exchanges all = with_missed(up_to_now(), gap());
        const Exchanges during = begun_in(all, schedule_.attack, schedule_.after);
        const auto ease = at_ease();
        const double ease_seconds =
            ease ? std::chrono::duration<double>(*ease - schedule_.after).count() : 999;
        std::array<char, 512> line{};
        std::snprintf(line.data(), line.size(),
                      "count=%zu quiet_p50_ms=%.2f quiet_p99_ms=%.2f p50_ms=%.2f p99_ms=%.2f max_ms=%.1f ease_s=%.1f",
                      begun_in(exchanges_, schedule_.attack, schedule_.after).size(), percentile(quiet, 0.5),
                      percentile(quiet, 0.99), percentile(during, 0.5), percentile(during, 0.99),
                      percentile(during, 1), ease_seconds);
        return line.data() + errors() + probe_report();
    }

private:
    /// From a request of an undisturbed client to its next one.
    [[nodiscard]] Clock::duration gap() const {
        if (interval_ > 0s) return interval_;
        const double median = percentile(begun_in(exchanges_, schedule_.quiet, schedule_.attack), 0.5);
        return victim_think + std::chrono::microseconds(static_cast<long>(median * 1000));
    }

    [[nodiscard]] double bound() const {
        const Exchanges quiet = begun_in(with_missed(exchanges_, gap()), schedule_.quiet, schedule_.attack);
        return std::min(ratio_bound * percentile(quiet, 0.99), bound_ms);
    }

    [[nodiscard]] std::optional<Time> at_ease() const {
        return at_ease_from(with_missed(up_to_now(), gap()), schedule_.after, Clock::now(), bound());
    }

    /// With the requests that nobody has answered yet.
    [[nodiscard]] Exchanges up_to_now() const {
        Exchanges all = exchanges_;
        for (const auto& client : loop_.clients()) {
            if (client.get() != prober_ && client->waiting_since())
                all.push_back({*client->waiting_since(), Clock::now(), is_fresh(*client) ? 200 : unanswered});
        }
        return all;
    }

    /// One that the end of the run broke off in time says nothing.
    [[nodiscard]] static bool is_fresh(const Client& client) {
        return Clock::now() - *client.waiting_since() < 1s;
    }

    [[nodiscard]] std::string errors() const {
        Tally tally;
        std::size_t count = 0;
        for (const Exchange& one : begun_in(up_to_now(), schedule_.quiet, schedule_.end)) {
            if (one.is_good()) continue;
            ++tally[one.status];
            ++count;
        }
        return " errors=" + std::to_string(count) + " error_statuses=" + text_of(tally);
    }

    [[nodiscard]] std::string probe_report() const {
        Exchanges probes = probes_;
        if (prober_->waiting_since()) probes.push_back({*prober_->waiting_since(), Clock::now(), 200});
        const Exchanges counted = begun_in(probes, schedule_.attack, schedule_.end);
        const double worst = percentile(counted, 1);
        const auto failed = std::ranges::count_if(counted, [](const Exchange& one) {
            return one.status != 200 || percentile({one}, 1) > probe_bound_ms;
        });
        return " healthz_ms=" + std::to_string(static_cast<long>(worst)) +
               " healthz_failed=" + std::to_string(failed);
    }

    Schedule schedule_;
    Loop loop_;
    Exchanges exchanges_;
    Exchanges probes_;
    const Client* prober_ = nullptr;
    Clock::duration interval_{};
};

}  // namespace

/// Bodies are made before the clock starts: that is work, too.
std::string measure_disturbance(const Attack& attack) {
    const Surroundings around = surroundings();
    const Conducts clients = attack.clients(around);
    const Schedule schedule = Schedule::from_now();
    Companion attackers([&] { return play(clients, schedule); });
    Companion watcher([&] { return watch_temporary_files(schedule); });
    Connection::trust(setting("CA_FILE"));
    Victim victim(attack.victim, around, schedule);
    victim.work();
    return victim.report() + ' ' + watcher.line() + ' ' + attackers.line();
}

}  // namespace data_import::bench

#include "steady_load.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>

#include "attacks.h"
#include "settings.h"
#include "statistics.h"

namespace data_import::bench {

namespace {

using namespace std::chrono_literals;

std::atomic<bool> is_ending = false;

Conduct importer(const std::string& token) {
    Conduct conduct;
    conduct.place.port = static_cast<std::uint16_t>(number("PORT"));
    conduct.accounts = supplier_accounts;
    const std::string body = import_body(victim_supplier, static_cast<std::size_t>(number("BODY_BYTES")));
    conduct.request = post(notes_path, token, body);
    conduct.pause = conduct.reconnect = 50ms;
    conduct.gives_up = [](int) { return is_ending.load(); };
    return conduct;
}

class SteadyLoad {
public:
    SteadyLoad() {
        Conducts importers;
        for (const std::string& token : lines_of(setting("TOKENS"))) importers.push_back(importer(token));
        const auto connections = static_cast<std::size_t>(number("CONNECTIONS"));
        for (std::size_t index = 0; index < connections; ++index)
            loop_.add(
                importers[index % importers.size()], [this](const Exchange& exchange) { record(exchange); },
                Clock::now());
    }

    void run() {
        began_ = Clock::now();
        loop_.run(Clock::now() + seconds("LONGEST_SECONDS"), [] { return is_ending.load(); });
        signalled_ = Clock::now();
        loop_.run(signalled_ + seconds("STOP_SECONDS"), [this] { return have_all_given_up(); });
        for (const auto& client : loop_.clients()) {
            if (client->waiting_since()) ++ending_[unanswered];
        }
    }

    [[nodiscard]] std::string report() const {
        const double taken = std::chrono::duration<double>(signalled_ - began_).count();
        std::array<char, 160> times{};
        std::snprintf(times.data(), times.size(),
                      "requests_per_second=%.0f p50_ms=%.1f p99_ms=%.1f max_ms=%.1f ",
                      static_cast<double>(exchanges_.size()) / taken, percentile(exchanges_, 0.5),
                      percentile(exchanges_, 0.99), percentile(exchanges_, 1));
        return times.data() + ("answers=" + text_of(steady_)) + " answers_at_end=" + text_of(ending_);
    }

private:
    void record(const Exchange& exchange) {
        ++(is_ending ? ending_ : steady_)[exchange.status];
        if (!is_ending) exchanges_.push_back(exchange);
    }

    [[nodiscard]] bool have_all_given_up() const {
        return std::ranges::all_of(loop_.clients(),
                                   [](const auto& client) { return client->has_given_up(); });
    }

    Loop loop_;
    Exchanges exchanges_;
    Tally steady_;
    Tally ending_;
    Clock::time_point began_;
    Clock::time_point signalled_;
};

}  // namespace

std::string load_steadily() {
    std::signal(SIGUSR1, [](int) { is_ending = true; });
    Connection::trust(setting("CA_FILE"));
    SteadyLoad load;
    load.run();
    return load.report();
}

}  // namespace data_import::bench

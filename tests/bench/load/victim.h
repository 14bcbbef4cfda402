// The organisation that works while another one attacks, and its measurements.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "attacks.h"
#include "statistics.h"

namespace data_import::bench {

/// The times at which the parts of a run begin. Victim and attackers are processes that share nothing but the
/// clock.
struct Schedule {
    Clock::time_point quiet;
    Clock::time_point attack;
    Clock::time_point after;
    Clock::time_point end;
};

class Victim {
public:
    /// `mode` is `notes`, `payment`, `listing` or `token`.
    Victim(std::string_view mode, const Surroundings& around, const Schedule& schedule);

    /// Sends requests until the schedule ends. Returns earlier if, since the end of the attack, one whole
    /// second has passed in which no request failed and the p99 was at most `bound()`.
    void work();
    /// The measurements: NAME=VALUE, separated by spaces.
    [[nodiscard]] std::string report() const;

private:
    [[nodiscard]] Clock::duration gap() const;
    [[nodiscard]] Exchanges quiet_ones() const;
    [[nodiscard]] double bound() const;
    [[nodiscard]] std::optional<Clock::time_point> at_ease() const;
    [[nodiscard]] Exchanges up_to_now() const;
    [[nodiscard]] std::string errors() const;
    [[nodiscard]] std::string probe_report() const;

    Schedule schedule_;
    Loop loop_;
    Exchanges exchanges_;
    Exchanges probes_;
    const Client* prober_ = nullptr;
    Clock::duration interval_{};
};

}  // namespace data_import::bench

// A progress line on a terminal: the percentage that is done, the speed, and the time left. It is not shown
// if standard error is no terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace data_import::ctl {

class ProgressLine {
public:
    ProgressLine();
    /// Wipes the line.
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// Begins a phase: `reading`, `checking 1000 rows`.
    void phase(const std::string& name);
    /// Shows that `rows` of this phase are done, a `fraction` of all (0 to 1; below 0 if it is not known).
    /// Draws at most five times a second.
    void rows_done(std::uint64_t rows, double fraction);
    /// Returns the seconds since this object was made.
    [[nodiscard]] double seconds() const;

private:
    void draw(const std::string& text) const;

    using Clock = std::chrono::steady_clock;

    bool is_visible_;
    Clock::time_point began_ = Clock::now();
    std::string phase_;
    Clock::time_point phase_began_ = began_;
    Clock::time_point drawn_{};
};

}  // namespace data_import::ctl

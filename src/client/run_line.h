// One line on a terminal that says how far a run is.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>

#include "client/summary.h"

namespace data_import::client {

/// The line's text: `45%  4,500 lines  812/s  3 not accepted  1:05 left`, less what is not known.
[[nodiscard]] std::string progress_text(const Totals& totals, std::optional<std::uint64_t> total_bytes,
                                        std::chrono::duration<double> elapsed);

/// Rewrites the line on standard error while it lives, and takes it away at the end. Does nothing if standard
/// error is no terminal.
class Progress {
public:
    /// `summary` has to live longer.
    Progress(const Summary& summary, std::optional<std::uint64_t> total_bytes);

private:
    void run(const std::stop_token& stop) const;

    const Summary& summary_;
    const std::optional<std::uint64_t> total_bytes_;
    const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    std::jthread thread_;  // last, so that it ends before what it uses
};

}  // namespace data_import::client

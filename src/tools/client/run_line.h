// Shows the progress of a run.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "tools/client/options.h"
#include "tools/client/pace.h"
#include "tools/client/summary.h"

namespace data_import::client {

/// Returns the progress of a run, without the parts that are not known: `45%  4,500 requests  812/s  3 not
/// accepted  1:05 left`.
[[nodiscard]] std::string progress_text(const Totals& totals, std::optional<std::uint64_t> total_bytes,
                                        std::chrono::duration<double> elapsed);

/// Returns the progress of one import, with a bar: `notes  [#####.....]  50%  4,500 requests  812/s  3 not
/// accepted 1:05 left`. `expected` is the number of bytes of all its lines, 0 if it is not known.
[[nodiscard]] std::string bar_text(std::string_view import, const EndpointTotals& totals,
                                   std::uint64_t expected, std::chrono::duration<double> elapsed);

/// Returns a remark that no request succeeds, such as ` no answer for 14 s, retrying`. If the service has
/// asked to wait, the remark says until when. Empty while requests succeed, and for the first five seconds
/// without a success.
[[nodiscard]] std::string silence_text(const std::optional<Silence>& silence);

/// Shows on standard error, while it lives, how a run goes: on a terminal by a bar for each import, which is
/// removed at the end; else by a line every ten seconds, which is JSON if the summary is.
class RunLine {
public:
    /// Starts to show the run. `summary` and `pace` have to outlive this object; `pace` is null for a run
    /// without a service. Throws std::runtime_error for a file that cannot be read.
    ///
    /// Has to be made before standard input is read, because the constructor measures how many bytes are left
    /// there.
    RunLine(const Summary& summary, const Options& options, const Pace* pace = nullptr);

private:
    void run(const std::stop_token& stop) const;
    void write_lines(const std::stop_token& stop) const;
    [[nodiscard]] std::chrono::duration<double> elapsed() const;
    [[nodiscard]] std::string silence() const;

    const Summary& summary_;
    const Pace* const pace_;
    const std::optional<std::uint64_t> total_bytes_;
    const bool json_;
    std::map<std::string_view, std::uint64_t> expected_;
    const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    std::jthread thread_;  // last, so that it ends before the members that it uses
};

}  // namespace data_import::client

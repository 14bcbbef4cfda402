#include "client/run_line.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string_view>

namespace data_import::client {

namespace {

constexpr std::chrono::milliseconds interval(250);
constexpr std::string_view erase_line = "\r\033[K";

void write_to_terminal(std::string_view text) {
    // A terminal that has gone away is no reason to end the run.
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

std::string minutes(double seconds) {
    const auto whole = static_cast<std::uint64_t>(seconds);
    const std::string rest = std::to_string(whole % 60);
    return std::to_string(whole / 60) + ":" + (rest.size() < 2 ? "0" : "") + rest;
}

}  // namespace

std::string progress_text(const Totals& totals, std::optional<std::uint64_t> total_bytes,
                          std::chrono::duration<double> elapsed) {
    std::string text;
    const double share =
        total_bytes && *total_bytes > 0
            ? std::min(1.0, static_cast<double>(totals.bytes) / static_cast<double>(*total_bytes))
            : 0.0;
    if (total_bytes) text += std::to_string(static_cast<int>(share * 100)) + "%  ";
    text += grouped(totals.lines) + " lines";
    if (elapsed.count() >= 1) {
        text += "  " +
                grouped(static_cast<std::uint64_t>(static_cast<double>(totals.lines) / elapsed.count())) +
                "/s";
    }
    if (totals.failed() > 0) text += "  " + grouped(totals.failed()) + " not accepted";
    if (totals.repeats > 0) text += "  " + grouped(totals.repeats) + " repeats";
    if (share > 0) text += "  " + minutes(elapsed.count() * (1 - share) / share) + " left";
    return text;
}

Progress::Progress(const Summary& summary, std::optional<std::uint64_t> total_bytes)
    : summary_(summary), total_bytes_(total_bytes) {
    if (::isatty(STDERR_FILENO) != 1) return;
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void Progress::run(const std::stop_token& stop) const {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    while (!stop.stop_requested()) {
        const auto elapsed = std::chrono::steady_clock::now() - begin_;
        write_to_terminal(std::string(erase_line) + progress_text(summary_.totals(), total_bytes_, elapsed));
        never.wait_for(lock, stop, interval, [] { return false; });
    }
    write_to_terminal(erase_line);
}

}  // namespace data_import::client

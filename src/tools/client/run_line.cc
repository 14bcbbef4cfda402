#include "tools/client/run_line.h"

#include <unistd.h>

#include <algorithm>
#include <stop_token>
#include <string_view>

#include "data/json/writer.h"
#include "tools/client/files_to_load.h"
#include "tools/client/stop.h"

namespace data_import::client {

namespace {

constexpr std::chrono::milliseconds interval(250);
constexpr std::chrono::seconds long_interval(10);
constexpr std::string_view erase_below = "\r\033[J";
constexpr std::string_view one_line_up = "\033[A";

void write_to_terminal(std::string_view text) {
    // Errors are ignored: the run goes on without its terminal.
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

std::string minutes(double seconds) {
    const auto whole = static_cast<std::uint64_t>(seconds);
    const std::string rest = std::to_string(whole % 60);
    return std::to_string(whole / 60) + ":" + (rest.size() < 2 ? "0" : "") + rest;
}

void append_rate(std::string& text, std::uint64_t lines, std::chrono::duration<double> elapsed) {
    text += grouped(lines) + (lines == 1 ? " request" : " requests");
    if (elapsed.count() < 1) return;
    text += "  " + grouped(static_cast<std::uint64_t>(static_cast<double>(lines) / elapsed.count())) + "/s";
}

double fraction_of(std::uint64_t bytes, std::uint64_t all) {
    return all == 0 ? 0.0 : std::min(1.0, static_cast<double>(bytes) / static_cast<double>(all));
}

std::string time_left(double fraction, std::chrono::duration<double> elapsed) {
    return fraction > 0 ? "  " + minutes(elapsed.count() * (1 - fraction) / fraction) + " left" : "";
}

/// Returns `notes` for `/v1/data-import/notes/create/`.
std::string_view short_name(std::string_view import) {
    constexpr std::string_view root = "/v1/data-import/";
    if (import.starts_with(root)) import.remove_prefix(root.size());
    return import.empty() ? "other" : import.substr(0, import.find('/'));
}

}  // namespace

std::string progress_text(const Totals& totals, std::optional<std::uint64_t> total_bytes,
                          std::chrono::duration<double> elapsed) {
    std::string text;
    const double fraction = fraction_of(totals.bytes, total_bytes.value_or(0));
    if (total_bytes) text += std::to_string(static_cast<int>(fraction * 100)) + "%  ";
    append_rate(text, totals.lines, elapsed);
    if (totals.failed() > 0) text += "  " + grouped(totals.failed()) + " not accepted";
    if (totals.retries > 0)
        text += "  " + grouped(totals.retries) + (totals.retries == 1 ? " retry" : " retries");
    return text + time_left(fraction, elapsed);
}

std::string bar_text(std::string_view import, const EndpointTotals& totals, std::uint64_t expected,
                     std::chrono::duration<double> elapsed) {
    constexpr std::size_t width = 20;
    constexpr std::size_t name_width = 27;
    std::string text(short_name(import));
    text.resize(std::max(text.size(), name_width), ' ');
    const double fraction = fraction_of(totals.bytes, expected);
    const auto filled = static_cast<std::size_t>(fraction * width);
    if (expected > 0) {
        text += "[" + std::string(filled, '#') + std::string(width - filled, '.') + "]  " +
                std::to_string(static_cast<int>(fraction * 100)) + "%  ";
    }
    append_rate(text, totals.lines, elapsed);
    if (totals.failed > 0) text += "  " + grouped(totals.failed) + " not accepted";
    return text + time_left(fraction, elapsed);
}

std::string silence_text(const std::optional<Silence>& silence) {
    constexpr std::chrono::seconds usual(5);
    if (silence && silence->asked_until) return "  asked to wait until " + in_seconds(*silence->asked_until);
    if (!silence || silence->time < usual) return {};
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(silence->time).count();
    return (silence->last == Load::throttled ? "  service busy for " : "  no answer for ") +
           std::to_string(seconds) + " s" + (silence->last == Load::good ? "" : ", retrying");
}

RunLine::RunLine(const Summary& summary, const Options& options, const Pace* pace)
    : summary_(summary), pace_(pace), total_bytes_(total_bytes(options.files)), json_(options.json) {
    if (::isatty(STDERR_FILENO) == 1) {
        expected_ = bytes_by_import(options.files, options.csv);
        thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    } else {
        thread_ = std::jthread([this](const std::stop_token& stop) { write_lines(stop); });
    }
}

std::chrono::duration<double> RunLine::elapsed() const {
    return std::chrono::steady_clock::now() - begin_;
}

std::string RunLine::silence() const {
    return pace_ == nullptr ? std::string() : silence_text(pace_->silence());
}

void RunLine::run(const std::stop_token& stop) const {
    std::string back;
    do {
        std::string text = back + std::string(erase_below);
        const auto endpoints = summary_.endpoints();
        for (const auto& [import, totals] : endpoints) {
            const auto expected = expected_.find(import);
            text += bar_text(import, totals, expected == expected_.end() ? 0 : expected->second, elapsed()) +
                    "\n";
        }
        text += progress_text(summary_.totals(), total_bytes_, elapsed()) + silence();
        write_to_terminal(text);
        back = "\r";
        for (std::size_t line = 0; line < endpoints.size(); ++line) back += one_line_up;
    } while (wait(interval, stop));
    write_to_terminal(back + std::string(erase_below));
}

void RunLine::write_lines(const std::stop_token& stop) const {
    while (wait(long_interval, stop)) {
        const Totals totals = summary_.totals();
        if (json_) {
            json::Writer writer;
            writer.begin_object();
            write_totals(writer, totals, elapsed());
            write_to_terminal(writer.end_object().take() + "\n");
        } else {
            write_to_terminal(std::string(program) + ": " + progress_text(totals, total_bytes_, elapsed()) +
                              silence() + "\n");
        }
    }
}

}  // namespace data_import::client

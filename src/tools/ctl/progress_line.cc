#include "tools/ctl/progress_line.h"

#include <unistd.h>

#include <cmath>
#include <iostream>

namespace data_import::ctl {

namespace {

constexpr std::chrono::milliseconds drawing_interval{200};
constexpr const char* wipe_line = "\r\033[K";

std::string whole(double number) {
    return std::to_string(std::llround(number));
}

}  // namespace

ProgressLine::ProgressLine() : is_visible_(isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
    draw("");
}

double ProgressLine::seconds() const {
    return std::chrono::duration<double>(Clock::now() - began_).count();
}

void ProgressLine::rows_done(std::uint64_t rows, double fraction) {
    if (!is_visible_ || Clock::now() - drawn_ < drawing_interval) return;
    drawn_ = Clock::now();
    const double elapsed = std::chrono::duration<double>(drawn_ - phase_began_).count();
    std::string text = phase_ + ": " + std::to_string(rows) + " rows";
    if (elapsed > 0) text += ", " + whole(static_cast<double>(rows) / elapsed) + " rows/s";
    if (fraction > 0)
        text += ", " + whole(fraction * 100) + " %, " + whole(elapsed / fraction - elapsed) + " s to go";
    draw(text);
}

void ProgressLine::phase(const std::string& name) {
    phase_ = name;
    phase_began_ = Clock::now();
    draw(phase_ + " ...");
}

void ProgressLine::draw(const std::string& text) const {
    if (is_visible_) std::cerr << wipe_line << text << std::flush;
}

}  // namespace data_import::ctl

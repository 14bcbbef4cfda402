#include "http/lines.h"

#include <algorithm>

#include "util/text.h"

namespace data_import::http {

namespace {

constexpr std::size_t piece = 64 * 1024;

}  // namespace

LineReader::LineReader(std::string_view body, bool is_gzip, Limits limits)
    : gunzip_(is_gzip ? std::make_unique<util::Gunzip>() : nullptr), packed_(body), limits_(limits) {
    if (is_gzip) return;
    rest_ = body;
    bytes_read_ = body.size();
}

std::optional<BodyLine> LineReader::next() {
    BodyLine line;
    while (take_line(line)) {
        if (line.text.ends_with('\r')) line.text.pop_back();
        if (!line.is_blank) return line;
    }
    return std::nullopt;
}

/// False where there is nothing behind the last line end.
bool LineReader::take_line(BodyLine& line) {
    line = {.number = ++lines_};
    while (!rest_.empty() || fill()) {
        const std::size_t end = std::min(rest_.find('\n'), rest_.size());
        const std::size_t kept = std::min(end, limits_.line - line.text.size());
        line.text.append(rest_, 0, kept);
        line.is_blank = line.is_blank && util::trimmed(rest_.substr(0, end)).empty();
        line.is_too_long = line.is_too_long || kept < end;
        const bool is_whole = end < rest_.size();
        rest_.remove_prefix(is_whole ? end + 1 : end);
        if (is_whole) return true;
    }
    return !line.text.empty();
}

bool LineReader::fill() {
    if (!gunzip_ || bytes_read_ > limits_.body) return false;
    unpacked_.resize(piece);
    unpacked_.resize(gunzip_->read(packed_, unpacked_));
    if (unpacked_.size() < piece) gunzip_->require_end();
    bytes_read_ += unpacked_.size();
    rest_ = unpacked_;
    return !rest_.empty();
}

}  // namespace data_import::http

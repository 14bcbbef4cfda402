#include "http/lines.h"

#include <utility>

namespace data_import::http {

namespace {

constexpr std::size_t piece = 64 * 1024;

}  // namespace

BodyLines::BodyLines(std::string_view body, bool is_gzip, Limits limits)
    : gunzip_(is_gzip ? std::make_unique<util::Gunzip>() : nullptr),
      packed_(body),
      plain_(is_gzip ? std::string_view() : body),
      body_limit_(limits.body),
      bytes_read_(plain_.size()),
      splitter_([this] { return next_piece(); }, limits.line) {}

std::optional<BodyLine> BodyLines::next() {
    util::LineSplitter::Line line;
    while (splitter_.next(line)) {
        ++lines_;
        if (line.is_blank) continue;
        if (line.text.ends_with('\r')) line.text.pop_back();
        return BodyLine{lines_, std::move(line.text), line.is_too_long};
    }
    return std::nullopt;
}

std::string_view BodyLines::next_piece() {
    if (!gunzip_) return std::exchange(plain_, {});
    if (bytes_read_ > body_limit_) return {};
    unpacked_.resize(piece);
    unpacked_.resize(gunzip_->read(packed_, unpacked_));
    if (unpacked_.size() < piece) gunzip_->require_end();
    bytes_read_ += unpacked_.size();
    return unpacked_;
}

}  // namespace data_import::http

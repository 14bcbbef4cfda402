#include "tools/export/line_stream.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/util/gzip.h"
#include "base/util/write_all.h"
#include "tools/console/failure.h"

namespace data_import::exports {

namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20U;
constexpr int zstd_level = 3;

std::string gzip_member(std::string_view text) {
    util::Gzip member(Z_DEFAULT_COMPRESSION);
    member.add(text);
    return member.take();
}

std::string zstd_frame(std::string_view text) {
    std::string frame(ZSTD_compressBound(text.size()), '\0');
    const std::size_t size = ZSTD_compress(frame.data(), frame.size(), text.data(), text.size(), zstd_level);
    if (ZSTD_isError(size) != 0) throw std::bad_alloc();
    frame.resize(size);
    return frame;
}

}  // namespace

std::string_view ending_of(Compression compression) {
    constexpr std::string_view endings[] = {"", ".gz", ".zst"};
    return endings[static_cast<std::size_t>(compression)];
}

LineStream::LineStream(int descriptor, Compression compression, std::string name)
    : descriptor_(descriptor), compression_(compression), name_(std::move(name)) {}

void LineStream::add(std::string_view lines) {
    piece_ += lines;
    lines_ += static_cast<std::uint64_t>(std::ranges::count(lines, '\n'));
    if (piece_.size() >= piece_bytes) flush();
}

void LineStream::flush() {
    if (piece_.empty()) return;
    std::string packed = compression_ == Compression::gzip   ? gzip_member(piece_)
                         : compression_ == Compression::zstd ? zstd_frame(piece_)
                                                             : std::move(piece_);
    piece_.clear();
    sha256_.add(packed);
    bytes_ += packed.size();
    try {
        util::write_all(descriptor_, packed, name_ + " cannot be written");
    } catch (const std::system_error& error) {
        if (error.code() == std::errc::broken_pipe) throw console::UnreadOutput();
        throw console::Failure(error.what());
    }
}

std::string LineStream::take_sha256() {
    return util::to_hex(util::bytes_of(sha256_.take()));
}

}  // namespace data_import::exports

// Compresses texts as clients do, and decompresses them.
#pragma once

#include <zlib.h>

#include <stdexcept>
#include <string>

#include "base/util/gzip.h"

namespace data_import::tests {

/// Returns the text as one gzip member.
inline std::string packed(std::string text) {
    constexpr int level = 6;
    constexpr int memory = 8;
    z_stream stream{};
    if (deflateInit2(&stream, level, Z_DEFLATED, 16 + MAX_WBITS, memory, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::runtime_error("zlib does not begin");
    std::string all(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(text.data());
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(all.data());
    stream.avail_out = static_cast<uInt>(all.size());
    const bool is_whole = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    all.resize(stream.total_out);
    deflateEnd(&stream);
    if (!is_whole) throw std::runtime_error("zlib does not end");
    return all;
}

/// Throws util::GzipError if `member` is no gzip member.
inline std::string unpacked(const std::string& member) {
    util::Gunzip gunzip;
    std::span<const char> rest(member);
    std::string text;
    char piece[65536];
    while (const std::size_t count = gunzip.read(rest, piece)) text.append(piece, count);
    gunzip.require_end();
    return text;
}

}  // namespace data_import::tests

#include "base/util/gzip.h"

#include <new>
#include <utility>

namespace data_import::util {

Gunzip::Gunzip() {
    constexpr int gzip_only = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, gzip_only) != Z_OK) throw std::bad_alloc();
}

Gunzip::~Gunzip() {
    inflateEnd(&stream_);
}

// If `packed` is used up at the end of a member, all text of the member has been returned. A member ends with
// a checksum, and zlib reads the checksum only after it has returned all of the text.
std::size_t Gunzip::read(std::span<const char>& packed, std::span<char> text) {
    // zlib does not write to its input.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
    stream_.next_out = reinterpret_cast<Bytef*>(text.data());
    stream_.avail_out = static_cast<uInt>(text.size());
    while (stream_.avail_in > 0 && stream_.avail_out > 0) {
        if (!inside_member_) inflateReset(&stream_);
        const int result = inflate(&stream_, Z_NO_FLUSH);
        if (result != Z_OK && result != Z_STREAM_END) throw GzipError("the gzip data is broken");
        inside_member_ = result != Z_STREAM_END;
    }
    packed = packed.last(stream_.avail_in);
    return text.size() - stream_.avail_out;
}

void Gunzip::require_end() const {
    if (!may_end()) throw GzipError("the gzip data ends before its end");
}

Gzip::Gzip(int level) {
    constexpr int gzip_only = 16 + MAX_WBITS;
    constexpr int memory = 9;
    if (deflateInit2(&stream_, level, Z_DEFLATED, gzip_only, memory, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
}

Gzip::~Gzip() {
    deflateEnd(&stream_);
}

std::string Gzip::take() {
    write({}, Z_FINISH);
    return std::move(packed_);
}

void Gzip::write(std::string_view text, int flush) {
    // zlib does not write to its input.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream_.avail_in = static_cast<uInt>(text.size());
    do {
        char piece[16384];
        stream_.next_out = reinterpret_cast<Bytef*>(piece);
        stream_.avail_out = sizeof piece;
        deflate(&stream_, flush);
        packed_.append(piece, sizeof piece - stream_.avail_out);
    } while (stream_.avail_out == 0);
}

std::string gzipped(std::string_view text) {
    Gzip packed(Z_BEST_COMPRESSION);
    packed.add(text);
    return packed.take();
}

}  // namespace data_import::util

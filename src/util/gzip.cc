#include "util/gzip.h"

#include <new>

namespace data_import::util {

Gunzip::Gunzip() {
    constexpr int gzip_only = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, gzip_only) != Z_OK) throw std::bad_alloc();
}

Gunzip::~Gunzip() {
    inflateEnd(&stream_);
}

// A member's last bytes are a checksum: while zlib keeps text back, they have not been taken.
std::size_t Gunzip::read(std::span<const char>& packed, std::span<char> text) {
    // zlib does not write there
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

std::string gzipped(std::string_view text) {
    constexpr int gzip_only = 16 + MAX_WBITS;
    constexpr int memory = 9;
    z_stream stream{};
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_only, memory, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
    std::string packed(deflateBound(&stream, text.size()), '\0');
    // zlib does not write there
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);  // in one step, as there is room for all of it
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

}  // namespace data_import::util

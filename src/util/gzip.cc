#include "util/gzip.h"

#include <new>

namespace data_import::util {

Gunzip::Gunzip(std::string_view compressed) {
    constexpr int gzip_only = 16 + MAX_WBITS;
    // zlib does not write there
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));
    stream_.avail_in = static_cast<uInt>(compressed.size());
    if (inflateInit2(&stream_, gzip_only) != Z_OK) throw std::bad_alloc();
}

Gunzip::~Gunzip() {
    inflateEnd(&stream_);
}

std::size_t Gunzip::read(std::span<char> buffer) {
    stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream_.avail_out = static_cast<uInt>(buffer.size());
    while (stream_.avail_out > 0) {
        if (!inside_member_) {
            if (stream_.avail_in == 0) break;
            inflateReset(&stream_);
            inside_member_ = true;
        }
        const int result = inflate(&stream_, Z_NO_FLUSH);
        if (result == Z_STREAM_END) {
            inside_member_ = false;
        } else if (result == Z_BUF_ERROR ||
                   (result == Z_OK && stream_.avail_in == 0 && stream_.avail_out > 0)) {
            throw GzipError("the gzip data ends before its end");
        } else if (result != Z_OK) {
            throw GzipError("the gzip data is broken");
        }
    }
    return buffer.size() - stream_.avail_out;
}

}  // namespace data_import::util

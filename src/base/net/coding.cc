#include "base/net/coding.h"

#include <Poco/Net/NetException.h>

#include <array>
#include <span>
#include <utility>

#include "base/util/text.h"

namespace data_import::net {

namespace {

using Poco::Net::MessageException;

constexpr std::size_t piece_bytes = 16384;

[[noreturn]] void refuse(const util::GzipError& error) {
    throw MessageException("the answer is packed with gzip, which nobody asked for, and broken: " +
                           std::string(error.what()));
}

}  // namespace

std::string coding_of(std::string_view content_encoding) {
    std::string coding = util::lowered(content_encoding);
    if (coding == "x-gzip") return std::string(gzip);
    return coding == "identity" ? std::string() : coding;
}

Unpacker::Unpacker(Receive receive, bool is_packed) : receive_(std::move(receive)) {
    if (is_packed) gunzip_.emplace();
}

void Unpacker::take(std::string_view piece) {
    if (!gunzip_) return receive_(piece);
    has_begun_ = has_begun_ || !piece.empty();
    std::span<const char> packed(piece);
    std::array<char, piece_bytes> text;
    try {
        for (;;) {
            const std::size_t count = gunzip_->read(packed, text);
            if (count > 0) receive_({text.data(), count});
            if (packed.empty() && count < text.size()) return;
        }
    } catch (const util::GzipError& error) {
        refuse(error);
    }
}

void Unpacker::finish() const {
    if (!gunzip_ || !has_begun_) return;
    try {
        gunzip_->require_end();
    } catch (const util::GzipError& error) {
        refuse(error);
    }
}

std::string unpacked(std::string_view packed, std::size_t max_bytes) {
    std::string body;
    Unpacker unpacker(
        [&](std::string_view piece) {
            if (body.size() + piece.size() > max_bytes) throw MessageException("the answer is too long");
            body += piece;
        },
        true);
    unpacker.take(packed);
    unpacker.finish();
    return body;
}

}  // namespace data_import::net

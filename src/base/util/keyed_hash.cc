#include "base/util/keyed_hash.h"

#include <bit>
#include <cstring>
#include <string>

#include "base/util/crypto.h"

namespace data_import::util {

namespace {

class Sip {
public:
    Sip(std::uint64_t first, std::uint64_t second)
        : v0_(first ^ 0x736f6d6570736575U),
          v1_(second ^ 0x646f72616e646f6dU),
          v2_(first ^ 0x6c7967656e657261U),
          v3_(second ^ 0x7465646279746573U) {}

    void take(std::uint64_t word) {
        v3_ ^= word;
        rounds(2);
        v0_ ^= word;
    }

    std::uint64_t finish() {
        v2_ ^= 0xFFU;
        rounds(4);
        return v0_ ^ v1_ ^ v2_ ^ v3_;
    }

private:
    void rounds(int count) {
        while (count-- > 0) {
            v0_ += v1_;
            v1_ = std::rotl(v1_, 13) ^ v0_;
            v0_ = std::rotl(v0_, 32);
            v2_ += v3_;
            v3_ = std::rotl(v3_, 16) ^ v2_;
            v0_ += v3_;
            v3_ = std::rotl(v3_, 21) ^ v0_;
            v2_ += v1_;
            v1_ = std::rotl(v1_, 17) ^ v2_;
            v2_ = std::rotl(v2_, 32);
        }
    }

    std::uint64_t v0_;
    std::uint64_t v1_;
    std::uint64_t v2_;
    std::uint64_t v3_;
};

/// Returns up to eight bytes as a little-endian number.
std::uint64_t word_of(std::string_view bytes) {
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), bytes.size());
    return word;
}

KeyedHash make_hash() {
    const std::string key = random_bytes(2 * sizeof(std::uint64_t));
    const std::string_view bytes(key);
    return {word_of(bytes.substr(0, sizeof(std::uint64_t))), word_of(bytes.substr(sizeof(std::uint64_t)))};
}

}  // namespace

const KeyedHash& KeyedHash::of_process() {
    static const KeyedHash hash = make_hash();
    return hash;
}

std::uint64_t KeyedHash::operator()(std::string_view text) const {
    constexpr std::size_t word = sizeof(std::uint64_t);
    Sip sip(first_, second_);
    const std::uint64_t length = text.size();
    for (; text.size() >= word; text.remove_prefix(word)) sip.take(word_of(text.substr(0, word)));
    sip.take(word_of(text) | length << 56U);
    return sip.finish();
}

}  // namespace data_import::util

#include "base/util/foreign_form.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace data_import::util {

namespace {

using namespace std::string_view_literals;

struct Signature {
    std::string_view bytes;
    std::string_view form;
};

constexpr std::array packed = {Signature{"\x1F\x8B", "gzip"},
                               Signature{"\x28\xB5\x2F\xFD", "Zstandard"},
                               Signature{"BZh", "bzip2"},
                               Signature{"\xFD\x37zXZ\0"sv, "xz"},
                               Signature{"PK\x03\x04", "a ZIP archive"},
                               Signature{"\x78\x01", "zlib"},
                               Signature{"\x78\x9C", "zlib"},
                               Signature{"\x78\xDA", "zlib"}};

// UTF-32 comes first, because its mark FF FE 00 00 begins with the mark FF FE of UTF-16.
constexpr std::array marks = {Signature{"\xFF\xFE\0\0"sv, "UTF-32"}, Signature{"\0\0\xFE\xFF"sv, "UTF-32"},
                              Signature{"\xFF\xFE", "UTF-16"}, Signature{"\xFE\xFF", "UTF-16"}};

template <std::size_t count>
std::optional<std::string_view> form_of(std::string_view bytes,
                                        const std::array<Signature, count>& signatures) {
    const auto found = std::ranges::find_if(
        signatures, [&](const Signature& signature) { return bytes.starts_with(signature.bytes); });
    return found == signatures.end() ? std::nullopt : std::optional(found->form);
}

/// Returns whether the first bytes are zero where the pattern has `0`, and not zero where it has `x`.
bool has_zeros(std::string_view bytes, std::string_view pattern) {
    return bytes.size() >= pattern.size() &&
           std::equal(pattern.begin(), pattern.end(), bytes.begin(),
                      [](char wanted, char byte) { return (wanted == '0') == (byte == '\0'); });
}

}  // namespace

std::optional<std::string_view> packed_form(std::string_view bytes) {
    return form_of(bytes, packed);
}

std::optional<std::string_view> wide_encoding(std::string_view bytes) {
    if (const auto marked = form_of(bytes, marks)) return marked;
    if (has_zeros(bytes, "x000") || has_zeros(bytes, "000x")) return "UTF-32";
    if (has_zeros(bytes, "x0") || has_zeros(bytes, "0x")) return "UTF-16";
    return std::nullopt;
}

}  // namespace data_import::util

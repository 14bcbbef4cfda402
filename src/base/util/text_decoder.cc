#include "base/util/text_decoder.h"

#include <algorithm>
#include <array>
#include <utility>

namespace data_import::util {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t bytes_at_once = 64UL * 1024;
constexpr std::size_t longest_look = 64UL * 1024;
constexpr std::size_t longest_signature = 10;

struct Signature {
    std::string_view bytes;
    std::string_view format;
};

constexpr std::string_view zip =
    "a zip archive or a workbook (.xlsx), not text: unpack it, or save the sheet as CSV";

constexpr std::array signatures = {
    Signature{"PK\x03\x04"sv, zip},
    Signature{"PK\x05\x06"sv, zip},
    Signature{"PK\x07\x08"sv, zip},
    Signature{"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv,
              "an Excel workbook (.xls), not text: save the sheet as CSV"},
    Signature{"\x1F\x8B"sv, "packed with gzip inside: unpack it once"},
    Signature{"\x28\xB5\x2F\xFD"sv, "packed with Zstandard inside: unpack it once"},
    Signature{"\xFD"
              "7zXZ\0"sv,
              "packed with xz: unpack it, or pack it with gzip or Zstandard"},
    Signature{"7z\xBC\xAF\x27\x1C"sv, "a 7-Zip archive: unpack it"},
    Signature{"Rar!\x1A\x07"sv, "a RAR archive: unpack it"},
    Signature{"\x04\x22\x4D\x18"sv, "packed with LZ4: unpack it, or pack it with gzip or Zstandard"},
    Signature{"\x1F\x9D"sv, "packed with compress: unpack it, or pack it with gzip or Zstandard"},
    Signature{"%PDF-"sv, "a PDF document, not text"},
    Signature{"\0\0\xFE\xFF"sv, "UTF-32, which is not read: save it as UTF-8"},
    Signature{"\xFF\xFE\0\0"sv, "UTF-32, which is not read: save it as UTF-8"},
};

bool is_space(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/// The first line that is not blank ends in the text.
bool has_line(std::string_view text) {
    const auto* const begin = std::ranges::find_if_not(text, is_space);
    return std::find_if(begin, text.end(), [](char byte) { return byte == '\n' || byte == '\r'; }) !=
           text.end();
}

/// Half a pair of surrogates also becomes three bytes: these are no UTF-8, so that their text is refused.
void append_code_point(std::string& text, char32_t point) {
    const auto add = [&](char32_t bits) { text += static_cast<char>(bits); };
    if (point < 0x80) return add(point);
    if (point < 0x800) {
        add(0xC0 | (point >> 6U));
    } else if (point < 0x10000) {
        add(0xE0 | (point >> 12U));
        add(0x80 | ((point >> 6U) & 0x3FU));
    } else {
        add(0xF0 | (point >> 18U));
        add(0x80 | ((point >> 12U) & 0x3FU));
        add(0x80 | ((point >> 6U) & 0x3FU));
    }
    add(0x80 | (point & 0x3FU));
}

bool is_high_half(char16_t unit) {
    return unit >= 0xD800 && unit < 0xDC00;
}

bool is_low_half(char16_t unit) {
    return unit >= 0xDC00 && unit < 0xE000;
}

}  // namespace

std::optional<std::string_view> known_format(std::string_view begin) {
    // a number of an account may begin with three such letters
    if (begin.starts_with("BZh") && begin.size() >= 10 && begin.substr(4, 6) == "1AY&SY")
        return "packed with bzip2: unpack it, or pack it with gzip or Zstandard";
    const auto* const found = std::ranges::find_if(
        signatures, [&](const Signature& signature) { return begin.starts_with(signature.bytes); });
    return found == signatures.end() ? std::nullopt : std::optional(found->format);
}

std::size_t TextDecoder::read(const Source& source, std::span<char> text) {
    if (!began_) begin(source);
    while (given_ == ready_.size()) {
        ready_.clear();
        given_ = 0;
        // nothing to change: without a copy
        if (encoding_ == Encoding::utf8) return source(text);
        if (!read_more(source) && ready_.empty()) return 0;
    }
    const std::size_t count = ready_.copy(text.data(), text.size(), given_);
    given_ += count;
    return count;
}

std::string_view TextDecoder::look_ahead(const Source& source) {
    if (!began_) begin(source);
    while (!has_line(ready_) && ready_.size() < longest_look && read_more(source)) {
    }
    return std::string_view(ready_).substr(given_);
}

/// A pipe may bring the first bytes one by one.
void TextDecoder::begin(const Source& source) {
    began_ = true;
    while (ready_.size() < longest_signature && read_more(source)) {
    }
    if (const auto format = known_format(ready_)) throw NoText(std::string(*format));
    find_encoding();
    if (encoding_ == Encoding::utf8) return;
    const std::string bytes = std::exchange(ready_, {});
    decode(bytes);
    if (ended_) end_text();
}

void TextDecoder::find_encoding() {
    const std::string_view begin(ready_);
    const auto is_zero = [&](std::size_t place) { return begin[place] == '\0'; };
    std::size_t mark = 0;
    if (begin.starts_with("\xEF\xBB\xBF")) mark = 3;
    if (begin.starts_with("\xFF\xFE") || begin.starts_with("\xFE\xFF")) {
        mark = 2;
        encoding_ = begin[0] == '\xFF' ? Encoding::utf16_little_endian : Encoding::utf16_big_endian;
    } else if (begin.size() >= 4 && is_zero(1) && is_zero(3) && !is_zero(0) && !is_zero(2)) {
        encoding_ = Encoding::utf16_little_endian;  // a file of records begins with two ASCII characters
    } else if (begin.size() >= 4 && is_zero(0) && is_zero(2) && !is_zero(1) && !is_zero(3)) {
        encoding_ = Encoding::utf16_big_endian;
    }
    has_mark_ = mark > 0;
    ready_.erase(0, mark);
}

/// False at the end, when there may be text for the last time.
bool TextDecoder::read_more(const Source& source) {
    if (ended_) return false;
    std::string bytes(bytes_at_once, '\0');
    bytes.resize(source(bytes));
    ended_ = bytes.empty();
    if (encoding_ == Encoding::utf8)
        ready_ += bytes;
    else
        ended_ ? end_text() : decode(bytes);
    return !ended_;
}

void TextDecoder::decode(std::string_view bytes) {
    ready_.reserve(ready_.size() + bytes.size());
    for (const char byte : bytes) {
        if (!odd_byte_) {
            odd_byte_ = byte;
            continue;
        }
        const auto first = static_cast<unsigned char>(*odd_byte_);
        const auto second = static_cast<unsigned char>(byte);
        odd_byte_.reset();
        add_unit(encoding_ == Encoding::utf16_little_endian ? static_cast<char16_t>(second << 8U | first)
                                                            : static_cast<char16_t>(first << 8U | second));
    }
}

void TextDecoder::add_unit(char16_t unit) {
    const char16_t high = std::exchange(high_half_, char16_t{0});
    if (high != 0 && is_low_half(unit)) {
        append_code_point(ready_, 0x10000 + ((char32_t{high} - 0xD800) << 10U) + (char32_t{unit} - 0xDC00));
        return;
    }
    if (high != 0) append_code_point(ready_, high);
    is_high_half(unit) ? void(high_half_ = unit) : append_code_point(ready_, unit);
}

void TextDecoder::end_text() {
    if (high_half_ != 0) append_code_point(ready_, std::exchange(high_half_, char16_t{0}));
    if (odd_byte_) ready_ += '\xFF';
    odd_byte_.reset();
}

}  // namespace data_import::util

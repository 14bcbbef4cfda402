#include "base/util/text_decoder.h"

#include <iconv.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace data_import::util {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t bytes_at_once = 64UL * 1024;
constexpr std::size_t longest_look = 64UL * 1024;
constexpr std::size_t longest_signature = 10;
// Bytes that replace a broken character. They are not UTF-8, so the text is refused.
constexpr std::string_view no_character = "\xFF\xFF\xFF";

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

/// Returns whether the text includes the end of its first line that is not blank.
bool has_line(std::string_view text) {
    const auto* const begin = std::ranges::find_if_not(text, is_space);
    return std::find_if(begin, text.end(), [](char byte) { return byte == '\n' || byte == '\r'; }) !=
           text.end();
}

}  // namespace

std::optional<std::string_view> known_format(std::string_view begin) {
    // an account's number may begin with BZh, too, so more bytes are compared
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
        // UTF-8 passes through unchanged, so it is read into `text` without a copy.
        if (!is_utf16()) return source(text);
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

/// Finds the encoding in the first bytes. It reads until there are enough of them, because a pipe may bring
/// them one by one.
void TextDecoder::begin(const Source& source) {
    began_ = true;
    while (ready_.size() < longest_signature && read_more(source)) {
    }
    if (const auto format = known_format(ready_)) throw NoText(std::string(*format));
    find_encoding();
    if (!is_utf16()) return;
    const std::string bytes = std::exchange(ready_, {});
    decode(bytes);
    if (ended_) end_text();
}

void TextDecoder::Closer::operator()(void* converter) const {
    ::iconv_close(converter);
}

void TextDecoder::open_converter(const char* encoding) {
    const iconv_t converter = ::iconv_open("UTF-8", encoding);
    if (converter == reinterpret_cast<iconv_t>(-1))
        throw NoText("UTF-16, which this system cannot convert: save it as UTF-8");
    converter_.reset(converter);
}

void TextDecoder::find_encoding() {
    const std::string_view begin(ready_);
    const auto is_zero = [&](std::size_t place) { return begin[place] == '\0'; };
    std::size_t mark = 0;
    if (begin.starts_with("\xEF\xBB\xBF")) mark = 3;
    if (begin.starts_with("\xFF\xFE") || begin.starts_with("\xFE\xFF")) {
        mark = 2;
        open_converter(begin[0] == '\xFF' ? "UTF-16LE" : "UTF-16BE");
    } else if (begin.size() >= 4 && is_zero(1) && is_zero(3) && !is_zero(0) && !is_zero(2)) {
        // The text has no byte order mark. Every file that is read begins with two ASCII characters, so the
        // places of their zero bytes tell the encoding.
        open_converter("UTF-16LE");
    } else if (begin.size() >= 4 && is_zero(0) && is_zero(2) && !is_zero(1) && !is_zero(3)) {
        open_converter("UTF-16BE");
    }
    has_mark_ = mark > 0;
    ready_.erase(0, mark);
}

/// Adds the text of the next bytes of the source to `ready_`. Returns false at the end of the source, even if
/// this call has added the last text.
bool TextDecoder::read_more(const Source& source) {
    if (ended_) return false;
    std::string bytes(bytes_at_once, '\0');
    bytes.resize(source(bytes));
    ended_ = bytes.empty();
    if (!is_utf16())
        ready_ += bytes;
    else
        ended_ ? end_text() : decode(bytes);
    return !ended_;
}

void TextDecoder::decode(std::string_view bytes) {
    constexpr std::size_t unit_bytes = 2;
    std::array<char, 4096> text;
    undecoded_ += bytes;
    char* from = undecoded_.data();
    for (std::size_t left = undecoded_.size(); left > 0;) {
        char* to = text.data();
        std::size_t room = text.size();
        const bool is_done = ::iconv(converter_.get(), &from, &left, &to, &room) != std::size_t(-1);
        const int reason = is_done ? 0 : errno;
        ready_.append(text.data(), to);
        if (reason == EINVAL) break;  // the rest is the beginning of a character
        if (reason != EILSEQ) continue;
        ready_ += no_character;
        from += unit_bytes;
        left -= unit_bytes;
    }
    undecoded_.erase(0, static_cast<std::size_t>(from - undecoded_.data()));
}

void TextDecoder::end_text() {
    if (!undecoded_.empty()) ready_ += no_character;
    undecoded_.clear();
}

}  // namespace data_import::util

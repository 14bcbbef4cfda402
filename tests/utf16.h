// Converts text to UTF-16, as Windows writes it.
#pragma once

#include <string>

#include <Poco/TextConverter.h>
#include <Poco/UTF16Encoding.h>
#include <Poco/UTF8Encoding.h>

namespace data_import::tests {

inline std::string utf16_of(const std::string& utf8, bool is_big_endian, bool has_mark) {
    const Poco::UTF8Encoding from;
    const Poco::UTF16Encoding to(is_big_endian ? Poco::UTF16Encoding::BIG_ENDIAN_BYTE_ORDER
                                               : Poco::UTF16Encoding::LITTLE_ENDIAN_BYTE_ORDER);
    std::string bytes;
    if (has_mark) bytes = is_big_endian ? "\xFE\xFF" : "\xFF\xFE";
    Poco::TextConverter(from, to).convert(utf8, bytes);
    return bytes;
}

}  // namespace data_import::tests

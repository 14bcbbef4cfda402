#include "data/database/array_text.h"

#include <array>
#include <utility>

namespace data_import::database {

namespace {

/// Characters that PostgreSQL reads without quotes. Nearly all numbers, instants and codes consist of them.
constexpr std::array<bool, 256> plain_characters = [] {
    std::array<bool, 256> plain{};
    for (const char character : std::string_view("0123456789-+.:_/"
                                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"))
        plain[static_cast<unsigned char>(character)] = true;
    return plain;
}();

bool is_plain(std::string_view element) {
    for (const char character : element) {
        if (!plain_characters[static_cast<unsigned char>(character)]) return false;
    }
    // PostgreSQL reads the word NULL without quotes, in capitals or not, as the value NULL. So every word of
    // four letters that begins with n gets quotes.
    constexpr std::size_t length_of_null = 4;
    return !element.empty() && (element.size() != length_of_null || (element.front() | 0x20) != 'n');
}

}  // namespace

void ArrayText::add(std::string_view element) {
    if (text_.size() > 1) text_ += ',';
    if (is_plain(element)) {
        text_ += element;
        return;
    }
    text_ += '"';
    std::size_t written = 0;
    for (std::size_t place = 0; place < element.size(); ++place) {
        if (element[place] != '"' && element[place] != '\\') continue;
        text_.append(element, written, place - written) += '\\';
        written = place;
    }
    text_.append(element, written) += '"';
}

std::string ArrayText::take() {
    text_ += '}';
    return std::move(text_);
}

}  // namespace data_import::database

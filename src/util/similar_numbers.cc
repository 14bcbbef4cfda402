#include "util/similar_numbers.h"

#include <algorithm>
#include <set>

#include "util/text.h"

namespace data_import::util {

namespace {

constexpr std::size_t longest = 40;  // bytes
constexpr std::size_t most_zeros = 10;
constexpr std::string_view separators = " -_./";

bool is_digit(char character) {
    return character >= '0' && character <= '9';
}

std::string raised(std::string_view text) {
    std::string upper(text);
    for (char& character : upper) {
        if (character >= 'a' && character <= 'z') character = static_cast<char>(character - 'a' + 'A');
    }
    return upper;
}

void add_zeros(std::set<std::string>& numbers, const std::string& text) {
    for (std::size_t begin = 0; begin < text.size(); ++begin) {
        if (!is_digit(text[begin]) || (begin > 0 && is_digit(text[begin - 1]))) continue;
        const std::size_t end = std::min(text.find_first_not_of("0123456789", begin), text.size());
        const std::size_t first = std::min(text.find_first_not_of('0', begin), end - 1);
        for (std::size_t zeros = 0; zeros <= most_zeros; ++zeros)
            numbers.insert(text.substr(0, begin) + std::string(zeros, '0') + text.substr(first));
    }
}

/// Between the bytes of a character there is no place for one: no account has such a number.
void add_separators(std::set<std::string>& numbers, const std::string& text) {
    for (std::size_t place = 0; place <= text.size(); ++place) {
        for (const char separator : separators) numbers.insert(std::string(text).insert(place, 1, separator));
        if (place < text.size() && separators.find(text[place]) != std::string_view::npos)
            numbers.insert(std::string(text).erase(place, 1));
    }
}

}  // namespace

std::vector<std::string> similar_numbers(std::string_view text) {
    const std::string_view inner = trimmed(text);
    if (inner.empty() || inner.size() > longest) return {};
    std::set<std::string> numbers;
    for (const std::string& form : {std::string(inner), raised(inner), lowered(inner)}) {
        numbers.insert(form);
        add_zeros(numbers, form);
        add_separators(numbers, form);
    }
    numbers.erase(std::string(text));
    std::erase_if(numbers, [](const std::string& number) { return number.empty() || !is_utf8(number); });
    return {numbers.begin(), numbers.end()};
}

}  // namespace data_import::util

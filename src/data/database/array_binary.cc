#include "data/database/array_binary.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "base/util/big_endian.h"
#include "base/util/datetime.h"
#include "base/util/decimal.h"
#include "base/util/whole_number.h"
#include "data/database/binary_form.h"

namespace data_import::database {

namespace {

// The head of an array: the number of dimensions, whether there are NULLs, and the type. An array with
// elements also has its length and its first subscript.
constexpr std::size_t short_head = 12;
constexpr std::size_t long_head = 20;

// The head of a numeric: length, groups, weight, sign, places after the point.
constexpr std::size_t head_of_numeric = 12;

[[noreturn]] void refuse(std::string_view element) {
    throw std::logic_error("no element of an array for PostgreSQL: " + std::string(element.substr(0, 64)));
}

/// Appends an element: first the number `count`, its length, in four bytes; then `number`, in `count` bytes.
template <std::size_t count>
void append_element(std::string& bytes, std::int64_t number) {
    char encoded[4 + count];
    util::put_big_endian<4>(encoded, count);
    util::put_big_endian<count>(encoded + 4, static_cast<std::uint64_t>(number));
    bytes.append(encoded, sizeof encoded);
}

void append_text(std::string& bytes, std::string_view text) {
    util::append_big_endian<4>(bytes, text.size());
    bytes += text;
}

std::int64_t integer_of(std::string_view text) {
    const auto number = util::whole_number<std::int64_t>(text);
    if (!number) refuse(text);
    return *number;
}

std::int64_t days_of(std::string_view text) {
    const auto date = util::parse_date(text);
    if (!date) refuse(text);
    const std::chrono::sys_days day = std::chrono::year(date->year) /
                                      std::chrono::month(static_cast<unsigned>(date->month)) /
                                      std::chrono::day(static_cast<unsigned>(date->day));
    return day.time_since_epoch().count() - days_to_2000;
}

std::int64_t microseconds_of(std::string_view text) {
    const auto instant = util::parse_datetime(text);
    if (!instant) refuse(text);
    return instant->microseconds - microseconds_to_2000;
}

constexpr std::array<std::int8_t, 256> hexadecimal_digits = [] {
    std::array<std::int8_t, 256> values{};
    values.fill(-1);
    for (int value = 0; value < 10; ++value)
        values[static_cast<std::size_t>('0' + value)] = static_cast<std::int8_t>(value);
    for (int value = 10; value < 16; ++value) {
        values[static_cast<std::size_t>('a' + value - 10)] = static_cast<std::int8_t>(value);
        values[static_cast<std::size_t>('A' + value - 10)] = static_cast<std::int8_t>(value);
    }
    return values;
}();

void append_uuid(std::string& bytes, std::string_view text) {
    constexpr std::size_t uuid_bytes = 16;
    if (text.size() != 2 * uuid_bytes) refuse(text);
    util::append_big_endian<4>(bytes, uuid_bytes);
    for (std::size_t place = 0; place < text.size(); place += 2) {
        const int high = hexadecimal_digits[static_cast<unsigned char>(text[place])];
        const int low = hexadecimal_digits[static_cast<unsigned char>(text[place + 1])];
        if (high < 0 || low < 0) refuse(text);
        bytes += static_cast<char>(high * 16 + low);
    }
}

std::size_t groups_of(std::string_view digits) {
    return (digits.size() + digits_in_group - 1) / digits_in_group;
}

/// Removes the first `count` digits from `digits`, and returns the number that they make. Missing digits
/// count as zeros.
int take_group(std::string_view& digits, std::size_t count) {
    int group = 0;
    for (std::size_t place = 0; place < count; ++place)
        group = group * 10 + (place < digits.size() ? digits[place] - '0' : 0);
    digits.remove_prefix(std::min(count, digits.size()));
    return group;
}

/// Appends groups of four digits on both sides of the point, at most max_decimal_digits in all. PostgreSQL
/// drops groups of zeros at either end.
void append_digits(std::string& bytes, bool negative, std::string_view whole, std::string_view fraction) {
    const std::size_t before_point = groups_of(whole);
    const std::size_t groups = before_point + groups_of(fraction);
    std::array<char, head_of_numeric + 2 * (util::max_decimal_digits / digits_in_group + 2)> encoded;
    util::put_big_endian<4>(&encoded[0], 2 * (4 + groups));
    util::put_big_endian<2>(&encoded[4], groups);
    util::put_big_endian<2>(&encoded[6], before_point - 1);
    util::put_big_endian<2>(&encoded[8], negative ? minus_sign : 0);
    util::put_big_endian<2>(&encoded[10], fraction.size());
    char* end = encoded.data() + head_of_numeric;
    const auto put_group = [&end](std::string_view& digits, std::size_t count) {
        util::put_big_endian<2>(end, static_cast<std::uint64_t>(take_group(digits, count)));
        end += 2;
    };
    if (const std::size_t rest = whole.size() % digits_in_group; rest > 0) put_group(whole, rest);
    while (!whole.empty()) put_group(whole, digits_in_group);
    while (!fraction.empty()) put_group(fraction, digits_in_group);
    bytes.append(encoded.data(), end);
}

std::size_t digits_at_begin(std::string_view text) {
    std::size_t count = 0;
    while (count < text.size() && text[count] >= '0' && text[count] <= '9') ++count;
    return count;
}

/// Appends a decimal. Most decimals are short and have no exponent; their digits are not copied.
void append_decimal(std::string& bytes, std::string_view text) {
    const bool negative = text.starts_with('-');
    std::string_view rest = text.substr(negative ? 1 : 0);
    std::string_view whole = rest.substr(0, digits_at_begin(rest));
    rest.remove_prefix(whole.size());
    if (whole.size() > 1) whole.remove_prefix(std::min(whole.find_first_not_of('0'), whole.size() - 1));
    std::string_view fraction;
    if (rest.starts_with('.')) {
        fraction = rest.substr(1, digits_at_begin(rest.substr(1)));
        rest.remove_prefix(1 + fraction.size());
    }
    if (rest.empty() && !whole.empty() && text.back() != '.') {
        if (whole.size() + fraction.size() > util::max_decimal_digits)
            fraction = util::without_zeros_at_end(fraction);
        if (whole.size() + fraction.size() <= util::max_decimal_digits)
            return append_digits(bytes, negative, whole, fraction);
    }
    const auto decimal = util::parse_json_number(text);
    if (!decimal) refuse(text);
    append_digits(bytes, decimal->negative, decimal->whole, decimal->fraction);
}

}  // namespace

ArrayBinary::ArrayBinary(ElementType type) : type_(type), bytes_(long_head, '\0') {}

void ArrayBinary::add(std::string_view element) {
    ++size_;
    switch (type_) {
        case ElementType::boolean:
            if (element != "t" && element != "f") refuse(element);
            return append_element<1>(bytes_, element == "t" ? 1 : 0);
        case ElementType::bigint:
            return append_element<8>(bytes_, integer_of(element));
        case ElementType::integer:
            return append_element<4>(bytes_, integer_of(element));
        case ElementType::text:
            return append_text(bytes_, element);
        case ElementType::date:
            return append_element<4>(bytes_, days_of(element));
        case ElementType::timestamptz:
            return append_element<8>(bytes_, microseconds_of(element));
        case ElementType::numeric:
            return append_decimal(bytes_, element);
        case ElementType::uuid:
            return append_uuid(bytes_, element);
    }
}

void ArrayBinary::add_integer(std::int32_t element) {
    ++size_;
    append_element<4>(bytes_, element);
}

void ArrayBinary::add_null() {
    ++size_;
    has_nulls_ = true;
    util::append_big_endian<4>(bytes_, null_length);
}

void ArrayBinary::append(const ArrayBinary& other) {
    size_ += other.size_;
    has_nulls_ = has_nulls_ || other.has_nulls_;
    bytes_.append(other.bytes_, long_head);
}

// Compares all bytes but those of the last element with all bytes but those of the first one. They are the
// same if each element equals the next one.
void ArrayBinary::keep_once() {
    const std::string_view elements = std::string_view(bytes_).substr(long_head);
    if (size_ < 2 || has_nulls_ || elements.size() % size_ != 0) return;
    const std::size_t length = elements.size() / size_;
    if (length != 4 + util::big_endian(elements.substr(0, 4)) ||
        elements.substr(length) != elements.substr(0, elements.size() - length))
        return;
    size_ = 1;
    bytes_.resize(long_head + length);
}

std::string ArrayBinary::take() {
    util::put_big_endian<4>(&bytes_[0], size_ == 0 ? 0 : 1);
    util::put_big_endian<4>(&bytes_[4], has_nulls_ ? 1 : 0);
    util::put_big_endian<4>(&bytes_[8], static_cast<std::uint32_t>(type_));
    util::put_big_endian<4>(&bytes_[12], size_);
    util::put_big_endian<4>(&bytes_[16], 1);
    if (size_ == 0) bytes_.resize(short_head);
    return std::move(bytes_);
}

}  // namespace data_import::database

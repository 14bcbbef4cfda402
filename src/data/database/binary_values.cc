#include "data/database/binary_values.h"

#include <limits>
#include <stdexcept>

#include "base/util/big_endian.h"
#include "data/database/binary_form.h"

namespace data_import::database {

namespace {

[[noreturn]] void refuse() {
    throw std::logic_error("PostgreSQL's answer has a value of another type than its reader takes");
}

std::uint64_t take_bytes(std::string_view& bytes, std::size_t count) {
    if (bytes.size() < count) refuse();
    const std::uint64_t number = util::big_endian(bytes.substr(0, count));
    bytes.remove_prefix(count);
    return number;
}

std::uint32_t take_word(std::string_view& bytes) {
    return static_cast<std::uint32_t>(take_bytes(bytes, 4));
}

std::int16_t take_short(std::string_view& bytes) {
    return static_cast<std::int16_t>(take_bytes(bytes, 2));
}

BinaryValue take_value(std::string_view& bytes) {
    const std::uint32_t length = take_word(bytes);
    if (length == null_length) return std::nullopt;
    if (length > bytes.size()) refuse();
    const std::string_view value = bytes.substr(0, length);
    bytes.remove_prefix(length);
    return value;
}

/// Appends the digits of a group, always four.
void append_group(std::string& text, int group) {
    char digits[digits_in_group];
    for (std::size_t place = digits_in_group; place-- > 0; group /= 10)
        digits[place] = static_cast<char>('0' + group % 10);
    text.append(digits, digits_in_group);
}

std::string_view special_number(std::uint16_t sign) {
    switch (sign) {
        case 0xC000:
            return "NaN";
        case 0xD000:
            return "Infinity";
        case 0xF000:
            return "-Infinity";
        default:
            refuse();
    }
}

}  // namespace

std::int64_t binary_integer(std::string_view bytes) {
    switch (bytes.size()) {
        case 2:
            return take_short(bytes);
        case 4:
            return static_cast<std::int32_t>(take_word(bytes));
        case 8:
            return static_cast<std::int64_t>(take_bytes(bytes, 8));
        default:
            refuse();
    }
}

bool binary_boolean(std::string_view bytes) {
    if (bytes.size() != 1) refuse();
    return bytes.front() != 0;
}

util::Instant binary_instant(std::string_view bytes) {
    if (bytes.size() != 8) refuse();
    util::Instant instant{binary_integer(bytes)};
    if (__builtin_add_overflow(instant.microseconds, microseconds_to_2000, &instant.microseconds))
        instant.microseconds = std::numeric_limits<std::int64_t>::max();
    return instant;
}

std::int64_t binary_date(std::string_view bytes) {
    if (bytes.size() != 4) refuse();
    return binary_integer(bytes) + days_to_2000;
}

// Reads groups of four digits. `weight` tells where the first group stands: 0 is right before the decimal
// point, 1 is one group further to the left, and -1 is right after the point.
void append_numeric(std::string& text, std::string_view bytes) {
    const int groups = take_short(bytes);
    const int weight = take_short(bytes);
    const auto sign = static_cast<std::uint16_t>(take_short(bytes));
    take_short(bytes);  // skips the number of digits to show after the point
    if (sign != 0 && sign != minus_sign) {
        text += special_number(sign);
        return;
    }
    if (sign != 0 && groups > 0) text += '-';
    int taken = 0;
    if (weight < 0 || groups == 0) {
        text += '0';
    } else {
        text += std::to_string(take_short(bytes));
        for (taken = 1; taken <= weight; ++taken) append_group(text, taken < groups ? take_short(bytes) : 0);
    }
    if (taken >= groups) return;
    text += '.';
    for (int place = -1; place > weight && taken == 0; --place) append_group(text, 0);
    for (; taken < groups; ++taken) append_group(text, take_short(bytes));
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
}

BinaryArray::BinaryArray(std::string_view bytes) : rest_(bytes) {
    const std::uint32_t dimensions = take_word(rest_);
    take_bytes(rest_, 8);  // skips the flag for NULLs, and the type of the elements
    if (dimensions == 0) return;
    if (dimensions != 1) refuse();
    left_ = take_word(rest_);
    take_word(rest_);  // skips the first subscript
    if (left_ == 1) only_ = rest_;
}

BinaryValue BinaryArray::next() {
    if (left_ == 0) return std::nullopt;
    --left_;
    return take_value(rest_);
}

BinaryValue BinaryArray::next_or_only() {
    if (left_ > 0 || only_.empty()) return next();
    std::string_view only = only_;
    return take_value(only);
}

void read_sent_record(std::string_view record, std::vector<BinaryValue>& columns) {
    columns.resize(take_word(record));
    for (BinaryValue& column : columns) {
        take_word(record);  // skips the type
        column = take_value(record);
    }
    if (!record.empty()) refuse();
}

}  // namespace data_import::database

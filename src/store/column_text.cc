#include "store/column_text.h"

#include <stdexcept>

namespace data_import::store {

std::string to_rfc3339(std::string_view timestamptz) {
    constexpr std::string_view utc = "+00";
    constexpr std::size_t date_length = 10;
    if (timestamptz.size() < 22 || !timestamptz.ends_with(utc) || timestamptz[date_length] != ' ') {
        throw std::logic_error("a time in PostgreSQL's answer is not in UTC");
    }
    std::string text(timestamptz.substr(0, timestamptz.size() - utc.size()));
    text[date_length] = 'T';
    return text += 'Z';
}

std::optional<std::string> optional_time(const database::Rows& rows, std::size_t row, std::size_t column) {
    if (rows.is_null(row, column)) return std::nullopt;
    return to_rfc3339(rows.text(row, column));
}

std::string uuid_digits(std::string_view uuid) {
    std::string digits(uuid);
    std::erase(digits, '-');
    return digits;
}

std::optional<std::string> optional_uuid_digits(const database::Rows& rows, std::size_t row,
                                                std::size_t column) {
    if (rows.is_null(row, column)) return std::nullopt;
    return uuid_digits(rows.text(row, column));
}

}  // namespace data_import::store

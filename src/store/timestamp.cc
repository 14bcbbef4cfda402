#include "store/timestamp.h"

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

}  // namespace data_import::store

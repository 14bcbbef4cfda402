#include "data/database/streamed_row.h"

#include <libpq-fe.h>

#include <stdexcept>

namespace data_import::database {

std::optional<std::string_view> StreamedRow::optional(std::size_t column) const {
    const int number = static_cast<int>(column);
    if (number >= PQnfields(&result_)) throw std::out_of_range("a row of a listing has too few columns");
    if (PQgetisnull(&result_, 0, number) != 0) return std::nullopt;
    return std::string_view(PQgetvalue(&result_, 0, number),
                            static_cast<std::size_t>(PQgetlength(&result_, 0, number)));
}

}  // namespace data_import::database

// Shows the elements of an array in PostgreSQL's binary form as text.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "base/util/big_endian.h"
#include "base/util/crypto.h"
#include "base/util/datetime.h"
#include "data/database/array_binary.h"
#include "data/database/binary_values.h"

namespace data_import::tests {

/// Returns the type of the elements. Throws std::out_of_range for bytes that are no array.
inline database::ElementType element_type_of(std::string_view array) {
    return static_cast<database::ElementType>(util::big_endian(array.substr(8, 4)));
}

inline std::string element_text(database::ElementType type, std::string_view bytes) {
    std::string text;
    switch (type) {
        case database::ElementType::boolean:
            return database::binary_boolean(bytes) ? "t" : "f";
        case database::ElementType::bigint:
        case database::ElementType::integer:
            return std::to_string(database::binary_integer(bytes));
        case database::ElementType::text:
            return std::string(bytes);
        case database::ElementType::date:
            util::append_date(text, database::binary_date(bytes));
            return text;
        case database::ElementType::timestamptz:
            return util::to_text(database::binary_instant(bytes));
        case database::ElementType::numeric:
            database::append_numeric(text, bytes);
            return text;
        case database::ElementType::uuid:
            return util::to_hex(bytes);
    }
    throw std::logic_error("an array of another type");
}

/// Returns the elements, such as `a|b|NULL`.
inline std::string elements_of(std::string_view array) {
    std::string text;
    const database::ElementType type = element_type_of(array);
    database::BinaryArray elements(array);
    while (elements.size() > 0) {
        if (!text.empty()) text += '|';
        const database::BinaryValue element = elements.next();
        text += element ? element_text(type, *element) : "NULL";
    }
    return text;
}

}  // namespace data_import::tests

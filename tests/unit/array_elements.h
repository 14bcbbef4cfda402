// Shows the elements of an array in PostgreSQL's binary form as text.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "util/array_binary.h"
#include "util/big_endian.h"
#include "util/binary_values.h"
#include "util/crypto.h"
#include "util/datetime.h"

namespace data_import::tests {

/// Throws std::out_of_range for bytes that are no array.
inline util::ElementType element_type_of(std::string_view array) {
    return static_cast<util::ElementType>(util::big_endian(array.substr(8, 4)));
}

inline std::string element_text(util::ElementType type, std::string_view bytes) {
    std::string text;
    switch (type) {
        case util::ElementType::boolean:
            return util::binary_boolean(bytes) ? "t" : "f";
        case util::ElementType::bigint:
        case util::ElementType::integer:
            return std::to_string(util::binary_integer(bytes));
        case util::ElementType::text:
            return std::string(bytes);
        case util::ElementType::date:
            util::append_date(text, util::binary_date(bytes));
            return text;
        case util::ElementType::timestamptz:
            return util::to_text(util::binary_instant(bytes));
        case util::ElementType::numeric:
            util::append_numeric(text, bytes);
            return text;
        case util::ElementType::uuid:
            return util::to_hex(bytes);
    }
    throw std::logic_error("an array of another type");
}

/// `a|b|NULL`
inline std::string elements_of(std::string_view array) {
    std::string text;
    const util::ElementType type = element_type_of(array);
    util::BinaryArray elements(array);
    while (elements.size() > 0) {
        if (!text.empty()) text += '|';
        const util::BinaryValue element = elements.next();
        text += element ? element_text(type, *element) : "NULL";
    }
    return text;
}

}  // namespace data_import::tests

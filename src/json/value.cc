#include "json/value.h"

#include <stdexcept>

namespace data_import::json {

void Value::lacks(const char* what) {
    throw std::logic_error(std::string("this JSON value has no ") + what);
}

std::optional<Value> Value::find(std::string_view key) const {
    for (const auto& [name, member] : members()) {
        if (name == key) return member;
    }
    return std::nullopt;
}

Value Value::at(std::string_view key) const {
    if (const auto member = find(key)) return *member;
    throw std::out_of_range("JSON object without member " + std::string(key));
}

}  // namespace data_import::json

#include "data/json/value.h"

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

MembersInTurn::MembersInTurn(const Value& object) : object_(object), next_(0), end_(0) {
    if (!object.is(Type::object)) Value::lacks("members");
    next_ = object.index_ + 1;
    end_ = object.document_->behind(object.index_);
}

std::optional<Value> MembersInTurn::search(std::string_view key) {
    const Document& document = *object_.document_;
    const auto look = [&](std::uint32_t name, std::uint32_t end) -> std::optional<Value> {
        for (; name < end; name = document.behind(name + 1)) {
            if (document.text(name) == key) return take(name);
        }
        return std::nullopt;
    };
    const std::uint32_t begun = next_;
    if (const auto found = look(begun, end_)) return found;
    return look(object_.index_ + 1, begun);
}

}  // namespace data_import::json

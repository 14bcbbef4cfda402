#include "graphql/value.h"

namespace data_import::graphql {

// Here, because the members of a variant have to be complete types for it.

Value::Value(bool truth) : held_(truth) {}

Value::Value(int number) : held_(std::int64_t{number}) {}

Value::Value(std::int64_t number) : held_(number) {}

Value::Value(double number) : held_(number) {}

Value::Value(std::string text) : held_(std::move(text)) {}

Value::Value(std::string_view text) : held_(std::string(text)) {}

Value::Value(const char* text) : held_(std::string(text)) {}

Value::Value(List items) : held_(std::move(items)) {}

Value::Value(Members members) : held_(std::move(members)) {}

const Value* Value::find(std::string_view name) const {
    for (const Member& member : members()) {
        if (member.name == name) return &member.value;
    }
    return nullptr;
}

bool Value::operator==(const Value& other) const {
    return held_ == other.held_;
}

}  // namespace data_import::graphql

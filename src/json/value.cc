#include "json/value.h"

#include <stdexcept>

namespace data_import::json {

namespace {

void demand(bool has_it, const char* what) {
    if (!has_it) throw std::logic_error(std::string("this JSON value has no ") + what);
}

bool is_container(Type type) {
    return type == Type::array || type == Type::object;
}

}  // namespace

std::uint32_t Document::behind(std::uint32_t index) const {
    const Node& here = node(index);
    return is_container(static_cast<Type>(here.type)) ? here.first : index + 1;
}

Type Value::type() const {
    return static_cast<Type>(document_->node(index_).type);
}

bool Value::boolean() const {
    demand(is(Type::boolean), "truth");
    return document_->node(index_).second != 0;
}

std::string_view Value::text() const {
    demand(is(Type::string) || is(Type::number), "text");
    const Document::Node& node = document_->node(index_);
    return std::string_view(document_->texts_).substr(node.first, node.second);
}

std::size_t Value::size() const {
    demand(is_container(type()), "size");
    return document_->node(index_).second;
}

Value::Items Value::items() const {
    demand(is(Type::array), "items");
    return {Value(*document_, index_ + 1), Value(*document_, document_->behind(index_))};
}

Value::Members Value::members() const {
    demand(is(Type::object), "members");
    return {Value(*document_, index_ + 1), Value(*document_, document_->behind(index_))};
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

std::size_t Value::end_position() const {
    return document_->behind(index_);
}

Value::Items::Iterator& Value::Items::Iterator::operator++() {
    current_.index_ = current_.document_->behind(current_.index_);
    return *this;
}

Value::Members::Iterator& Value::Members::Iterator::operator++() {
    key_.index_ = key_.document_->behind(key_.index_ + 1);
    return *this;
}

}  // namespace data_import::json

#include "graphql/execution.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "graphql/response.h"
#include "json/writer.h"

namespace data_import::graphql {

namespace {

/// A value that a resolver gave for a leaf whose type it is not of.
class WrongLeaf {};

void append_number(std::string& target, double number) {
    if (!std::isfinite(number)) throw WrongLeaf();
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, number).ptr;
    target.append(text, end);
}

void append_integer(std::string& target, const Value& value) {
    using Limits = std::numeric_limits<std::int32_t>;
    if (!value.is<std::int64_t>() || value.integer() < Limits::min() || value.integer() > Limits::max())
        throw WrongLeaf();
    target += std::to_string(value.integer());
}

void append_text(std::string& target, const Value& value) {
    if (!value.is<std::string>()) throw WrongLeaf();
    json::append_string(target, value.text());
}

void append_any(std::string& target, const Value& value) {
    if (value.is_null()) {
        target += "null";
    } else if (value.is<bool>()) {
        target += value.boolean() ? "true" : "false";
    } else if (value.is<std::int64_t>()) {
        target += std::to_string(value.integer());
    } else if (value.is<double>()) {
        append_number(target, value.number());
    } else if (value.is<std::string>()) {
        append_text(target, value);
    } else if (value.is<Value::List>()) {
        char separator = '[';
        if (value.list().empty()) target += separator;
        for (const Value& item : value.list()) {
            target += std::exchange(separator, ',');
            append_any(target, item);
        }
        target += ']';
    } else {
        char separator = '{';
        if (value.members().empty()) target += separator;
        for (const Member& member : value.members()) {
            target += std::exchange(separator, ',');
            json::append_string(target, member.name);
            target += ':';
            append_any(target, member.value);
        }
        target += '}';
    }
}

bool is_null(const Resolved& resolved) {
    if (const auto* value = std::get_if<Value>(&resolved)) return value->is_null();
    const auto* source = std::get_if<Source>(&resolved);
    if (source == nullptr) return false;
    const auto* given = std::get_if<const Value*>(source);
    return std::holds_alternative<std::monostate>(*source) || (given != nullptr && (*given)->is_null());
}

/// The value that a resolver gave; nullptr for parts of the schema.
const Value* value_of(const Resolved& resolved) {
    if (const auto* value = std::get_if<Value>(&resolved)) return value;
    const auto* source = std::get_if<Source>(&resolved);
    const auto* given = source == nullptr ? nullptr : std::get_if<const Value*>(source);
    return given == nullptr ? nullptr : *given;
}

Source source_of(const Value& item) {
    return &item;
}

Source source_of(const Source& item) {
    return item;
}

std::vector<std::uint32_t> places_of(const FieldGroup& group) {
    constexpr std::size_t most_places = 20;
    std::vector<std::uint32_t> offsets;
    for (const Selection* field : group.fields) {
        if (offsets.size() < most_places) offsets.push_back(field->offset);
    }
    return offsets;
}

bool is_introspection(std::string_view name) {
    return name.starts_with("__");
}

/// One attempt per request: the second field of a kind that allows only one.
const Selection* repeated_field(const TypeSystem& types, const NamedType& root,
                                const std::vector<FieldGroup>& groups) {
    std::vector<const FieldDefinition*> seen;
    for (const FieldGroup& group : groups) {
        const FieldDefinition* definition = types.field(root, group.fields.front()->name.text);
        if (!definition->once_per_request) continue;
        if (std::find(seen.begin(), seen.end(), definition) != seen.end()) return group.fields.front();
        seen.push_back(definition);
    }
    return nullptr;
}

}  // namespace

Response Execution::run(const Operation& operation) {
    const NamedType& root = *types_.root(operation.kind);
    try {
        const auto groups = collector_.collect(root, operation.set);
        if (const Selection* repeated = repeated_field(types_, root, groups)) {
            fail("The field " + std::string(repeated->name.text) + " may be asked for once in a request.",
                 code::validation_failed, {repeated->offset}, nullptr);
            return refused(errors_);
        }
        if (!write_object(root, {}, groups, nullptr)) data_ = "null";
    } catch (const FieldFailure& failure) {
        fail(failure.what(), failure.code(), {failure.offset()}, nullptr);
        data_ = "null";
    } catch (const TooMuchWork& limit) {
        record(limit.what(), code::internal_error, {operation.offset}, nullptr);
        data_ = "null";
    }
    return executed(errors_, data_);
}

bool Execution::write_object(const NamedType& type, const Source& source,
                             const std::vector<FieldGroup>& groups, const Place* place) {
    char separator = '{';
    for (const FieldGroup& group : groups) {
        count_field();
        data_ += std::exchange(separator, ',');
        json::append_string(data_, group.key);
        data_ += ':';
        const Place field_place{place, group.key};
        const FieldDefinition& definition = *types_.field(type, group.fields.front()->name.text);
        if (!write_field({group, definition, type, &field_place}, source)) return false;
    }
    if (groups.empty()) data_ += separator;
    data_ += '}';
    return true;
}

bool Execution::write_field(const Call& call, const Source& source) {
    const std::size_t start = data_.size();
    const TypeView type = call.definition.type.view();
    try {
        return write(call, type, resolve(call, source), call.place);
    } catch (const FieldFailure& failure) {
        fail(failure.what(), failure.code(), {failure.offset()}, call.place);
    } catch (const FieldError& failure) {
        fail(failure.what(), failure.code(), places_of(call.group), call.place);
    }
    return write_null_instead(start, type);
}

Resolved Execution::resolve(const Call& call, const Source& source) {
    const std::string& name = call.definition.name;
    if (name == "__typename") return Value(call.type.name);
    const Selection& field = *call.group.fields.front();
    const Value arguments =
        coerce_arguments(call.definition.arguments, field.arguments, variables_, field.offset);
    const bool is_root = std::holds_alternative<std::monostate>(source);
    if (is_introspection(is_root ? name : call.type.name)) return introspect(types_, source, name, arguments);
    if (is_root) {
        root_value_ = resolve_({call.type.name, name, arguments});
        return Source(&std::as_const(root_value_));
    }
    const Value* parent = std::get<const Value*>(source);
    const Value* member = parent->find(name);
    return member == nullptr ? Resolved(Value()) : Resolved(Source(member));
}

bool Execution::write(const Call& call, TypeView type, const Resolved& resolved, const Place* place) {
    const std::size_t start = data_.size();
    try {
        if (!is_null(resolved)) {
            if (write_present(call, type.nullable(), resolved, place)) return true;
        } else if (type.is_non_null()) {
            fail("This field has no value, although it must not be null.", code::internal_error,
                 places_of(call.group), place);
        }
    } catch (const WrongLeaf&) {
        fail("The value of this field is not of its type.", code::internal_error, places_of(call.group),
             place);
    } catch (const FieldFailure& failure) {
        fail(failure.what(), failure.code(), {failure.offset()}, place);
    }
    return write_null_instead(start, type);
}

bool Execution::write_present(const Call& call, TypeView type, const Resolved& resolved, const Place* place) {
    const Value* value = value_of(resolved);
    const auto* sources = std::get_if<std::vector<Source>>(&resolved);
    if (type.is_list() && sources != nullptr) return write_list(call, type.inner(), *sources, place);
    if (type.is_list() && value != nullptr && value->is<Value::List>())
        return write_list(call, type.inner(), value->list(), place);
    const bool is_object = value == nullptr || value->is<Value::Members>();
    if (!type.is_list() && type.named->kind == TypeKind::object && is_object) {
        const Source source = value == nullptr ? std::get<Source>(resolved) : Source(value);
        return write_object(*type.named, source, collector_.collect(*type.named, call.group), place);
    }
    if (type.is_list() || value == nullptr || !type.named->is_leaf()) throw WrongLeaf();
    write_leaf(*type.named, *value);
    return true;
}

template <typename Item>
bool Execution::write_list(const Call& call, TypeView item_type, const std::vector<Item>& items,
                           const Place* place) {
    data_ += '[';
    for (std::size_t index = 0; index < items.size(); ++index) {
        if (index > 0) data_ += ',';
        const Place item_place{place, index};
        if (!write(call, item_type, source_of(items[index]), &item_place)) return false;
    }
    data_ += ']';
    return true;
}

void Execution::write_leaf(const NamedType& leaf, const Value& value) {
    if (leaf.kind == TypeKind::enumeration) {
        if (!value.is<std::string>() || find_by_name(leaf.values, value.text()) == nullptr) throw WrongLeaf();
        return append_text(data_, value);
    }
    switch (leaf.scalar) {
        case ScalarKind::other:
            return append_any(data_, value);
        case ScalarKind::integer:
            return append_integer(data_, value);
        case ScalarKind::floating:
            if (!value.is<double>()) return append_integer(data_, value);
            return append_number(data_, value.number());
        case ScalarKind::string:
        case ScalarKind::id:
            return append_text(data_, value);
        case ScalarKind::boolean:
            if (!value.is<bool>()) throw WrongLeaf();
            data_ += value.boolean() ? "true" : "false";
    }
}

bool Execution::write_null_instead(std::size_t start, TypeView type) {
    if (type.is_non_null()) return false;
    data_.resize(start);
    data_ += "null";
    return true;
}

void Execution::count_field() {
    if (++answered_ > max_answered_fields) {
        throw TooMuchWork("The answer would have more than " + std::to_string(max_answered_fields) +
                          " fields.");
    }
    if (data_.size() > max_answer_bytes) {
        throw TooMuchWork("The answer would be longer than " + std::to_string(max_answer_bytes) + " bytes.");
    }
}

void Execution::fail(const std::string& message, std::string_view code, const Offsets& offsets,
                     const Place* place) {
    if (errors_.size() >= max_errors) throw TooMuchWork("There are too many errors to go on.");
    record(message, code, offsets, place);
}

void Execution::record(const std::string& message, std::string_view code, const Offsets& offsets,
                       const Place* place) {
    Error error{message, {}, {}, std::string(code)};
    for (const std::uint32_t offset : offsets) error.locations.push_back(locator_.at(offset));
    for (; place != nullptr; place = place->parent) {
        std::visit(
            [&](const auto& segment) {
                if constexpr (std::is_same_v<std::decay_t<decltype(segment)>, std::size_t>) {
                    error.path.emplace_back(segment);
                } else {
                    error.path.emplace_back(std::string(segment));
                }
            },
            place->segment);
    }
    std::reverse(error.path.begin(), error.path.end());
    errors_.push_back(std::move(error));
}

}  // namespace data_import::graphql

#include "schema/render.h"

#include <algorithm>
#include <cstddef>

#include "schema/node.h"

namespace data_import::schema {

namespace {

using json::Type;
using json::Value;
using json::Writer;

const Schema* field_schema(const ObjectNode& node, std::string_view name) {
    const auto found = std::ranges::find(node.fields, name, &Field::name);
    return found == node.fields.end() ? nullptr : &found->schema;
}

/// The fields that a valid object may have.
const ObjectNode& node_of(const Schema& schema, const Value& object) {
    const auto* variant = std::get_if<VariantNode>(&schema.node().kind);
    const Schema& own = variant == nullptr ? schema : alternative_of(*variant, object);
    return std::get<ObjectNode>(own.node().kind);
}

/// Writes values as they were sent. All fields of payloads have whole names.
struct AsSent {
    Writer& writer;

    void write(const Schema& schema, const Value& value) const {
        std::visit([&](const auto& node) { write(node, value); }, schema.node().kind);
    }
    void write(const ObjectNode& node, const Value& value) const {
        writer.begin_object();
        std::size_t expected = 0;
        for (const auto& [name, member] : value.members()) {
            const std::size_t place = place_of(name, node.fields, expected);
            if (place == node.fields.size()) continue;
            expected = place + 1;
            writer.key_literal(node.fields[place].key);
            write(node.fields[place].schema, member);
        }
        writer.end_object();
    }
    void write(const ArrayNode& node, const Value& value) const {
        writer.begin_array();
        for (const Value item : value.items()) write(node.item, item);
        writer.end_array();
    }
    void write(const VariantNode& node, const Value& value) const {
        write(alternative_of(node, value), value);
    }
    void write(const NullableNode& node, const Value& value) const {
        value.is(Type::null) ? static_cast<void>(writer.null()) : write(node.value, value);
    }
    template <typename Scalar>
    void write(const Scalar&, const Value& value) const {
        writer.value(value);
    }
};

}  // namespace

void write_validated(Writer& writer, const Schema& schema, const Value& value) {
    AsSent{writer}.write(schema, value);
}

bool declares(const Schema& schema, const Value& object, std::string_view name) {
    return field_schema(node_of(schema, object), name) != nullptr;
}

void write_validated_members(Writer& writer, const Schema& schema, const Value& object,
                             const std::function<bool(std::string_view, const Value&)>& instead) {
    const ObjectNode& node = node_of(schema, object);
    for (const auto& [name, member] : object.members()) {
        const Schema* declared = field_schema(node, name);
        if (declared == nullptr) continue;
        writer.key(name);
        if (!instead(name, member)) AsSent{writer}.write(*declared, member);
    }
}

}  // namespace data_import::schema

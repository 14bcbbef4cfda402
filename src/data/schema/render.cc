#include "data/schema/render.h"

#include <algorithm>
#include <cstddef>

#include "data/schema/node.h"

namespace data_import::schema {

namespace {

using json::Type;
using json::Value;
using json::Writer;

/// Returns the fields that a valid object may have.
const ObjectNode& node_of(const Schema& schema, const Value& object) {
    const auto* variant = std::get_if<VariantNode>(&schema.node().kind);
    const Schema& own = variant == nullptr ? schema : alternative_of(*variant, object);
    return std::get<ObjectNode>(own.node().kind);
}

/// Writes values as they were sent, with the declared names of their fields. Cannot write a field whose
/// declared name is only the beginning of the names that are sent (Field::more > 0); no payload that is
/// written has such a field.
struct AsSent {
    Writer& writer;

    void write(const Schema& schema, const Value& value) const {
        std::visit([&](const auto& node) { write(node, value); }, schema.node().kind);
    }
    void write(const ObjectNode& node, const Value& value) const {
        writer.begin_object();
        write_members(node, value, [](std::string_view, const Value&) { return false; });
        writer.end_object();
    }
    template <typename Instead>
    void write_members(const ObjectNode& node, const Value& value, const Instead& instead) const {
        std::size_t expected = 0;
        for (const auto& [name, member] : value.members()) {
            const std::size_t place = place_of(name, node.fields, expected);
            if (place == node.fields.size()) continue;
            expected = place + 1;
            writer.key_literal(node.fields[place].key);
            if (!instead(name, member)) write(node.fields[place].schema, member);
        }
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

void write_validated_members(Writer& writer, const Schema& schema, const Value& object,
                             const std::function<bool(std::string_view, const Value&)>& instead) {
    AsSent{writer}.write_members(node_of(schema, object), object, instead);
}

}  // namespace data_import::schema

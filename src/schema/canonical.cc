#include "schema/canonical.h"

#include <algorithm>

#include "json/writer.h"
#include "schema/canonical_scalars.h"
#include "schema/node.h"
#include "util/datetime.h"

namespace data_import::schema {

namespace {

using json::Type;
using json::Value;

struct Canonical {
    std::string& text;

    void write(const Schema& schema, const Value& value) const {
        std::visit([&](const auto& node) { write(node, value); }, schema.node().kind);
    }
    void write(const ObjectNode& node, const Value& value) const {
        char separator = '{';
        json::MembersInTurn members(value);
        for (const std::size_t place : node.sorted) {
            const Field& field = node.fields[place];
            const auto member = members.find(field.name);
            if (!member) continue;
            (((text += separator) += '"') += field.name) += "\":";
            write(field.schema, *member);
            separator = ',';
        }
        text += separator == '{' ? "{}" : "}";
    }
    void write(const ArrayNode& node, const Value& value) const {
        char separator = '[';
        for (const Value item : value.items()) {
            text += separator;
            write(node.item, item);
            separator = ',';
        }
        text += separator == '[' ? "[]" : "]";
    }
    void write(const VariantNode& node, const Value& value) const {
        const std::string_view name = value.at(node.discriminator).text();
        const Schema& form =
            std::ranges::find(node.alternatives, name, &std::pair<std::string, Object>::first)->second;
        write(form, value);
    }
    void write(const NullableNode& node, const Value& value) const {
        value.is(Type::null) ? static_cast<void>(text += "null") : write(node.value, value);
    }
    void write(const BooleanNode&, const Value& value) const { append_boolean(text, value.boolean()); }
    void write(const IntegerNode&, const Value& value) const { append_integer(text, value.text()); }
    void write(const DecimalNode&, const Value& value) const { append_decimal(text, value); }
    void write(const DatetimeNode&, const Value& value) const {
        append_instant(text, util::parse_datetime(value.text()).value());
    }
    void write(const ScalarNode&, const Value& value) const { append_scalar(text, value); }
    template <typename Text>
    void write(const Text&, const Value& value) const {
        json::append_string(text, value.text());
    }
};

}  // namespace

void append_canonical(std::string& text, const Schema& schema, const Value& value) {
    Canonical{text}.write(schema, value);
}

}  // namespace data_import::schema

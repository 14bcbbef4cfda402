#include "schema/content.h"

#include <cstdint>
#include <string_view>

#include "schema/node.h"
#include "util/big_endian.h"
#include "util/datetime.h"
#include "util/decimal.h"
#include "util/whole_number.h"

namespace data_import::schema {

namespace {

using json::Type;
using json::Value;

class Content {
public:
    explicit Content(std::string& text) : text_(text) {}

    void write(const Schema& schema, const Value& value) {
        std::visit([&](const auto& node) { write(node, value); }, schema.node().kind);
    }

private:
    void write(const ObjectNode& node, const Value& value) {
        json::MembersInTurn members(value);
        for (const Field& field : node.fields) {
            const auto member = members.find(field.name);
            if (!field.required) truth(member.has_value());
            if (member) write(field.schema, *member);
        }
    }
    void write(const ArrayNode& node, const Value& value) {
        util::append_big_endian<4>(text_, value.size());
        for (const Value item : value.items()) write(node.item, item);
    }
    void write(const VariantNode& node, const Value& value) { write(alternative_of(node, value), value); }
    void write(const NullableNode& node, const Value& value) {
        const bool is_null = value.is(Type::null);
        truth(is_null);
        if (!is_null) write(node.value, value);
    }
    void write(const BooleanNode&, const Value& value) { truth(value.boolean()); }
    void write(const IntegerNode&, const Value& value) {
        eight_bytes(util::whole_number<std::int64_t>(value.text()).value());
    }
    void write(const DecimalNode&, const Value& value) { decimal(value.text()); }
    void write(const DatetimeNode&, const Value& value) {
        eight_bytes(util::parse_datetime(value.text()).value().microseconds);
    }
    void write(const ScalarNode&, const Value& value) {
        text_ += static_cast<char>(value.type());
        if (value.is(Type::boolean)) return truth(value.boolean());
        value.is(Type::number) ? decimal(value.text()) : text(value.text());
    }
    template <typename Text>
    void write(const Text&, const Value& value) {
        text(value.text());
    }

    void truth(bool truth) { text_ += truth ? '\1' : '\0'; }
    void eight_bytes(std::int64_t number) {
        util::append_big_endian<8>(text_, static_cast<std::uint64_t>(number));
    }
    /// No text has U+0000 in it.
    void text(std::string_view text) {
        text_ += text;
        text_ += '\0';
    }

    /// Few have an exponent.
    void decimal(std::string_view literal) {
        if (const auto plain = util::plain_decimal(literal)) return decimal(*plain);
        decimal(util::plain_decimal(util::parse_json_number(literal).value().to_text()).value());
    }
    void decimal(util::DecimalView decimal) {
        decimal.fraction = util::without_zeros_at_end(decimal.fraction);
        const bool is_zero = decimal.whole.empty() && decimal.fraction.empty();
        truth(decimal.negative && !is_zero);
        ((text_ += decimal.whole) += '.') += decimal.fraction;
        text_ += '\0';
    }

    std::string& text_;
};

}  // namespace

std::string content_text(const Schema& schema, const Value& value) {
    std::string text;
    Content(text).write(schema, value);
    return text;
}

}  // namespace data_import::schema

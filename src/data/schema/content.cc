#include "data/schema/content.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/util/big_endian.h"
#include "base/util/datetime.h"
#include "base/util/decimal.h"
#include "base/util/whole_number.h"
#include "data/schema/node.h"

namespace data_import::schema {

namespace {

using json::Type;
using json::Value;

class Scalars {
protected:
    explicit Scalars(std::string& text) : text_(text) {}

    void truth(bool truth) { text_ += truth ? '\1' : '\0'; }
    void integer(const Value& value) { eight_bytes(util::whole_number<std::int64_t>(value.text()).value()); }
    void instant(const Value& value) { eight_bytes(util::parse_datetime(value.text()).value().microseconds); }
    void count(std::size_t items) { util::append_big_endian<4>(text_, items); }
    /// Appends a text, and U+0000 as its end, because no valid text contains U+0000.
    void text(std::string_view text) {
        text_ += text;
        text_ += '\0';
    }
    void decimal(std::string_view literal) {
        if (const auto plain = util::plain_decimal(literal)) return decimal(*plain);
        decimal(util::plain_decimal(util::parse_json_number(literal).value().to_text()).value());
    }

    std::string& text_;

private:
    void eight_bytes(std::int64_t number) {
        util::append_big_endian<8>(text_, static_cast<std::uint64_t>(number));
    }
    void decimal(util::DecimalView decimal) {
        decimal.fraction = util::without_zeros_at_end(decimal.fraction);
        const bool is_zero = decimal.whole.empty() && decimal.fraction.empty();
        truth(decimal.negative && !is_zero);
        ((text_ += decimal.whole) += '.') += decimal.fraction;
        text_ += '\0';
    }
};

/// Writes the text of a value for content_text() as version 1.0 of the service wrote it: without the names of
/// fields, because each field is known by its place. Values with fields that version 1.0 did not have cannot
/// be written in this form.
class PlacedForm : Scalars {
public:
    explicit PlacedForm(std::string& text) : Scalars(text) {}

    /// Appends the value as version 1.0 of the service wrote it. Returns false if version 1.0 could not have
    /// written the value. Then the text is incomplete and must not be used.
    [[nodiscard]] bool write(const Schema& schema, const Value& value) {
        return std::visit([&](const auto& node) { return write(node, value); }, schema.node().kind);
    }

private:
    bool write(const ObjectNode& node, const Value& value) {
        if (!node.released || has_later_field(node, value)) return false;
        json::MembersInTurn members(value);
        return std::ranges::all_of(node.released->placed, [&](const ReleasedField& place) {
            const Field& field = node.fields[place.field];
            return write(place, field.schema, members.find(field.name));
        });
    }
    static bool has_later_field(const ObjectNode& node, const Value& value) {
        return std::ranges::any_of(node.released->later, [&](std::size_t field) {
            return value.find(node.fields[field].name).has_value();
        });
    }
    bool write(const ReleasedField& place, const Schema& schema, const std::optional<Value>& member) {
        if (place.optional) truth(member.has_value());
        if (!member) return place.optional;
        const bool is_null = member->is(Type::null);
        if (place.nullable) truth(is_null);
        return is_null ? place.nullable : write(without_null(schema), *member);
    }
    bool write(const ArrayNode& node, const Value& value) {
        count(value.size());
        for (const Value item : value.items()) {
            if (!write(node.item, item)) return false;
        }
        return true;
    }
    bool write(const BooleanNode&, const Value& value) { return truth(value.boolean()), true; }
    bool write(const IntegerNode&, const Value& value) { return integer(value), true; }
    bool write(const DecimalNode&, const Value& value) { return decimal(value.text()), true; }
    bool write(const DatetimeNode&, const Value& value) { return instant(value), true; }
    bool write(const ScalarNode&, const Value& value) {
        text_ += static_cast<char>(value.type());
        if (value.is(Type::boolean)) return truth(value.boolean()), true;
        return value.is(Type::number) ? decimal(value.text()) : text(value.text()), true;
    }
    template <typename Other>
    bool write(const Other&, const Value& value) {
        return value.is(Type::string) && (text(value.text()), true);
    }
};

/// Writes the text of a value for content_text() if version 1.0 of the service could not have written the
/// value (PlacedForm). Writes the name of each field before its value, and a letter for the type before each
/// value.
class NamedForm : Scalars {
public:
    explicit NamedForm(std::string& text) : Scalars(text) {}

    void write(const Schema& schema, const Value& value) {
        if (value.is(Type::null)) return type('n');
        std::visit([&](const auto& node) { write(node, value); }, without_null(schema).node().kind);
    }

private:
    void write(const ObjectNode& node, const Value& value) {
        type('o');
        for (const std::size_t place : node.sorted) {
            const Field& field = node.fields[place];
            if (node.released &&
                std::ranges::find(node.released->left_out, place) != node.released->left_out.end()) {
                continue;
            }
            if (const auto member = value.find(field.name)) {
                text(field.name);
                write(field.schema, *member);
            }
        }
        text("");
    }
    void write(const ArrayNode& node, const Value& value) {
        type('a');
        count(value.size());
        for (const Value item : value.items()) write(node.item, item);
    }
    void write(const VariantNode& node, const Value& value) { write(alternative_of(node, value), value); }
    void write(const BooleanNode&, const Value& value) { type(value.boolean() ? 't' : 'f'); }
    void write(const IntegerNode&, const Value& value) { type('i'), integer(value); }
    void write(const DecimalNode&, const Value& value) { type('d'), decimal(value.text()); }
    void write(const DatetimeNode&, const Value& value) { type('z'), instant(value); }
    void write(const ScalarNode&, const Value& value) {
        if (value.is(Type::boolean)) return type(value.boolean() ? 't' : 'f');
        value.is(Type::number) ? write(DecimalNode{}, value) : write(TextNode{}, value);
    }
    template <typename Text>
    void write(const Text&, const Value& value) {
        type('s'), text(value.text());
    }

    void type(char letter) { text_ += letter; }
};

/// The first byte of every text that has the names of fields (NamedForm). No text without the names
/// (PlacedForm) begins with this byte.
constexpr char named_form = '\xff';

}  // namespace

std::string content_text(const Schema& schema, const Value& value) {
    std::string text;
    if (PlacedForm(text).write(schema, value)) return text;
    text = named_form;
    NamedForm(text).write(schema, value);
    return text;
}

}  // namespace data_import::schema

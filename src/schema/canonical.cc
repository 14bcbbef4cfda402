#include "schema/canonical.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "json/writer.h"
#include "schema/canonical_scalars.h"
#include "schema/node.h"
#include "util/datetime.h"

namespace data_import::schema {

namespace {

using json::Type;
using json::Value;

class Canonical {
public:
    explicit Canonical(std::string& text) : text_(text) {}

    void write(const Schema& schema, const Value& value) {
        std::visit([&](const auto& node) { write(node, value); }, schema.node().kind);
    }

private:
    /// Members mostly stand in the order of their declaration, and are written in another one.
    void write(const ObjectNode& node, const Value& value) {
        const std::size_t first = members_.size();
        members_.resize(first + node.fields.size());
        std::size_t expected = 0;
        for (const auto& [name, member] : value.members()) {
            const std::size_t place = place_of(name, node.fields, expected);
            if (place == node.fields.size()) continue;
            members_[first + place] = member;
            expected = place + 1;
        }
        char separator = '{';
        for (const std::size_t place : node.sorted) {
            const std::optional<Value> member = members_[first + place];
            if (!member) continue;
            (text_ += separator) += node.fields[place].key;
            write(node.fields[place].schema, *member);
            separator = ',';
        }
        text_ += separator == '{' ? "{}" : "}";
        members_.resize(first);
    }
    void write(const ArrayNode& node, const Value& value) {
        char separator = '[';
        for (const Value item : value.items()) {
            text_ += separator;
            write(node.item, item);
            separator = ',';
        }
        text_ += separator == '[' ? "[]" : "]";
    }
    void write(const VariantNode& node, const Value& value) { write(alternative_of(node, value), value); }
    void write(const NullableNode& node, const Value& value) {
        value.is(Type::null) ? static_cast<void>(text_ += "null") : write(node.value, value);
    }
    void write(const BooleanNode&, const Value& value) { append_boolean(text_, value.boolean()); }
    void write(const IntegerNode&, const Value& value) { append_integer(text_, value.text()); }
    void write(const DecimalNode&, const Value& value) { append_decimal(text_, value); }
    void write(const DatetimeNode&, const Value& value) {
        append_instant(text_, util::parse_datetime(value.text()).value());
    }
    void write(const ScalarNode&, const Value& value) { append_scalar(text_, value); }
    template <typename Text>
    void write(const Text&, const Value& value) {
        json::append_string(text_, value.text());
    }

    std::string& text_;
    std::vector<std::optional<Value>> members_;  ///< of the open objects, by their fields
};

}  // namespace

void append_canonical(std::string& text, const Schema& schema, const Value& value) {
    Canonical(text).write(schema, value);
}

}  // namespace data_import::schema

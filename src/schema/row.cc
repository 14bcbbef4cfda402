#include "schema/row.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "json/writer.h"
#include "schema/node.h"
#include "util/datetime.h"
#include "util/decimal.h"

namespace data_import::schema {

namespace {

using json::Type;
using json::Value;

const ObjectNode* object_in(const Schema& schema) {
    return std::get_if<ObjectNode>(&without_null(schema).node().kind);
}

const ArrayNode* array_of_objects_in(const Schema& schema) {
    const auto* array = std::get_if<ArrayNode>(&without_null(schema).node().kind);
    return array != nullptr && object_in(array->item) != nullptr ? array : nullptr;
}

/// A decimal as PostgreSQL takes it: zero may have an exponent that it refuses (0e9999999999), and a decimal
/// more zeros at its end than it keeps.
std::string_view plain_decimal(std::string_view sent, std::string& room) {
    constexpr std::size_t usual_length = 100;
    if (sent.size() <= usual_length && sent.find_first_of("eE") == std::string_view::npos) return sent;
    auto decimal = util::parse_decimal(sent);
    if (!decimal) return sent;
    decimal->fraction.resize(util::without_zeros_at_end(decimal->fraction).size());
    return room = decimal->to_text();
}

/// An instant as PostgreSQL takes it: it keeps so many characters only.
std::string_view plain_instant(std::string_view sent, std::string& room) {
    constexpr std::size_t usual_length = 40;
    if (sent.size() <= usual_length) return sent;
    return room = util::to_text(util::parse_datetime(sent).value());
}

util::ElementType element_type_of(const Schema& schema) {
    using enum util::ElementType;
    const auto& kind = without_null(schema).node().kind;
    if (std::holds_alternative<BooleanNode>(kind)) return boolean;
    if (std::holds_alternative<IntegerNode>(kind)) return bigint;
    if (std::holds_alternative<DecimalNode>(kind)) return numeric;
    if (std::holds_alternative<DateNode>(kind)) return date;
    if (std::holds_alternative<DatetimeNode>(kind)) return timestamptz;
    return text;
}

void add_element(util::ArrayBinary& array, const Value& value) {
    if (value.is(Type::null)) return array.add_null();
    if (value.is(Type::boolean)) return array.add(value.boolean() ? "t" : "f");
    array.add(value.text());
}

class RowWriter {
public:
    explicit RowWriter(std::vector<util::ArrayBinary>& columns) : columns_(columns) {}

    std::string text(const ObjectNode& node, const Value& object) {
        writer_.begin_object();
        end_row(node, object);
        return writer_.take();
    }

private:
    void end_row(const ObjectNode& node, const Value& object) {
        std::string outer = std::exchange(nulls_, {});
        write_members(node, object, "");
        if (!nulls_.empty()) writer_.key("sent_as_null").string('{' + nulls_ + '}');
        writer_.end_object();
        nulls_ = std::move(outer);
    }

    void write_members(const ObjectNode& node, const Value& object, const std::string& prefix) {
        json::MembersInTurn members(object);
        for (const Field& field : node.fields) {
            const auto value = members.find(field.name);
            if (!value) continue;
            const std::string column = prefix + field.name;
            if (value->is(Type::null)) {
                add_null(column);
            } else if (const ObjectNode* inside = object_in(field.schema)) {
                write_members(*inside, *value, column + '_');
            } else if (const ArrayNode* array = array_of_objects_in(field.schema)) {
                write_items(*array, field, *value, column);
            } else {
                write_value(field.schema, *value, column);
            }
        }
    }

    void add_null(const std::string& column) { (nulls_ += nulls_.empty() ? "" : ",") += column; }

    // What fields may hold any scalar tell by how a number is written what it is.
    void write_value(const Schema& schema, const Value& value, std::string_view column) {
        writer_.key(column);
        const auto& kind = without_null(schema).node().kind;
        std::string room;
        if (std::holds_alternative<DatetimeNode>(kind)) {
            writer_.string(plain_instant(value.text(), room));
        } else if (std::holds_alternative<DecimalNode>(kind)) {
            const std::string_view plain = plain_decimal(value.text(), room);
            value.is(Type::number) ? writer_.raw(plain) : writer_.string(plain);
        } else {
            writer_.value(value);
        }
    }

    void write_items(const ArrayNode& array, const Field& field, const Value& items,
                     const std::string& column) {
        if (!array.columns.empty()) {
            for (util::ArrayBinary& values : columns_of(array.item, items)) {
                if (values.type() == util::ElementType::text) values.keep_once();
                columns_.push_back(std::move(values));
            }
            return;
        }
        if (!field.required) writer_.key("has_" + column).boolean(true);
        writer_.key(column).begin_array();
        std::int64_t ordinal = 0;
        for (const Value item : items.items()) {
            writer_.begin_object().key("ordinal").integer(ordinal++);
            end_row(*object_in(array.item), item);
        }
        writer_.end_array();
    }

    std::vector<util::ArrayBinary>& columns_;
    json::Writer writer_;
    std::string nulls_;  ///< of the row that is being written, with commas between them
};

}  // namespace

Row row_of(const Object& declared, const Value& object) {
    Row row;
    row.text = RowWriter(row.columns).text(std::get<ObjectNode>(declared.node().kind), object);
    return row;
}

std::vector<util::ArrayBinary> columns_of(const Schema& item_schema, const Value& items) {
    const ObjectNode& node = *object_in(item_schema);
    std::vector<util::ArrayBinary> columns;
    for (const Field& field : node.fields) columns.emplace_back(element_type_of(field.schema));
    std::vector<Value> values(node.fields.size(), items);  // the items themselves where there is no member
    for (const Value item : items.items()) {
        std::ranges::fill(values, items);
        std::size_t place = 0;
        for (const auto& [name, value] : item.members()) {
            place = place_of(name, node.fields, place);
            if (place < values.size()) values[place++] = value;
        }
        for (place = 0; place < values.size(); ++place) {
            if (values[place].position() == items.position())
                columns[place].add_null();
            else
                add_element(columns[place], values[place]);
        }
    }
    return columns;
}

}  // namespace data_import::schema

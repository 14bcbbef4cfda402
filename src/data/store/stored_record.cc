#include "data/store/stored_record.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "data/json/reader.h"
#include "data/json/writer.h"
#include "data/schema/canonical.h"
#include "data/schema/node.h"

namespace data_import::store {

namespace {

using Part = StoredRecord::Part;
using Kind = Part::Kind;
using database::BinaryValue;

constexpr std::string_view nulls_column = "sent_as_null";
// An empty array in PostgreSQL's binary form.
constexpr std::string_view no_items("\0\0\0\0\0\0\0\0\0\0\0\0", 12);

/// Returns the kind of value that a schema node declares. Throws std::logic_error if the node is no scalar.
struct KindOf {
    Kind operator()(const schema::BooleanNode&) const { return Kind::boolean; }
    Kind operator()(const schema::IntegerNode&) const { return Kind::integer; }
    Kind operator()(const schema::DecimalNode&) const { return Kind::decimal; }
    Kind operator()(const schema::DateNode&) const { return Kind::date; }
    Kind operator()(const schema::DatetimeNode&) const { return Kind::datetime; }
    Kind operator()(const schema::ScalarNode&) const { return Kind::scalar; }
    Kind operator()(const schema::TextNode&) const { return Kind::text; }
    Kind operator()(const schema::FormNode&) const { return Kind::text; }
    Kind operator()(const schema::ChoiceNode&) const { return Kind::text; }
    template <typename Other>
    Kind operator()(const Other&) const {
        throw std::logic_error("no column holds such a field");
    }
};

Kind kind_of(const schema::Schema& scalar) {
    return std::visit(KindOf(), scalar.node().kind);
}

/// Calls `each` with each element of a PostgreSQL array such as `{a,b}`. No element may be quoted.
template <typename Each>
void each_element(std::string_view literal, const Each& each) {
    literal = literal.substr(1, literal.size() - 2);
    while (!literal.empty()) {
        const std::size_t end = std::min(literal.find(','), literal.size());
        each(literal.substr(0, end));
        literal.remove_prefix(std::min(end + 1, literal.size()));
    }
}

bool names(const BinaryValue& nulls, std::string_view name) {
    bool named = false;
    if (nulls) each_element(*nulls, [&](std::string_view other) { named = named || other == name; });
    return named;
}

bool is_true(const BinaryValue& value) {
    return value && database::binary_boolean(*value);
}

struct Writer {
    std::string& text;
    bool keeps_scalars;

    void object(const std::vector<Part>& members, const std::vector<BinaryValue>& values) const {
        char separator = '{';
        for (const Part& part : members) {
            const std::size_t before = text.size();
            (text += separator) += part.key;
            if (member(part, values)) {
                separator = ',';
            } else {
                text.resize(before);
            }
        }
        text += separator == '{' ? "{}" : "}";
    }

private:
    /// Appends the value of a member. Returns false if the supplier did not send the member; the caller then
    /// removes what was appended.
    bool member(const Part& part, const std::vector<BinaryValue>& values) const {
        if (part.kind == Kind::items) return items(part, values);
        if (part.kind == Kind::object) {
            object(part.members, values);
            return !text.ends_with("{}");
        }
        const BinaryValue& value = values[part.place];
        if (value) {
            part.kind == Kind::array ? array(part, *value) : scalar(part.kind, *value);
            return true;
        }
        if (part.null_name.empty() || !names(values[part.nulls], part.null_name)) return false;
        text += "null";
        return true;
    }

    void scalar(Kind kind, std::string_view value) const {
        switch (kind) {
            case Kind::boolean:
                return schema::append_boolean(text, database::binary_boolean(value));
            case Kind::integer:
                text += std::to_string(database::binary_integer(value));
                return;
            case Kind::decimal:
                text += '"';
                database::append_numeric(text, value);
                text += '"';
                return;
            case Kind::date:
                text += '"';
                util::append_date(text, database::binary_date(value));
                text += '"';
                return;
            case Kind::datetime:
                return schema::append_instant(text, database::binary_instant(value));
            case Kind::scalar:
                return keeps_scalars ? static_cast<void>(text += value)
                                     : schema::append_scalar(text, json::read(std::string(value)).root());
            default:
                return json::append_string(text, value);
        }
    }

    void array(const Part& part, std::string_view value) const {
        char separator = '[';
        if (part.is_literal) {
            each_element(value, [&](std::string_view element) {
                text += separator;
                schema::append_decimal(text, element);
                separator = ',';
            });
        } else {
            for (database::BinaryArray elements(value); elements.size() > 0; separator = ',') {
                text += separator;
                const BinaryValue element = elements.next();
                element ? scalar(part.element, *element) : static_cast<void>(text += "null");
            }
        }
        text += separator == '[' ? "[]" : "]";
    }

    bool items(const Part& part, const std::vector<BinaryValue>& values) const {
        const BinaryValue first = part.item.empty() ? std::nullopt : values[part.item.front()];
        if (!part.is_required && !(part.presence ? is_true(values[*part.presence]) : first.has_value()))
            return false;
        if (!first) {
            text += "[]";
            return true;
        }
        std::vector<database::BinaryArray> columns;
        columns.reserve(part.item.size());
        for (const std::size_t place : part.item) columns.emplace_back(values[place].value_or(no_items));
        std::vector<BinaryValue> item(columns.size());
        char separator = '[';
        while (std::ranges::any_of(columns,
                                   [](const database::BinaryArray& column) { return column.size() > 0; })) {
            for (std::size_t place = 0; place < columns.size(); ++place)
                item[place] = part.may_be_once[place] ? columns[place].next_or_only() : columns[place].next();
            text += separator;
            object(part.members, item);
            separator = ',';
        }
        text += separator == '[' ? "[]" : "]";
        return true;
    }
};

/// Plans how to read records: goes through the declared fields of a record, and collects in `columns` the
/// columns to read, each once. `places` has, for each field, the index of the field's column in `columns`.
struct Planner {
    std::vector<RecordColumn> columns = {};
    std::map<std::string, std::size_t, std::less<>> places = {};

    std::size_t take(RecordColumn column) {
        const auto known = std::ranges::find(columns, column);
        if (known != columns.end()) return static_cast<std::size_t>(known - columns.begin());
        columns.push_back(std::move(column));
        return columns.size() - 1;
    }

    std::vector<Part> parts_of(const schema::Schema& object, const std::string& prefix) {
        const auto& node = std::get<schema::ObjectNode>(object.node().kind);
        std::vector<Part> parts;
        for (const std::size_t place : node.sorted) parts.push_back(part_of(node.fields[place], prefix));
        return parts;
    }

private:
    Part part_of(const schema::Field& field, const std::string& prefix) {
        const std::string column = prefix + field.name;
        Part part{.key = field.key};
        const schema::Schema& schema = schema::without_null(field.schema);
        const auto* array = std::get_if<schema::ArrayNode>(&schema.node().kind);
        if (std::holds_alternative<schema::ObjectNode>(schema.node().kind)) {
            part.kind = Kind::object;
            part.members = parts_of(schema, column + '_');
        } else if (array != nullptr && std::holds_alternative<schema::ObjectNode>(array->item.node().kind)) {
            plan_items(part, *array, field, prefix);
        } else {
            plan_value(part, field, {.name = column});
            places.emplace(column, part.place);
        }
        return part;
    }

    void plan_value(Part& part, const schema::Field& field, RecordColumn column) {
        const schema::Schema& schema = schema::without_null(field.schema);
        const auto* array = std::get_if<schema::ArrayNode>(&schema.node().kind);
        part.kind = array == nullptr ? kind_of(schema) : Kind::array;
        if (array != nullptr) part.element = kind_of(array->item);
        part.is_literal = column.is_literal;
        column.is_integer = part.kind == Kind::integer;
        part.place = take(column);
        if (&schema == &field.schema) return;
        part.null_name = column.name;
        part.nulls = take({.items = column.items, .name = std::string(nulls_column), .is_literal = true});
    }

    /// Plans how to read the items of an array. `part` stands for the array, and gets the list `part.item`
    /// with the places of the items' columns in the row. In each of `part.members`, the values of `place` and
    /// `nulls` are indexes into this list.
    void plan_items(Part& part, const schema::ArrayNode& array, const schema::Field& field,
                    const std::string& prefix) {
        part.kind = Kind::items;
        part.is_required = field.required;
        if (!field.required && array.columns.empty())
            part.presence = take({.name = "has_" + prefix + field.name});
        const auto& node = std::get<schema::ObjectNode>(array.item.node().kind);
        for (const std::size_t place : node.sorted) {
            const schema::Field& inside = node.fields[place];
            Part member{.key = inside.key};
            const bool is_array =
                std::holds_alternative<schema::ArrayNode>(schema::without_null(inside.schema).node().kind);
            plan_value(
                member, inside,
                array.columns.empty()
                    ? RecordColumn{.items = prefix + field.name, .name = inside.name, .is_literal = is_array}
                    : RecordColumn{.name = prefix + array.columns + '_' + inside.name});
            places.emplace(field.name + '.' + inside.name, member.place);
            member.place = place_in(part.item, member.place);
            if (!member.null_name.empty()) member.nulls = place_in(part.item, member.nulls);
            part.may_be_once.resize(part.item.size());
            part.may_be_once[member.place] = !array.columns.empty() && member.kind == Kind::text;
            part.members.push_back(std::move(member));
        }
    }

    static std::size_t place_in(std::vector<std::size_t>& item, std::size_t column) {
        const auto known = std::ranges::find(item, column);
        if (known == item.end()) {
            item.push_back(column);
            return item.size() - 1;
        }
        return static_cast<std::size_t>(known - item.begin());
    }
};

}  // namespace

StoredRecord::StoredRecord(const schema::Schema& declared) {
    Planner planner;
    if (const auto* variant = std::get_if<schema::VariantNode>(&declared.node().kind)) {
        discriminator_ = planner.take({.name = variant->discriminator});
        for (const auto& [name, form] : variant->alternatives)
            forms_.emplace_back(name, planner.parts_of(form, ""));
    } else {
        forms_.emplace_back("", planner.parts_of(declared, ""));
    }
    columns_ = std::move(planner.columns);
    places_ = std::move(planner.places);
}

std::size_t StoredRecord::place_of(std::string_view field) const {
    const auto found = places_.find(field);
    if (found == places_.end()) throw std::out_of_range("no record has the field " + std::string(field));
    return found->second;
}

void StoredRecord::append(std::string& text, const std::vector<BinaryValue>& row, bool keeps_scalars) const {
    const Writer writer{text, keeps_scalars};
    if (forms_.size() == 1) return writer.object(forms_.front().second, row);
    const std::string_view name = row[discriminator_].value();
    const auto form = std::ranges::find(forms_, name, &std::pair<std::string, std::vector<Part>>::first);
    if (form == forms_.end()) throw std::logic_error("a stored record is of no kind that is declared");
    writer.object(form->second, row);
}

}  // namespace data_import::store

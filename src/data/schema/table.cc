#include "data/schema/table.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/util/text.h"
#include "base/util/whole_number.h"
#include "data/schema/node.h"

namespace data_import::schema {

namespace {

// Each item of an array has columns of its own. This is the greatest number of items for which a table may
// have columns.
constexpr std::size_t most_items = 1000;

template <typename Kind>
const Kind* as(const Schema& schema) {
    return std::get_if<Kind>(&schema.node().kind);
}

bool holds_others(const Schema& schema) {
    return as<ObjectNode>(schema) != nullptr || as<VariantNode>(schema) != nullptr ||
           as<ArrayNode>(schema) != nullptr;
}

bool is_record(const Schema& schema) {
    return as<ObjectNode>(schema) != nullptr || as<VariantNode>(schema) != nullptr;
}

/// Returns a field of an object, or of any alternative of a variant.
std::optional<Schema> field_of(const Schema& schema, std::string_view name) {
    if (const auto* object = as<ObjectNode>(schema)) {
        const auto found = std::ranges::find(object->fields, name, &Field::name);
        if (found != object->fields.end()) return without_null(found->schema);
    }
    if (const auto* variant = as<VariantNode>(schema)) {
        if (name == variant->discriminator) return text(1, 64);
        for (const auto& [kind, alternative] : variant->alternatives) {
            if (auto found = field_of(alternative, name)) return found;
        }
    }
    return std::nullopt;
}

/// Returns the fields that every value of the schema has to have.
std::set<std::string> required_fields(const Schema& schema) {
    std::set<std::string> names;
    if (const auto* object = as<ObjectNode>(schema)) {
        for (const Field& field : object->fields) {
            if (field.required) names.insert(field.name);
        }
    }
    if (const auto* variant = as<VariantNode>(schema)) {
        names = required_fields(variant->alternatives.front().second);
        for (const auto& [kind, alternative] : variant->alternatives) {
            const std::set<std::string> others = required_fields(alternative);
            std::erase_if(names, [&](const std::string& name) { return !others.contains(name); });
        }
        names.insert(variant->discriminator);
    }
    return names;
}

/// Returns the field that has the records of a payload; null if there is none. This field is required, and is
/// the only one whose value is an object or an array. The items of the array are objects.
const Field* field_of_records(const Object& payload) {
    const auto* object = as<ObjectNode>(payload);
    const Field* found = nullptr;
    for (const Field& field : object->fields) {
        if (!holds_others(field.schema)) continue;
        const auto* list = as<ArrayNode>(field.schema);
        if (found != nullptr || !field.required || !is_record(list == nullptr ? field.schema : list->item))
            return nullptr;
        found = &field;
    }
    return found;
}

std::optional<std::size_t> index_of(std::string_view segment) {
    const auto index = util::whole_number<std::size_t>(segment);
    return index < most_items ? index : std::nullopt;
}

bool is_integer(std::string_view text) {
    const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
    return util::whole_number<std::int64_t>(text) && (digits == "0" || !digits.starts_with('0'));
}

ColumnKind kind_of(const Schema& schema) {
    if (as<IntegerNode>(schema) != nullptr) return ColumnKind::integer;
    if (as<DecimalNode>(schema) != nullptr) return ColumnKind::decimal;
    if (as<DateNode>(schema) != nullptr) return ColumnKind::date;
    return as<DatetimeNode>(schema) != nullptr ? ColumnKind::datetime : ColumnKind::other;
}

std::optional<bool> boolean_of(std::string_view text) {
    const std::string word = util::lowered(text);
    if (word == "true" || word == "1") return true;
    if (word == "false" || word == "0") return false;
    return std::nullopt;
}

void write_cell(json::Writer& writer, const Schema& schema, std::string_view text) {
    if (as<IntegerNode>(schema) != nullptr && is_integer(text)) {
        writer.raw(text);
        return;
    }
    const auto truth = as<BooleanNode>(schema) != nullptr ? boolean_of(text) : std::nullopt;
    truth ? writer.boolean(*truth) : writer.string(text);
}

}  // namespace

std::set<std::string, std::less<>> field_names(const Schema& payload) {
    std::set<std::string, std::less<>> names;
    if (const auto* object = as<ObjectNode>(payload)) {
        for (const Field& field : object->fields) {
            names.insert(field.name);
            names.merge(field_names(without_null(field.schema)));
        }
    }
    if (const auto* list = as<ArrayNode>(payload)) names = field_names(list->item);
    if (const auto* variant = as<VariantNode>(payload)) {
        names.insert(variant->discriminator);
        for (const auto& [kind, alternative] : variant->alternatives) names.merge(field_names(alternative));
    }
    return names;
}

/// Maps a value of a payload to columns: a single value to one column, an object or an array to the columns
/// of the fields or items inside it.
class Table::Fields {
public:
    explicit Fields(Schema schema) : schema_(std::move(schema)) {}

    [[nodiscard]] const Schema& schema() const { return schema_; }

    /// Adds the column for the value at `path`, and returns its schema. Returns null if there is no such
    /// field, or the column is there already.
    [[nodiscard]] const Schema* add(std::string_view path, std::size_t column) {
        if (path.empty()) {
            if (holds_others(schema_) || column_) return nullptr;
            column_ = column;
            return &schema_;
        }
        const std::size_t point = std::min(path.find('.'), path.size());
        const std::string_view name = path.substr(0, point);
        if (point + 1 == path.size()) return nullptr;
        Fields* const inner = child(name);
        return inner == nullptr ? nullptr : inner->add(path.substr(std::min(point + 1, path.size())), column);
    }

    [[nodiscard]] bool has(const std::string& name) const { return named_.contains(name); }

    [[nodiscard]] bool is_empty(const Cells& cells) const {
        if (column_) return cells(*column_).empty();
        const auto empty = [&](const auto& child) { return child.second->is_empty(cells); };
        return std::ranges::all_of(named_, empty) && std::ranges::all_of(items_, empty);
    }

    void write(json::Writer& writer, const Cells& cells) const {
        if (column_) return write_cell(writer, schema_, cells(*column_));
        if (as<ArrayNode>(schema_) != nullptr) {
            writer.begin_array();
            for (const auto& [index, item] : items_) {
                if (!item->is_empty(cells)) item->write(writer, cells);
            }
            writer.end_array();
        } else {
            writer.begin_object();
            write_members(writer, cells);
            writer.end_object();
        }
    }

    void write_members(json::Writer& writer, const Cells& cells) const {
        for (const std::string& name : order_) {
            const Fields& field = *named_.at(name);
            if (field.is_empty(cells)) continue;
            writer.key(name);
            field.write(writer, cells);
        }
    }

    void append_cells(std::string& text, const Cells& cells) const {
        if (column_) (text += cells(*column_)) += '\0';
        for (const auto& [name, field] : named_) field->append_cells(text, cells);
    }

private:
    /// Returns the field or item of this name; null if none is declared.
    Fields* child(std::string_view segment) {
        if (const auto* list = as<ArrayNode>(schema_)) {
            const auto index = index_of(segment);
            if (!index) return nullptr;
            return items_.try_emplace(*index, std::make_unique<Fields>(list->item)).first->second.get();
        }
        const auto found = named_.find(segment);
        if (found != named_.end()) return found->second.get();
        auto declared = field_of(schema_, segment);
        if (!declared) return nullptr;
        order_.emplace_back(segment);
        return named_.emplace(segment, std::make_unique<Fields>(*declared)).first->second.get();
    }

    Schema schema_;
    std::optional<std::size_t> column_;
    std::map<std::string, std::unique_ptr<Fields>, std::less<>> named_;
    std::vector<std::string> order_;  ///< names in the order of their columns
    std::map<std::size_t, std::unique_ptr<Fields>> items_;
};

Table::Table(const Object& payload) : common_(std::make_unique<Fields>(payload)) {
    const Field* const field = field_of_records(payload);
    if (field == nullptr) return;
    const auto* list = as<ArrayNode>(field->schema);
    name_ = field->name;
    is_list_ = list != nullptr;
    record_ = std::make_unique<Fields>(list == nullptr ? field->schema : list->item);
    if (is_list_) most_records_ = list->max;
}

Table::~Table() = default;
Table::Table(Table&&) noexcept = default;
Table& Table::operator=(Table&&) noexcept = default;

bool Table::add_column(std::string_view name) {
    const std::size_t column = kinds_.size();
    kinds_.push_back(ColumnKind::other);
    if (name.empty() || name.starts_with('.')) return false;
    const std::string_view first = name.substr(0, name.find('.'));
    const bool is_common = first != name_ && field_of(common_->schema(), first).has_value();
    const Schema* const added = (is_common || !record_ ? *common_ : *record_).add(name, column);
    if (added != nullptr) kinds_.back() = kind_of(*added);
    return added != nullptr;
}

std::vector<std::string> Table::missing() const {
    std::vector<std::string> names;
    for (const std::string& name : required_fields(common_->schema())) {
        if (name != name_ && !common_->has(name)) names.push_back(name);
    }
    if (!record_) return names;
    for (const std::string& name : required_fields(record_->schema())) {
        if (!record_->has(name)) names.push_back(name);
    }
    return names;
}

std::size_t Table::most_records() const {
    return most_records_;
}

std::string Table::common_cells(const Cells& cells) const {
    std::string text;
    common_->append_cells(text, cells);
    return text;
}

void Table::begin(json::Writer& writer, const Cells& first) const {
    writer.begin_object();
    common_->write_members(writer, first);
    if (!record_) return;
    writer.key(name_);
    if (is_list_) writer.begin_array();
}

void Table::add(json::Writer& writer, const Cells& record) const {
    if (record_) record_->write(writer, record);
}

void Table::end(json::Writer& writer) const {
    if (is_list_) writer.end_array();
    writer.end_object();
}

}  // namespace data_import::schema

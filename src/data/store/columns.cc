#include "data/store/columns.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/util/decimal.h"
#include "data/database/array_text.h"
#include "data/json/writer.h"
#include "data/schema/node.h"

namespace data_import::store {

namespace {

using database::ArrayBinary;
using database::ElementType;
using json::Type;
using json::Value;

/// Returns whether PostgreSQL shows a decimal as it was written.
bool is_shown_as(std::string_view written) {
    const auto decimal = util::plain_decimal(written);
    if (!decimal || written.size() > util::max_decimal_digits) return false;
    const std::size_t whole = std::max<std::size_t>(decimal->whole.size(), 1);
    const std::size_t fraction = decimal->fraction.empty() ? 0 : decimal->fraction.size() + 1;
    return written.size() == (decimal->negative ? 1 : 0) + whole + fraction &&
           !(decimal->negative && util::is_zero_number(written));
}

ElementType element_type_of(const schema::Schema& schema) {
    using enum ElementType;
    const auto& kind = schema::without_null(schema).node().kind;
    if (std::holds_alternative<schema::BooleanNode>(kind)) return boolean;
    if (std::holds_alternative<schema::IntegerNode>(kind)) return bigint;
    if (std::holds_alternative<schema::DecimalNode>(kind)) return numeric;
    if (std::holds_alternative<schema::DateNode>(kind)) return date;
    if (std::holds_alternative<schema::DatetimeNode>(kind)) return timestamptz;
    return text;
}

void add_element(ArrayBinary& column, const std::optional<Value>& value) {
    if (!value) return column.add_null();
    if (value->is(Type::boolean)) return column.add(value->boolean() ? "t" : "f");
    column.add(value->text());
}

/// Adds a list to a column, as an array literal of PostgreSQL; adds null if there is no `list`. The literal
/// has the values of the list or, with `field`, the values that this field has in the objects of the list.
/// `has_decimals` says that the values are decimals, which are written as taken_decimal() returns them.
void add_literal(ArrayBinary& column, const std::optional<Value>& list, bool has_decimals,
                 std::string_view field = {}) {
    if (!list) return column.add_null();
    database::ArrayText literal;
    std::string room;
    for (const Value item : list->items()) {
        const Value value = field.empty() ? item : item.at(field);
        literal.add(has_decimals ? taken_decimal(value.text(), room) : value.text());
    }
    column.add(literal.take());
}

/// A field that items have, and the columns for its values.
struct Slot {
    const schema::Field* field;
    const schema::ArrayNode* list;  ///< null: the field is no list
    std::size_t column;  ///< place of the field's first column in `columns_`; unused if it has no column
    std::optional<std::size_t> part{};  ///< place in `parts_`; given if the values are rows of another table

    [[nodiscard]] bool has_decimals() const {
        return element_type_of(list == nullptr ? field->schema : list->item) == ElementType::numeric;
    }
};

/// Splits the items of an array in a payload into columns, one item after the other.
class Splitter {
public:
    explicit Splitter(const schema::Schema& item) {
        if (const auto* variant = std::get_if<schema::VariantNode>(&item.node().kind)) {
            discriminator_ = variant->discriminator;
            for (const auto& [name, form] : variant->alternatives) add_form(name, form);
        } else {
            add_form({}, item);
        }
        values_.resize(slots_.size());
        has_decimals_ = std::ranges::any_of(slots_, &Slot::has_decimals);
    }

    void add(const Value& item) {
        const Form& form = form_of(item);
        std::ranges::fill(values_, std::nullopt);
        std::size_t place = 0;
        for (const auto& [name, value] : item.members()) {
            place = place_of(name, *form.fields, place);
            if (place < form.slots.size() && !value.is(Type::null)) values_[form.slots[place]] = value;
            ++place;
        }
        ++count_;
        for (std::size_t slot = 0; slot < slots_.size(); ++slot) put(slots_[slot], values_[slot]);
    }

    [[nodiscard]] Columns take() {
        Columns taken{.columns = std::move(columns_), .parts = {}};
        for (Splitter& part : parts_) taken.parts.push_back(part.take_part());
        return taken;
    }

private:
    /// A form that items of the array may have. If the items are a variant, each alternative is a form. If
    /// the items are plain objects, they have one form, whose name is empty.
    struct Form {
        std::string_view name;
        const std::vector<schema::Field>* fields;
        std::vector<std::size_t> slots;  ///< for each of `fields`, the index of its slot in `slots_`
    };

    void add_form(std::string_view name, const schema::Schema& form) {
        const std::vector<schema::Field>& fields = object_in(form)->fields;
        Form& added = forms_.emplace_back(Form{.name = name, .fields = &fields, .slots = {}});
        for (const schema::Field& field : fields) added.slots.push_back(slot_of(field));
    }

    std::size_t slot_of(const schema::Field& field) {
        const auto is_it = [&](const Slot& slot) { return slot.field->name == field.name; };
        const auto known = std::ranges::find_if(slots_, is_it);
        if (known != slots_.end()) return static_cast<std::size_t>(known - slots_.begin());
        const auto* list = std::get_if<schema::ArrayNode>(&schema::without_null(field.schema).node().kind);
        const schema::ObjectNode* const inside = list == nullptr ? nullptr : object_in(list->item);
        Slot& slot = slots_.emplace_back(Slot{.field = &field, .list = list, .column = columns_.size()});
        if (inside == nullptr) {
            columns_.emplace_back(list == nullptr ? element_type_of(field.schema) : ElementType::text);
        } else if (!list->columns.empty()) {
            columns_.resize(columns_.size() + inside->fields.size(), ArrayBinary(ElementType::text));
        } else {
            slot.part = parts_.size();
            parts_.emplace_back(list->item);
            if (!field.required) columns_.emplace_back(ElementType::boolean);
        }
        return slots_.size() - 1;
    }

    [[nodiscard]] const Form& form_of(const Value& item) const {
        if (discriminator_.empty()) return forms_.front();
        return *std::ranges::find(forms_, item.at(discriminator_).text(), &Form::name);
    }

    void put(const Slot& slot, const std::optional<Value>& value) {
        if (slot.list == nullptr) return add_element(columns_[slot.column], value);
        if (slot.part) {
            if (!slot.field->required) columns_[slot.column].add(value ? "t" : "f");
            if (value) parts_[*slot.part].add_part(count_, *value);
            return;
        }
        const schema::ObjectNode* const inside = object_in(slot.list->item);
        if (inside == nullptr) return add_literal(columns_[slot.column], value, slot.has_decimals());
        std::size_t column = slot.column;
        for (const schema::Field& field : inside->fields)
            add_literal(columns_[column++], value, false, field.name);
    }

    /// Adds the items of a list. `owner` is the place (from 1) of the item that has the list.
    void add_part(std::size_t owner, const Value& list) {
        std::int32_t place = 0;
        for (const Value item : list.items()) {
            owners_.push_back(owner);
            places_.add_integer(place++);
            add(item);
            const auto written = has_decimals_ ? last_written() : std::nullopt;
            written ? written_.add(*written) : written_.add_null();
        }
    }

    [[nodiscard]] std::optional<std::string> last_written() const {
        std::vector<std::optional<Value>> decimals;
        for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
            if (!slots_[slot].has_decimals()) continue;
            if (slots_[slot].list == nullptr) {
                decimals.push_back(values_[slot]);
            } else if (values_[slot]) {
                for (const Value value : values_[slot]->items()) decimals.emplace_back(value);
            }
        }
        return written(decimals);
    }

    [[nodiscard]] Columns::Part take_part() {
        Columns::Part part{.owners = std::move(owners_), .columns = std::move(columns_)};
        part.columns.insert(part.columns.begin(), std::move(places_));
        if (has_decimals_) part.columns.push_back(std::move(written_));
        return part;
    }

    std::string_view discriminator_;
    std::vector<Form> forms_;
    std::vector<Slot> slots_;
    std::vector<std::optional<Value>> values_;  ///< values of the item added last, in the order of `slots_`
    std::vector<ArrayBinary> columns_;
    std::vector<Splitter> parts_;
    std::size_t count_ = 0;
    bool has_decimals_;
    std::vector<std::size_t> owners_;
    ArrayBinary places_{ElementType::integer};
    ArrayBinary written_{ElementType::text};
};

}  // namespace

Columns columns_of(const schema::Schema& item, const Value& items) {
    Splitter splitter(item);
    for (const Value one : items.items()) splitter.add(one);
    return splitter.take();
}

std::string_view taken_decimal(std::string_view sent, std::string& room) {
    constexpr std::size_t usual_length = 100;
    if (sent.size() <= usual_length && sent.find_first_of("eE") == std::string_view::npos) return sent;
    auto decimal = util::parse_decimal(sent);
    if (!decimal) return sent;
    decimal->fraction.resize(util::without_zeros_at_end(decimal->fraction).size());
    return room = decimal->to_text();
}

std::optional<std::string> written(std::span<const std::optional<json::Value>> decimals) {
    const auto all_are = [&](json::Type type) {
        return std::ranges::all_of(decimals, [type](const std::optional<json::Value>& decimal) {
            return !decimal || (decimal->is(type) && is_shown_as(decimal->text()));
        });
    };
    if (all_are(json::Type::string)) return std::nullopt;
    if (all_are(json::Type::number)) return "#";
    json::Writer writer;
    writer.begin_array();
    for (const auto& decimal : decimals) decimal ? writer.value(*decimal) : writer.null();
    return writer.end_array().take();
}

}  // namespace data_import::store

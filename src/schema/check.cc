// The walk through a payload along its schema.
#include <algorithm>
#include <optional>

#include "schema/node.h"
#include "schema/scalars.h"
#include "schema/schema.h"
#include "util/joined.h"
#include "util/text.h"
#include "util/whole_number.h"

namespace data_import::schema {

namespace {

using json::Type;
using json::Value;

/// An unknown field's name can be as long as the payload; in `attr` it is cut to so many code points.
constexpr std::size_t max_unknown_name = 256;

/// A segment of a dotted path, the innermost one for as long as it lives. Few paths are ever written.
class Segment {
public:
    Segment(const Segment*& innermost, std::string_view name) : Segment(innermost, name, std::nullopt) {}
    Segment(const Segment*& innermost, std::size_t item) : Segment(innermost, {}, item) {}
    ~Segment() { innermost_ = outer_; }
    Segment(const Segment&) = delete;
    Segment& operator=(const Segment&) = delete;

    /// Of the segments up to this one.
    [[nodiscard]] std::string path() const {
        return (outer_ == nullptr ? "" : outer_->path() + '.') +
               (item_ ? std::to_string(*item_) : std::string(name_));
    }

private:
    Segment(const Segment*& innermost, std::string_view name, std::optional<std::size_t> item)
        : innermost_(innermost), outer_(innermost), name_(name), item_(item) {
        innermost = this;
    }

    const Segment*& innermost_;
    const Segment* outer_;
    std::string_view name_;
    std::optional<std::size_t> item_;  ///< of an array; has no name
};

enum class FieldState : unsigned char { absent, sound, faulty };

class Check {
public:
    explicit Check(UnknownFields unknown) : unknown_(unknown) {}

    void walk(const Schema& schema, const Value& value);
    void add(std::string attr, Code code, std::string detail, std::size_t position);
    [[nodiscard]] std::string path() const { return innermost_ == nullptr ? "" : innermost_->path(); }
    [[nodiscard]] bool full() const { return found_.size() >= max_violations; }
    /// The violations in the order of their positions; those with the same one in the order they were found.
    [[nodiscard]] std::vector<Violation> take();

private:
    void visit(const ObjectNode& node, const Value& value);
    void visit(const ArrayNode& node, const Value& value);
    void visit(const VariantNode& node, const Value& value);
    void visit(const NullableNode& node, const Value& value);
    template <typename Scalar>
    void visit(const Scalar& node, const Value& value) {
        if (auto fault = fault_of(node, value)) add(value, std::move(*fault));
    }

    void fields(const ObjectNode& node, const Value& value, std::size_t states);
    [[nodiscard]] bool may_run(const BoundRule& rule, const ObjectNode& node, std::size_t states) const;
    void unknown_field(const ObjectNode& node, std::string_view name, const Value& value);
    void missing_field(const std::string& name, const Value& object);
    [[nodiscard]] const Object* alternative(const VariantNode& node, const Value& value);
    void size(const ArrayNode& node, const Value& value);

    void add(const Value& value, Fault fault) {
        add(path(), fault.code, std::move(fault.detail), value.position());
    }

    UnknownFields unknown_;
    const Segment* innermost_ = nullptr;
    std::vector<FieldState> states_;  ///< of the declared fields of the objects that are being checked
    std::vector<Violation> found_;
};

/// The member of an object or the item of an array that one segment of a dotted path names.
std::optional<Value> child(const Value& value, std::string_view segment) {
    if (value.is(Type::object)) return value.find(segment);
    const auto index = util::whole_number<std::size_t>(segment);
    if (!value.is(Type::array) || !index || *index >= value.size()) return std::nullopt;
    return *std::next(value.items().begin(), static_cast<std::ptrdiff_t>(*index));
}

/// The member or item at the end of a dotted path.
std::optional<Value> descendant(std::optional<Value> value, std::string_view path) {
    while (value && !path.empty()) {
        const std::size_t end = std::min(path.find('.'), path.size());
        value = child(*value, path.substr(0, end));
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return value;
}

/// What rules say about one object.
class ObjectReport : public Report {
public:
    ObjectReport(Check& check, const Value& object) : check_(check), object_(object) {}

    void add(Code code, std::string detail) override {
        check_.add(check_.path(), code, std::move(detail), object_.position());
    }

    void add(std::string_view field, Code code, std::string detail) override {
        std::string attr = check_.path();
        (attr += attr.empty() ? "" : ".") += field;
        check_.add(std::move(attr), code, std::move(detail),
                   descendant(object_, field).value_or(object_).position());
    }

    [[nodiscard]] bool full() const override { return check_.full(); }

private:
    Check& check_;
    Value object_;
};

std::vector<std::string> names_of(const std::vector<Field>& fields) {
    std::vector<std::string> names;
    for (const Field& field : fields) names.push_back(field.name + (field.more > 0 ? "..." : ""));
    return names;
}

void Check::walk(const Schema& schema, const Value& value) {
    const auto& kind = schema.node().kind;
    const bool outermost = value.position() == 0;
    const bool may_be_null =
        std::holds_alternative<NullableNode>(kind) || std::holds_alternative<AnyNode>(kind);
    if (value.is(Type::null) && !outermost && !may_be_null) {
        return add(value, {Code::null, "This value must not be null."});
    }
    std::visit([&](const auto& node) { visit(node, value); }, kind);
}

void Check::visit(const NullableNode& node, const Value& value) {
    if (!value.is(Type::null)) walk(node.value, value);
}

bool Check::may_run(const BoundRule& rule, const ObjectNode& node, std::size_t states) const {
    if (found_.empty()) return true;
    for (std::size_t index = 0; index < node.fields.size(); ++index) {
        const bool reads =
            std::find(rule.reads.begin(), rule.reads.end(), node.fields[index].name) != rule.reads.end();
        if (reads && states_[states + index] == FieldState::faulty) return false;
    }
    return true;
}

/// Rules come before missing fields, so that what they say about an object stands before what the object
/// lacks.
void Check::visit(const ObjectNode& node, const Value& value) {
    if (!value.is(Type::object)) return add(value, wrong_form("an object"));
    const std::size_t states = states_.size();
    states_.resize(states + node.fields.size(), FieldState::absent);
    fields(node, value, states);
    ObjectReport report(*this, value);
    for (const BoundRule& rule : node.rules) {
        if (!full() && may_run(rule, node, states)) rule.check(value, report);
    }
    for (std::size_t index = 0; index < node.fields.size(); ++index) {
        if (node.fields[index].required && states_[states + index] == FieldState::absent) {
            missing_field(node.fields[index].name, value);
        }
    }
    states_.resize(states);
}

/// Checks the fields that are there; the states of the declared ones stand from `states` on.
void Check::fields(const ObjectNode& node, const Value& value, std::size_t states) {
    std::size_t expected = 0;
    for (const auto& [name, member] : value.members()) {
        if (full()) break;
        const std::size_t index = place_of(name, node.fields, expected);
        if (index == node.fields.size()) {
            unknown_field(node, name, member);
            continue;
        }
        expected = index + 1;
        const Segment segment(innermost_, name);
        const std::size_t before = found_.size();
        walk(node.fields[index].schema, member);
        FieldState& state = states_[states + index];
        if (state != FieldState::faulty)
            state = found_.size() == before ? FieldState::sound : FieldState::faulty;
    }
}

void Check::unknown_field(const ObjectNode& node, std::string_view name, const Value& value) {
    if (unknown_ == UnknownFields::ignore && !node.names_are_choices) return;
    const Segment segment(innermost_, util::first_code_points(name, max_unknown_name));
    const std::string known = util::joined(names_of(node.fields)) + ".";
    if (node.names_are_choices)
        return add(value, {Code::invalid_choice, "The name of this field must be one of: " + known});
    add(value, {Code::unknown_field, "This field is not known here; known are: " + known});
}

void Check::missing_field(const std::string& name, const Value& object) {
    const Segment segment(innermost_, name);
    add(path(), Code::required, "The field " + name + " is required.", object.end_position() - 1);
}

void Check::visit(const ArrayNode& node, const Value& value) {
    if (!value.is(Type::array)) return add(value, wrong_form("an array"));
    size(node, value);
    std::size_t index = 0;
    for (const Value item : value.items()) {
        if (full() || index == node.max) return;
        const Segment segment(innermost_, index++);
        walk(node.item, item);
    }
}

void Check::size(const ArrayNode& node, const Value& value) {
    if (value.size() > node.max) {
        add(value, {Code::max_items, "This array must have at most " + counted(node.max, "item") + "."});
    } else if (value.size() < node.min) {
        add(value, {value.size() == 0 ? Code::empty : Code::min_length,
                    "This array must have at least " + counted(node.min, "item") + "."});
    }
}

void Check::visit(const VariantNode& node, const Value& value) {
    if (!value.is(Type::object)) return add(value, wrong_form("an object"));
    if (const Object* chosen = alternative(node, value)) walk(*chosen, value);
}

/// The alternative that the discriminator names; nothing when there is none, which has been reported then.
const Object* Check::alternative(const VariantNode& node, const Value& value) {
    const auto member = value.find(node.discriminator);
    if (!member) {
        missing_field(node.discriminator, value);
        return nullptr;
    }
    ChoiceNode choice;
    for (const auto& [name, object] : node.alternatives) {
        if (member->is(Type::string) && member->text() == name) return &object;
        choice.allowed.push_back(name);
    }
    const Segment segment(innermost_, node.discriminator);
    walk(Schema(std::make_shared<const Node>(Node{std::move(choice)})), *member);
    return nullptr;
}

void Check::add(std::string attr, Code code, std::string detail, std::size_t position) {
    if (!full()) found_.push_back({std::move(attr), code, std::move(detail), position});
}

std::vector<Violation> Check::take() {
    std::stable_sort(found_.begin(), found_.end(), [](const Violation& left, const Violation& right) {
        return left.position < right.position;
    });
    return std::move(found_);
}

}  // namespace

std::vector<Violation> check(const Schema& schema, const json::Value& payload, UnknownFields unknown) {
    Check check(unknown);
    check.walk(schema, payload);
    return check.take();
}

}  // namespace data_import::schema

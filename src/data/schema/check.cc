// Checks a payload by its schema, value by value.
#include <algorithm>
#include <compare>
#include <optional>
#include <tuple>
#include <utility>

#include "base/util/joined.h"
#include "base/util/text.h"
#include "base/util/whole_number.h"
#include "data/schema/node.h"
#include "data/schema/scalars.h"
#include "data/schema/schema.h"
#include "data/schema/shown.h"

namespace data_import::schema {

namespace {

using json::Type;
using json::Value;

/// The greatest number of code points of an unknown field's name that Violation::attr shows. The name itself
/// can be as long as the payload.
constexpr std::size_t max_unknown_name = 256;

/// A segment of the dotted path to the value that is being checked. The segment is the innermost one while
/// this object lives. Segments are joined to a text only for a violation, because few payloads have one.
class Segment {
public:
    Segment(const Segment*& innermost, std::string_view name) : Segment(innermost, name, std::nullopt) {}
    Segment(const Segment*& innermost, std::size_t item) : Segment(innermost, {}, item) {}
    ~Segment() { innermost_ = outer_; }
    Segment(const Segment&) = delete;
    Segment& operator=(const Segment&) = delete;

    /// Returns the dotted path from the outermost segment to this one.
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
    std::optional<std::size_t> item_;  ///< index of an item, which has no name; nothing for a field
};

/// The position of a violation among others. A missing field stands after all members of its object.
struct Position {
    std::size_t position;
    bool is_missing = false;
    auto operator<=>(const Position&) const = default;
};

Position place_of(const Value& value) {
    return {value.position()};
}

Position end_of(const Value& object) {
    return {object.end_position() - 1, true};
}

/// The first max_violations of a payload in the order of their positions. Violations at one position keep the
/// order in which they are found.
class FirstViolations {
public:
    /// Returns whether a violation at this place would be among the first ones.
    [[nodiscard]] bool takes(Position place) const {
        return found_.size() < max_violations || place < found_.front().place;
    }
    /// Adds a violation at `place`. The caller has to know that takes(place) is true.
    void add(Position place, Violation violation) {
        if (found_.size() == max_violations) {
            std::ranges::pop_heap(found_, is_before);
            found_.pop_back();
        }
        violation.position = place.position;
        found_.push_back({place, added_++, std::move(violation)});
        std::ranges::push_heap(found_, is_before);
    }
    [[nodiscard]] std::vector<Violation> take() {
        std::ranges::sort(found_, is_before);
        std::vector<Violation> violations;
        violations.reserve(found_.size());
        for (Found& found : found_) violations.push_back(std::move(found.violation));
        return violations;
    }

private:
    struct Found {
        Position place;
        std::size_t number;  ///< place of the violation in the order in which violations were added
        Violation violation;
    };
    static bool is_before(const Found& left, const Found& right) {
        return std::tie(left.place, left.number) < std::tie(right.place, right.number);
    }

    std::vector<Found> found_;  ///< a heap with the last violation in front
    std::size_t added_ = 0;
};

/// The result of the check of a declared field. `unseen` means that the value was not checked, because its
/// violations would come after the first max_violations and not be reported. If several members belong to the
/// field (Object::may_each), the field gets that of their results which stands last in this list.
enum class FieldState : unsigned char { absent, sound, unseen, faulty };

class Check {
public:
    explicit Check(UnknownFields unknown) : unknown_(unknown) {}

    void walk(const Schema& schema, const Value& value);
    void add(Violation violation, Position place);
    [[nodiscard]] std::string path() const { return innermost_ == nullptr ? "" : innermost_->path(); }
    [[nodiscard]] bool takes(Position place) const { return first_.takes(place); }
    /// Returns whether a value has to be checked: a violation at the value would be among the first ones, or
    /// a rule has to know whether the value is faulty (sees_all_).
    ///
    /// The check of a value may leave out the parts after the first max_violations violations. At least one
    /// of these violations is at or inside the value, so the value counts as faulty all the same.
    [[nodiscard]] bool looks_at(const Value& value) const { return sees_all_ || takes(place_of(value)); }
    [[nodiscard]] std::vector<Violation> take() { return first_.take(); }

private:
    void visit(const ObjectNode& node, const Value& value);
    void visit(const ArrayNode& node, const Value& value);
    void visit(const VariantNode& node, const Value& value);
    void visit(const NullableNode& node, const Value& value);
    template <typename Scalar>
    void visit(const Scalar& node, const Value& value) {
        if (auto fault = fault_of(node, value)) add(value, std::move(*fault), is_shown(node));
    }

    void fields(const ObjectNode& node, const Value& value, std::size_t states);
    [[nodiscard]] FieldState judge(const Schema& schema, const Value& member);
    [[nodiscard]] FieldState judge_unseen(const Field& field, const Value& object);
    [[nodiscard]] bool may_run(const BoundRule& rule, const ObjectNode& node, const Value& object,
                               std::size_t states);
    void unknown_field(const ObjectNode& node, std::string_view name, const Value& value);
    void missing_field(const std::string& name, const Value& object);
    [[nodiscard]] const Object* alternative(const VariantNode& node, const Value& value);
    void size(const ArrayNode& node, const Value& value);

    void add(const Value& value, Fault fault, bool is_value_shown = false) {
        if (!takes(place_of(value))) return pass_over();
        add({.attr = path(),
             .code = fault.code,
             .detail = std::move(fault.detail),
             .sent = is_value_shown ? shown(value) : std::string()},
            place_of(value));
    }
    /// Counts a violation that is not reported, because it comes after the first max_violations.
    void pass_over() { ++faults_; }

    UnknownFields unknown_;
    const Segment* innermost_ = nullptr;
    /// A stack: the states of the declared fields of each object that is being checked, the outermost first.
    std::vector<FieldState> states_;
    FirstViolations first_;
    std::size_t faults_ = 0;  ///< number of all violations found, including those that are not reported
    /// Set while judge_unseen() checks a value. Then all parts of the value are checked, even those whose
    /// violations would not be reported, because a rule has to know whether the value is faulty.
    bool sees_all_ = false;
};

/// Returns the member of an object or the item of an array that one segment of a dotted path names.
std::optional<Value> child(const Value& value, std::string_view segment) {
    if (value.is(Type::object)) return value.find(segment);
    const auto index = util::whole_number<std::size_t>(segment);
    if (!value.is(Type::array) || !index || *index >= value.size()) return std::nullopt;
    return value.item(*index);
}

/// Returns the member or item at the end of a dotted path.
std::optional<Value> descendant(std::optional<Value> value, std::string_view path) {
    while (value && !path.empty()) {
        const std::size_t end = std::min(path.find('.'), path.size());
        value = child(*value, path.substr(0, end));
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return value;
}

/// Takes the violations that the rules of one object report.
class ObjectReport : public Report {
public:
    ObjectReport(Check& check, const Value& object) : check_(check), object_(object) {}

    void add(Code code, std::string detail) override {
        check_.add({check_.path(), code, std::move(detail)}, place_of(object_));
    }

    void add(std::string_view field, Code code, std::string detail) override {
        std::string attr = check_.path();
        (attr += attr.empty() ? "" : ".") += field;
        const Value value = descendant(object_, field).value_or(object_);
        check_.add(violation_of(std::move(attr), code, std::move(detail), value), place_of(value));
    }

    [[nodiscard]] bool takes(const Value& value) const override { return check_.looks_at(value); }

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

FieldState Check::judge(const Schema& schema, const Value& member) {
    const std::size_t before = faults_;
    walk(schema, member);
    return faults_ == before ? FieldState::sound : FieldState::faulty;
}

/// Returns the state of a field whose value was not checked (`unseen`), for a rule that runs only if the
/// field is not faulty. Checks the value. A field of Object::may_each counts as faulty without a check,
/// because `object` has no member with exactly that field's name.
FieldState Check::judge_unseen(const Field& field, const Value& object) {
    const auto member = object.find(field.name);
    if (!member) return FieldState::faulty;
    const bool outer = std::exchange(sees_all_, true);
    const FieldState state = judge(field.schema, *member);
    sees_all_ = outer;
    return state;
}

bool Check::may_run(const BoundRule& rule, const ObjectNode& node, const Value& object, std::size_t states) {
    if (faults_ == 0) return true;
    for (std::size_t index = 0; index < node.fields.size(); ++index) {
        const Field& field = node.fields[index];
        if (std::find(rule.reads.begin(), rule.reads.end(), field.name) == rule.reads.end()) continue;
        FieldState state = states_[states + index];
        if (state == FieldState::unseen) state = judge_unseen(field, object);
        if (state == FieldState::faulty) return false;
    }
    return true;
}

void Check::visit(const ObjectNode& node, const Value& value) {
    if (!value.is(Type::object)) return add(value, wrong_form("an object"));
    const std::size_t states = states_.size();
    states_.resize(states + node.fields.size(), FieldState::absent);
    fields(node, value, states);
    ObjectReport report(*this, value);
    for (const BoundRule& rule : node.rules) {
        if (looks_at(value) && may_run(rule, node, value, states)) rule.check(value, report);
    }
    for (std::size_t index = 0; index < node.fields.size(); ++index) {
        if (node.fields[index].required && states_[states + index] == FieldState::absent) {
            missing_field(node.fields[index].name, value);
        }
    }
    states_.resize(states);
}

/// Checks the members of the object `value`. Stores the result for the declared field with index i of `node`
/// in states_[states + i].
void Check::fields(const ObjectNode& node, const Value& value, std::size_t states) {
    std::size_t expected = 0;
    for (const auto& [name, member] : value.members()) {
        const std::size_t index = place_of(name, node.fields, expected);
        if (index == node.fields.size()) {
            unknown_field(node, name, member);
            continue;
        }
        expected = index + 1;
        const Segment segment(innermost_, name);
        const FieldState found =
            looks_at(member) ? judge(node.fields[index].schema, member) : FieldState::unseen;
        states_[states + index] = std::max(states_[states + index], found);
    }
}

void Check::unknown_field(const ObjectNode& node, std::string_view name, const Value& value) {
    if (unknown_ == UnknownFields::ignore && !node.names_are_choices) return;
    if (!takes(place_of(value))) return pass_over();
    const Segment segment(innermost_, util::first_code_points(name, max_unknown_name));
    const std::string known = util::joined(names_of(node.fields)) + ".";
    if (node.names_are_choices)
        return add(value, {Code::invalid_choice, "The name of this field must be one of: " + known});
    add(value, {Code::unknown_field, "This field is unknown here. Known fields are: " + known});
}

void Check::missing_field(const std::string& name, const Value& object) {
    if (!takes(end_of(object))) return pass_over();
    const Segment segment(innermost_, name);
    add({path(), Code::required, "The field " + name + " is required."}, end_of(object));
}

void Check::visit(const ArrayNode& node, const Value& value) {
    if (!value.is(Type::array)) return add(value, wrong_form("an array"));
    size(node, value);
    std::size_t index = 0;
    for (const Value item : value.items()) {
        if ((index == node.max && !node.wrong_count) || !looks_at(item)) return;
        const Segment segment(innermost_, index++);
        walk(node.item, item);
    }
}

void Check::size(const ArrayNode& node, const Value& value) {
    if (node.wrong_count && value.size() != node.min) {
        add(value, {*node.wrong_count, "This array must have exactly " + counted(node.min, "item") + "."});
    } else if (value.size() > node.max) {
        add(value, {Code::max_items, "This array must have at most " + counted(node.max, "item") + "."});
    } else if (value.size() < node.min) {
        add(value, {Code::empty, "This array must have at least " + counted(node.min, "item") + "."});
    }
}

void Check::visit(const VariantNode& node, const Value& value) {
    if (!value.is(Type::object)) return add(value, wrong_form("an object"));
    if (const Object* chosen = alternative(node, value)) walk(*chosen, value);
}

/// Returns the alternative that the discriminator names. If it names none, adds a violation and returns null.
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

void Check::add(Violation violation, Position place) {
    ++faults_;
    if (takes(place)) first_.add(place, std::move(violation));
}

}  // namespace

std::vector<Violation> check(const Schema& schema, const json::Value& payload, UnknownFields unknown) {
    Check check(unknown);
    check.walk(schema, payload);
    return check.take();
}

}  // namespace data_import::schema

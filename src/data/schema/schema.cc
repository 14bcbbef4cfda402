#include "data/schema/schema.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "base/util/text.h"
#include "data/schema/forms.h"
#include "data/schema/node.h"

namespace data_import::schema {

namespace {

constexpr std::size_t max_email_length = 254;
constexpr std::size_t max_path_length = 1024;
constexpr std::size_t max_scalar_length = 128;

template <typename Kind>
std::shared_ptr<const Node> node_of(Kind kind) {
    return std::make_shared<const Node>(Node{std::move(kind)});
}

template <typename Kind>
Schema schema_of(Kind kind) {
    return Schema(node_of(std::move(kind)));
}

ObjectNode object_copy(const Schema& object) {
    return std::get<ObjectNode>(object.node().kind);
}

ArrayNode array_copy(const Schema& array) {
    return std::get<ArrayNode>(array.node().kind);
}

/// Throws std::logic_error for a text or array with a minimum above 1, because there is no code of
/// errors for a text that is too short, or for an array with too few items.
void check_least(std::string_view field, const Schema& schema) {
    const auto check = [&](std::size_t min) {
        if (min > 1) {
            throw std::logic_error("the field " + std::string(field) + " is declared with at least " +
                                   std::to_string(min) + " characters or items: give 0 or 1");
        }
    };
    const auto& kind = without_null(schema).node().kind;
    if (const auto* text = std::get_if<TextNode>(&kind)) check(text->min);
    if (const auto* array = std::get_if<ArrayNode>(&kind)) {
        if (!array->wrong_count) check(array->min);
        check_least(field, array->item);
    }
}

/// Adds a field. Throws for a field declared twice, so that this mistake shows before any payload is checked.
Object with_field(const Schema& object, Field field) {
    check_least(field.name, field.schema);
    ObjectNode extended = object_copy(object);
    for (const Field& other : extended.fields) {
        if (other.name == field.name) throw std::logic_error("schema declares a field twice: " + field.name);
    }
    const auto is_behind = [&](std::size_t place) { return extended.fields[place].name > field.name; };
    extended.sorted.insert(std::ranges::find_if(extended.sorted, is_behind), extended.fields.size());
    if (extended.released) extended.released->later.push_back(extended.fields.size());
    extended.fields.push_back(std::move(field));
    return Object(node_of(std::move(extended)));
}

/// Returns the alternative with its discriminator as first field.
Object marked(const Object& alternative, std::string_view discriminator, const std::string& name,
              std::string_view sentence) {
    ObjectNode node = object_copy(object().need(discriminator, choice({name}), sentence));
    const ObjectNode own = object_copy(alternative);
    node.rules = own.rules;
    Object result(node_of(std::move(node)));
    for (const Field& field : own.fields) result = with_field(result, field);
    return result;
}

Object with_rule(const Object& object, const std::vector<std::string_view>& reads,
                 std::function<void(const json::Value&, Report&)> check) {
    ObjectNode extended = object_copy(object);
    BoundRule bound{{}, std::move(check)};
    for (const std::string_view name : reads) {
        const auto is_named = [&](const Field& field) { return field.name == name; };
        if (std::none_of(extended.fields.begin(), extended.fields.end(), is_named)) {
            throw std::logic_error("a rule reads a field that is not declared before it: " +
                                   std::string(name));
        }
        bound.reads.emplace_back(name);
    }
    extended.rules.push_back(std::move(bound));
    return Object(node_of(std::move(extended)));
}

std::size_t declared_place(const std::vector<Field>& fields, std::string_view name) {
    const auto found = std::ranges::find(fields, name, &Field::name);
    if (found == fields.end())
        throw std::logic_error("1.0 had a field that is not declared: " + std::string(name));
    return static_cast<std::size_t>(found - fields.begin());
}

/// Returns the field of version 1.0 that `word` describes: the field's name, then `?` if the field was
/// optional, then `~` if the field could be null. `fields` are the fields that are declared now. Throws
/// std::logic_error if the field is not among them.
ReleasedField place_in_1_0(const std::vector<Field>& fields, std::string_view word) {
    const auto take_mark = [&](char mark) {
        if (!word.ends_with(mark)) return false;
        word.remove_suffix(1);
        return true;
    };
    const bool nullable = take_mark('~');
    const bool optional = take_mark('?');
    return {declared_place(fields, word), optional, nullable};
}

FormNode form(std::string sentence, std::string pattern, std::function<bool(std::string_view)> has_form) {
    return {std::move(sentence), std::move(pattern), "", no_limit, std::move(has_form), Code::invalid};
}

}  // namespace

const Schema& alternative_of(const VariantNode& node, const json::Value& object) {
    const std::string_view name = object.at(node.discriminator).text();
    return std::ranges::find(node.alternatives, name, &std::pair<std::string, Object>::first)->second;
}

bool Field::continues_as(std::string_view sent) const {
    if (sent.size() <= name.size() || !sent.starts_with(name)) return false;
    return util::count_code_points(sent.substr(name.size())) <= more;
}

Object Object::need(std::string_view name, const Schema& field, std::string_view sentence) const {
    return with_field(*this, {name, field, true, 0, sentence});
}

Object Object::may(std::string_view name, const Schema& field, std::string_view sentence) const {
    return with_field(*this, {name, field, false, 0, sentence});
}

Object Object::may_each(std::string_view prefix, std::size_t max, const Schema& field,
                        std::string_view sentence) const {
    return with_field(*this, {prefix, field, false, max, sentence});
}

Object Object::names_are_choices() const {
    ObjectNode extended = object_copy(*this);
    extended.names_are_choices = true;
    return Object(node_of(std::move(extended)));
}

Object Object::as_of_1_0(std::string_view fields, const std::vector<std::string_view>& left_out) const {
    ObjectNode extended = object_copy(*this);
    ReleasedFields& released = extended.released.emplace();
    std::istringstream words{std::string(fields)};
    for (std::string word; words >> word;) released.placed.push_back(place_in_1_0(extended.fields, word));
    for (const std::string_view name : left_out) {
        released.left_out.push_back(declared_place(extended.fields, name));
    }
    for (std::size_t field = 0; field < extended.fields.size(); ++field) {
        if (std::ranges::find(released.placed, field, &ReleasedField::field) == released.placed.end() &&
            std::ranges::find(released.left_out, field) == released.left_out.end()) {
            released.later.push_back(field);
        }
    }
    return Object(node_of(std::move(extended)));
}

Object Object::rule(const std::vector<std::string_view>& reads, Rule check) const {
    return with_rule(*this, reads, check);
}

Object Object::need_one_of(const std::vector<std::string_view>& fields, Code otherwise,
                           std::string_view detail) const {
    const auto has_one = [names = std::vector<std::string>(fields.begin(), fields.end()), otherwise, detail](
                             const json::Value& object, Report& report) {
        const auto stands = [&](const std::string& name) {
            const auto field = object.find(name);
            return field && (!field->is(json::Type::object) || field->size() > 0);
        };
        if (std::ranges::none_of(names, stands)) report.add(otherwise, std::string(detail));
    };
    ObjectNode extended = object_copy(with_rule(*this, fields, has_one));
    extended.one_of.assign(fields.begin(), fields.end());
    return Object(node_of(std::move(extended)));
}

Array Array::min(std::size_t items) const {
    ArrayNode limited = array_copy(*this);
    limited.min = items;
    return Array(node_of(std::move(limited)));
}

Array Array::max(std::size_t items) const {
    ArrayNode limited = array_copy(*this);
    limited.max = items;
    return Array(node_of(std::move(limited)));
}

Array Array::exactly(std::size_t items, Code otherwise) const {
    ArrayNode limited = array_copy(*this);
    limited.min = limited.max = items;
    limited.wrong_count = otherwise;
    return Array(node_of(std::move(limited)));
}

Array Array::columns(std::string_view prefix) const {
    ArrayNode stored = array_copy(*this);
    stored.columns = prefix;
    return Array(node_of(std::move(stored)));
}

Object object() {
    return Object(node_of(ObjectNode{}));
}

Array array(const Schema& item) {
    return Array(node_of(ArrayNode{item}));
}

Schema variant(std::string_view discriminator,
               const std::vector<std::pair<std::string, Object>>& alternatives, std::string_view sentence) {
    VariantNode node{std::string(discriminator), {}};
    for (const auto& [name, alternative] : alternatives) {
        node.alternatives.emplace_back(name, marked(alternative, discriminator, name, sentence));
    }
    return schema_of(std::move(node));
}

Schema text(std::size_t min, std::size_t max) {
    return schema_of(TextNode{min, max});
}

Schema code(std::size_t max) {
    return schema_of(TextNode{1, max, true});
}

Schema digits(std::size_t count) {
    const std::string length = std::to_string(count);
    return schema_of(
        form("a string of exactly " + length + " digits", "^[0-9]{" + length + "}$",
             [count](std::string_view text) { return text.size() == count && is_digits(text); }));
}

Schema alphanumeric(std::size_t count) {
    const std::string length = std::to_string(count);
    return schema_of(form("a string of exactly " + length + " letters (A to Z, a to z) and digits",
                          "^[0-9A-Za-z]{" + length + "}$", [count](std::string_view text) {
                              return text.size() == count && is_alphanumeric(text);
                          }));
}

Schema email() {
    FormNode node = form("an e-mail address like name@example.org", email_pattern(), is_email);
    node.format = "email";
    node.is_code = false;
    node.max = max_email_length;
    return schema_of(std::move(node));
}

Schema phone() {
    FormNode node = form("a phone number as E.164 writes it: a plus sign and 7 to 15 digits, the first not 0",
                         "^\\+[1-9][0-9]{6,14}$", is_phone);
    node.is_code = false;
    return schema_of(std::move(node));
}

Schema country_code() {
    return schema_of(form("a country code of two capital letters (A to Z)", "^[A-Z]{2}$", is_country_code));
}

Schema choice(std::vector<std::string> allowed) {
    return schema_of(ChoiceNode{std::move(allowed)});
}

Schema known_text(std::size_t max, std::string what, std::function<bool(std::string_view)> is_known) {
    FormNode node = form(std::move(what), "", std::move(is_known));
    node.max = max;
    node.code = Code::invalid_choice;
    return schema_of(std::move(node));
}

Schema boolean() {
    return schema_of(BooleanNode{});
}

Schema integer(std::int64_t min, std::int64_t max) {
    return schema_of(IntegerNode{min, max});
}

Schema decimal(unsigned precision, unsigned scale) {
    if (scale > precision) throw std::logic_error("schema declares a decimal with more places than digits");
    return schema_of(DecimalNode{precision, scale});
}

Schema positive_decimal(unsigned precision, unsigned scale) {
    if (scale >= precision) throw std::logic_error("schema declares a positive decimal without whole digits");
    return schema_of(DecimalNode{precision, scale, true});
}

Schema fixed_decimal(unsigned precision, unsigned scale) {
    const std::string places = std::to_string(scale);
    return schema_of(form("a decimal string with exactly " + places + " digits after the decimal point",
                          "^-?[0-9]{1," + std::to_string(precision - scale) + "}\\.[0-9]{" + places + "}$",
                          [=](std::string_view text) { return is_fixed_decimal(text, precision, scale); }));
}

Schema date() {
    return schema_of(DateNode{});
}

Schema datetime() {
    return schema_of(DatetimeNode{});
}

Schema document_path() {
    FormNode node = form(
        "a relative path with / between its segments, without empty, . or .. segments, backslashes, control "
        "characters, a leading / or a URL scheme",
        document_path_pattern(), is_document_path);
    node.max = max_path_length;
    node.code = Code::invalid_document_path;
    node.is_code = false;
    return schema_of(std::move(node));
}

Schema url_text(std::size_t max) {
    FormNode node = form("a text without . or .. as a segment between slashes, percent-encoded or not",
                         url_text_pattern(), is_url_text);
    node.max = max;
    node.is_code = false;
    return schema_of(std::move(node));
}

Schema scalar() {
    return schema_of(ScalarNode{{1, max_scalar_length, true}});
}

Schema anything() {
    return schema_of(AnyNode{});
}

Schema anything_like(const Schema& usual) {
    return schema_of(AnyNode{usual});
}

Schema any_object() {
    return schema_of(AnyObjectNode{});
}

Schema nullable(const Schema& value) {
    return schema_of(NullableNode{value});
}

}  // namespace data_import::schema

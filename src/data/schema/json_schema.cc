#include "data/schema/json_schema.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <initializer_list>
#include <limits>

#include "data/schema/node.h"

namespace data_import::schema {

namespace {

using json::Writer;

// Patterns for the rules of util/datetime.h. They do not check that the day exists in the calendar. The
// formats `date` and `date-time` of JSON Schema do, and are written in addition.
constexpr std::string_view date_pattern = "^(19|2[0-9])[0-9]{2}-[0-9]{2}-[0-9]{2}$";
constexpr std::string_view datetime_behind_century =
    "[0-9]{2}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6}0*)?"
    "(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])$";
/// Matches at least one character that is no white space.
constexpr std::string_view not_blank_pattern = "\\S";

/// Returns the pattern of an instant. Requests may have the years 1900 to 2999. The pattern for answers
/// allows a century more at both ends, because answers give times in UTC, which may fall into the years 1899
/// and 3000.
std::string datetime_pattern(Side side) {
    return std::string(side == Side::request ? "^(19|2[0-9])" : "^(18|19|2[0-9]|30)")
        .append(datetime_behind_century);
}

std::string decimal_pattern(const DecimalNode& node) {
    const unsigned whole = node.precision - node.scale;
    const std::string digits = whole == 0 ? "0+" : "0*[0-9]{1," + std::to_string(whole) + "}";
    const std::string places = node.scale == 0 ? "0+" : "[0-9]{1," + std::to_string(node.scale) + "}0*";
    return "^-?" + digits + "(\\." + places + ")?$";
}

/// Matches a number above 0 with at least one digit before the point: a digit other than zero stands before
/// the point, or at one of the places after it.
std::string positive_decimal_pattern(const DecimalNode& node) {
    const std::string places = node.scale == 0 ? "0+" : "[0-9]{1," + std::to_string(node.scale) + "}0*";
    std::string pattern =
        "^0*([1-9][0-9]{0," + std::to_string(node.precision - node.scale - 1) + "}(\\." + places + ")?";
    for (unsigned zeros = 0; zeros < node.scale; ++zeros) {
        pattern += "|0\\.0{" + std::to_string(zeros) + "}[1-9][0-9]{0," +
                   std::to_string(node.scale - 1 - zeros) + "}0*";
    }
    return pattern + ")$";
}

std::string decimal_description(const DecimalNode& node) {
    return "An exact decimal with at most " + std::to_string(node.precision - node.scale) +
           " digits before and " + std::to_string(node.scale) +
           " after the decimal point. Send it as a string.";
}

constexpr std::string_view any_value = "JsonValue";
constexpr std::string_view any_object = "JsonObject";

// A recursive schema would describe the members better, but several programs never end when they read a
// document with such a schema.
constexpr std::string_view any_value_text = R"({"description":"Any JSON value."})";
constexpr std::string_view any_object_text =
    R"({"description":"Any JSON object.","type":"object","additionalProperties":true})";

class SchemaWriter {
public:
    SchemaWriter(Writer& writer, Side side, Components& components)
        : writer_(writer), side_(side), components_(components) {}

    /// Writes the JSON schema of a value. If the value contains variants, their schemas are added to
    /// `components_` under names that begin with `name`. With `or_null`, null is allowed, too.
    void write(const Schema& schema, const std::string& name, bool or_null = false) {
        std::visit([&](const auto& node) { write(node, name, or_null); }, schema.node().kind);
    }

private:
    void write(const ObjectNode& node, const std::string& name, bool or_null) {
        begin({"object"}, or_null);
        const auto alike =
            std::ranges::find_if(node.fields, [](const Field& field) { return field.more > 0; });
        if (alike != node.fields.end()) {
            write_map(node, *alike, name);
        } else {
            node.fields.empty() ? write_no_fields() : write_fields(node, name);
        }
        writer_.end_object();
    }

    /// Writes the schema of an object that declares no fields. Such an object has to be empty in a request,
    /// and may have any members in an answer. The schema says in both cases that a member may have any value,
    /// so that clients generated from the document get a type for the object.
    void write_no_fields() {
        if (side_ == Side::request) writer_.key("maxProperties").integer(0);
        writer_.key("additionalProperties");
        write(AnyNode{}, "", false);
    }

    void write(const ArrayNode& node, const std::string& name, bool or_null) {
        begin({"array"}, or_null);
        writer_.key("items");
        node.max == 0 ? write(AnyObjectNode{}, name, false)
                      : write(node.item, name);  // the items of an array that must be empty are not described
        write_limit("minItems", node.min, 0);
        write_limit("maxItems", node.max, no_limit);
        writer_.end_object();
    }

    void write(const VariantNode& node, const std::string& name, bool or_null) {
        writer_.begin_object();
        write_description();
        writer_.key("oneOf").begin_array();
        for (const auto& [alternative, schema] : node.alternatives) {
            add_component(name + camel_case(alternative), schema);
            writer_.begin_object().key("$ref").string(reference(name + camel_case(alternative))).end_object();
        }
        if (or_null) writer_.begin_object().key("type").string("null").end_object();
        writer_.end_array().key("discriminator").begin_object();
        writer_.key("propertyName").string(node.discriminator).key("mapping").begin_object();
        for (const auto& [alternative, schema] : node.alternatives)
            writer_.key(alternative).string(reference(name + camel_case(alternative)));
        writer_.end_object().end_object().end_object();
    }

    void write(const NullableNode& node, const std::string& name, bool) { write(node.value, name, true); }

    void write(const TextNode& node, const std::string&, bool or_null) {
        begin({"string"}, or_null);
        write_text_limits(node);
        writer_.end_object();
    }

    void write(const FormNode& node, const std::string&, bool or_null) {
        say("This value has to be " + node.form + ".");
        begin({"string"}, or_null);
        if (!node.format.empty()) writer_.key("format").string(node.format);
        writer_.key("pattern").string(node.pattern.empty() ? not_blank_pattern : node.pattern);
        write_limit("maxLength", node.max, no_limit);
        writer_.end_object();
    }

    void write(const ChoiceNode& node, const std::string&, bool or_null) {
        begin({"string"}, or_null);
        writer_.key("enum").begin_array();
        for (const std::string& allowed : node.allowed) writer_.string(allowed);
        if (or_null) writer_.null();
        writer_.end_array().end_object();
    }

    void write(const BooleanNode&, const std::string&, bool or_null) {
        begin({"boolean"}, or_null);
        writer_.end_object();
    }

    void write(const IntegerNode& node, const std::string&, bool or_null) {
        begin({"integer"}, or_null);
        writer_.key("format").string("int64");
        // Limits that the format implies are left out, because doubles could not hold them.
        if (node.min != std::numeric_limits<std::int64_t>::min()) writer_.key("minimum").integer(node.min);
        if (node.max != std::numeric_limits<std::int64_t>::max()) writer_.key("maximum").integer(node.max);
        writer_.end_object();
    }

    void write(const DecimalNode& node, const std::string&, bool or_null) {
        say(decimal_description(node));
        begin({"number", "string"}, or_null);
        const std::string bound = "1" + std::string(node.precision - node.scale, '0');
        writer_.key("exclusiveMinimum").raw(node.positive ? "0" : "-" + bound);
        writer_.key("exclusiveMaximum").raw(bound).key("pattern");
        writer_.string(node.positive ? positive_decimal_pattern(node) : decimal_pattern(node)).end_object();
    }

    void write(const DateNode&, const std::string&, bool or_null) {
        begin({"string"}, or_null);
        writer_.key("format").string("date").key("pattern").string(date_pattern).end_object();
    }

    void write(const DatetimeNode&, const std::string&, bool or_null) {
        begin({"string"}, or_null);
        writer_.key("format").string("date-time").key("pattern").string(datetime_pattern(side_)).end_object();
    }

    void write(const ScalarNode& node, const std::string&, bool or_null) {
        begin({"string", "number", "boolean"}, or_null);
        write_text_limits(node.text);
        writer_.end_object();
    }

    void write(const AnyNode& node, const std::string& name, bool) {
        components_.emplace(any_value, any_value_text);
        writer_.begin_object();
        write_description();
        if (node.usual) {
            writer_.key("anyOf").begin_array();
            write(*node.usual, name);
            writer_.begin_object();
        }
        writer_.key("$ref").string(reference(std::string(any_value))).end_object();
        if (node.usual) writer_.end_array().end_object();
    }

    void write(const AnyObjectNode&, const std::string&, bool or_null) {
        components_.emplace(any_object, any_object_text);
        writer_.begin_object();
        write_description();
        if (or_null) writer_.key("anyOf").begin_array().begin_object();
        writer_.key("$ref").string(reference(std::string(any_object))).end_object();
        if (or_null) writer_.begin_object().key("type").string("null").end_object().end_array().end_object();
    }

    void write_fields(const ObjectNode& node, const std::string& name) {
        writer_.key("properties").begin_object();
        for (const Field& field : node.fields) {
            writer_.key(field.name);
            say(field.sentence);
            write(field.schema, name + camel_case(field.name));
        }
        writer_.end_object();
        if (side_ == Side::request) writer_.key("additionalProperties").boolean(false);
        write_required(node);
        write_one_of(node);
    }

    /// Writes that at least one of the fields in `one_of` has to be there. If `one_of` has all fields of the
    /// object, writes "at least one field" instead, which more programs understand.
    ///
    /// `anyOf` stands inside `allOf`, because code generators would declare an object with `anyOf` directly
    /// next to `properties` as a value of any type.
    void write_one_of(const ObjectNode& node) {
        if (node.one_of.empty()) return;
        if (node.one_of.size() == node.fields.size()) return write_one_of_all(node);
        writer_.key("allOf").begin_array().begin_object().key("anyOf").begin_array();
        for (const std::string& name : node.one_of) {
            writer_.begin_object().key("required").begin_array().string(name).end_array().end_object();
        }
        writer_.end_array().end_object().end_array();
    }

    /// Writes `minProperties` 1 for an object that needs at least one of its fields, and a `not` that refuses
    /// the object if its only field is an empty object, such as `{"address": {}}`. Code generators ignore the
    /// `not`.
    void write_one_of_all(const ObjectNode& node) {
        writer_.key("minProperties").integer(1);
        bool begun = false;
        for (const Field& field : node.fields) {
            if (!may_be_empty(field.schema)) continue;
            if (!begun) writer_.key("not").begin_object().key("enum").begin_array();
            begun = true;
            writer_.begin_object().key(field.name).begin_object().end_object().end_object();
        }
        if (begun) writer_.end_array().end_object();
    }

    [[nodiscard]] static bool may_be_empty(const Schema& schema) {
        const auto* object = std::get_if<ObjectNode>(&schema.node().kind);
        return object != nullptr && std::ranges::none_of(object->fields, &Field::required);
    }

    /// Writes the fields of an object as a map from names to values (`additionalProperties`), because code
    /// generators understand maps, but no prefixes. `alike` is the field of the object whose name is only a
    /// prefix (Field::more). Each value of the map has the schema of `alike`. `name` is the same as in
    /// write().
    void write_map(const ObjectNode& node, const Field& alike, const std::string& name) {
        writer_.key("additionalProperties");
        say(alike.sentence);
        write(alike.schema, name + camel_case(alike.name));
        if (side_ == Side::answer) return;
        std::string names;
        for (const Field& field : node.fields)
            if (field.more == 0) names += field.name + '|';
        writer_.key("propertyNames").begin_object().key("pattern");
        writer_.string("^(" + names + alike.name + "[\\s\\S]{1," + std::to_string(alike.more) + "})$")
            .end_object();
    }

    void write_required(const ObjectNode& node) {
        bool begun = false;
        for (const Field& field : node.fields) {
            if (!field.required) continue;
            if (!begun) writer_.key("required").begin_array();
            begun = true;
            writer_.string(field.name);
        }
        if (begun) writer_.end_array();
    }

    void write_text_limits(const TextNode& node) {
        write_limit("minLength", node.min, 0);
        write_limit("maxLength", node.max, no_limit);
        if (node.min > 0) writer_.key("pattern").string(not_blank_pattern);
    }

    void write_limit(std::string_view keyword, std::size_t limit, std::size_t none) {
        if (limit != none) writer_.key(keyword).integer(static_cast<std::int64_t>(limit));
    }

    /// Adds a sentence to the description of the schema that is written next. For the schema of a field, the
    /// sentence about the field's meaning is added first, then the sentence about the form of its values.
    void say(std::string_view sentence) {
        if (!description_.empty() && !sentence.empty()) description_ += ' ';
        description_ += sentence;
    }

    void write_description() {
        if (!description_.empty()) writer_.key("description").string(description_);
        description_.clear();
    }

    /// Begins the object of a schema with its types and description.
    void begin(std::initializer_list<std::string_view> types, bool or_null) {
        writer_.begin_object().key("type");
        if (types.size() == 1 && !or_null) {
            writer_.string(*types.begin());
        } else {
            writer_.begin_array();
            for (const std::string_view type : types) writer_.string(type);
            if (or_null) writer_.string("null");
            writer_.end_array();
        }
        write_description();
    }

    static std::string reference(const std::string& name) { return "#/components/schemas/" + name; }

    void add_component(const std::string& name, const Schema& schema) {
        Writer component;
        SchemaWriter(component, side_, components_).write(schema, name);
        components_.insert_or_assign(name, component.take());
    }

    Writer& writer_;
    Side side_;
    Components& components_;
    std::string description_ = {};
};

bool is_word_character(char character) {
    return std::isalnum(static_cast<unsigned char>(character)) != 0;
}

char as_letter(char character, bool capital) {
    const auto code = static_cast<unsigned char>(character);
    return static_cast<char>(capital ? std::toupper(code) : std::tolower(code));
}

}  // namespace

void write_openapi(Writer& writer, const Schema& schema, Side side, std::string_view name,
                   Components& components) {
    SchemaWriter(writer, side, components).write(schema, std::string(name));
}

std::string camel_case(std::string_view text) {
    std::string words;
    bool begins = true;
    for (const char character : text) {
        if (is_word_character(character)) words += as_letter(character, begins);
        begins = !is_word_character(character);
    }
    return words;
}

}  // namespace data_import::schema

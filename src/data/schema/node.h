// The kinds of values that a schema describes, with their limits. Private to the folder: validation and
// documentation read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "data/schema/schema.h"

namespace data_import::schema {

inline constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

struct Field {
    Field(std::string_view called, const Schema& holds, bool is_required, std::size_t more_follow = 0,
          std::string_view says = {})
        : name(called), schema(holds), required(is_required), more(more_follow), sentence(says) {}

    std::string name;
    std::string key = '"' + name + "\":";  ///< the name as it stands in JSON: `"body":`
    Schema schema;
    bool required;
    /// 0: `name` is the whole name. Otherwise `name` is a prefix, and 1 to `more` code points follow it.
    std::size_t more = 0;
    std::string_view sentence = {};  ///< meaning of the field, for the documentation

    [[nodiscard]] bool is_called(std::string_view sent) const {
        return more == 0 ? sent == name : continues_as(sent);
    }

private:
    [[nodiscard]] bool continues_as(std::string_view sent) const;
};

/// Returns the place of the field with this name; the number of fields if there is none. The search begins at
/// `expected`, since members mostly come in the same order.
[[nodiscard]] inline std::size_t place_of(std::string_view name, const std::vector<Field>& fields,
                                          std::size_t expected) {
    for (std::size_t looked_at = 0; looked_at < fields.size(); ++looked_at, ++expected) {
        if (expected >= fields.size()) expected = 0;
        if (fields[expected].is_called(name)) return expected;
    }
    return fields.size();
}

struct BoundRule {
    std::vector<std::string> reads;  ///< names of the fields that `check` reads
    std::function<void(const json::Value& object, Report& report)> check;
};

/// A field as version 1.0 of the service declared it. The members must not change in later versions, because
/// later versions have to compute the same digests as version 1.0.
struct ReleasedField {
    std::size_t field;  ///< place of the field in the declaration
    bool optional;      ///< the field was optional in version 1.0 of the service
    bool nullable;      ///< the field could be null in version 1.0 of the service
};

struct ReleasedFields {
    /// Fields that stand in the texts of content_text() in version 1.0 of the service, in the order in which
    /// they stand there.
    std::vector<ReleasedField> placed = {};
    std::vector<std::size_t> left_out = {};  ///< places of the fields that content_text() leaves out
    /// Places of the fields that version 1.0 of the service did not have.
    std::vector<std::size_t> later = {};
};

struct ObjectNode {
    std::vector<Field> fields;
    std::vector<BoundRule> rules;
    bool names_are_choices = false;        ///< an undeclared name is the violation `invalid_choice`
    std::vector<std::string> one_of = {};  ///< for the documentation: at least one of these has to be there
    std::vector<std::size_t> sorted = {};  ///< places of the fields in the order of their names
    /// The fields as version 1.0 of the service declared them; nothing if version 1.0 stored no digests of
    /// such objects.
    std::optional<ReleasedFields> released = std::nullopt;
};

struct ArrayNode {
    Schema item;
    std::size_t min = 0;
    std::size_t max = no_limit;
    /// Code of the violation if there are not exactly `min` items. If it is set, max equals min.
    std::optional<Code> wrong_count = std::nullopt;
    std::string columns = {};  ///< prefix of the columns in which the fields of the items are stored
};

/// Each alternative is an object that has the discriminator as its first field.
struct VariantNode {
    std::string discriminator;
    std::vector<std::pair<std::string, Object>> alternatives;
};

/// Returns the alternative that the discriminator of a valid object names.
[[nodiscard]] const Schema& alternative_of(const VariantNode& node, const json::Value& object);

struct NullableNode {
    Schema value;
};

struct TextNode {
    std::size_t min;
    std::size_t max;
    bool is_code = false;  ///< the value is no free text, so violations show it
};

/// A string that a function recognises.
struct FormNode {
    std::string form;     ///< the allowed form; completes `This value must be ...`
    std::string pattern;  ///< the form as a regular expression (ECMA-262); empty if none describes it
    std::string format;   ///< value of `format` in the JSON schema; empty: the schema has no `format`
    std::size_t max;      ///< most code points (`max_length`); no_limit if `has_form` checks the length
    std::function<bool(std::string_view)> has_form;
    Code code;            ///< code of the violation if a text does not have the allowed form
    bool is_code = true;  ///< the value is no free text, so violations show it
};

struct ChoiceNode {
    std::vector<std::string> allowed;
};

struct BooleanNode {};

struct IntegerNode {
    std::int64_t min;
    std::int64_t max;
};

struct DecimalNode {
    unsigned precision;
    unsigned scale;
    bool positive = false;  ///< the number has to be greater than 0
};

struct DateNode {};

struct DatetimeNode {};

struct ScalarNode {
    TextNode text;
};

struct AnyNode {
    /// Schema that most of the values match. Only the documentation uses this schema; the check accepts any
    /// JSON value. If `usual` is nothing, the documentation says only that any JSON value is accepted.
    std::optional<Schema> usual = std::nullopt;
};

struct AnyObjectNode {};

struct Node {
    std::variant<ObjectNode, ArrayNode, VariantNode, NullableNode, TextNode, FormNode, ChoiceNode,
                 BooleanNode, IntegerNode, DecimalNode, DateNode, DatetimeNode, ScalarNode, AnyNode,
                 AnyObjectNode>
        kind;
};

[[nodiscard]] inline const Schema& without_null(const Schema& schema) {
    const auto* nullable = std::get_if<NullableNode>(&schema.node().kind);
    return nullable == nullptr ? schema : nullable->value;
}

/// Returns null if the schema is not that of an object.
[[nodiscard]] inline const ObjectNode* object_in(const Schema& schema) {
    return std::get_if<ObjectNode>(&without_null(schema).node().kind);
}

}  // namespace data_import::schema

#include "schema_sample.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string_view>

#include "data/json/value.h"
#include "data/json/writer.h"
#include "data/schema/node.h"

namespace data_import::tests {

namespace {

using namespace schema;
using json::Type;

std::string in_quotes(std::string_view text) {
    return json::Writer().string(text).take();
}

std::string items_of(const std::string& item, std::size_t count) {
    std::string text = "[";
    for (std::size_t index = 0; index < count; ++index) text.append(index == 0 ? "" : ",").append(item);
    return text + ']';
}

/// Returns sample texts. For every form of texts that schemas have, at least one of them is valid.
std::vector<std::string> texts_of_forms() {
    std::vector<std::string> texts = {"DE", "+4930123456", "name@example.org", "folder/file.pdf"};
    for (std::size_t length = 1; length <= 64; ++length) texts.emplace_back(length, '7');
    return texts;
}

struct Sample {
    bool is_full = false;

    std::string of(const Schema& schema) const { return std::visit(*this, schema.node().kind); }
    std::string operator()(const ObjectNode& node) const {
        json::Writer writer;
        writer.begin_object();
        for (const Field& field : node.fields) {
            if (field.required || is_full) writer.key(field.name).raw(of(field.schema));
        }
        return writer.end_object().take();
    }
    std::string operator()(const ArrayNode& node) const {
        const std::size_t items = is_full ? std::clamp<std::size_t>(1, node.min, node.max) : node.min;
        return items_of(items == 0 ? "" : of(node.item), items);
    }
    std::string operator()(const VariantNode& node) const { return of(node.alternatives.front().second); }
    std::string operator()(const NullableNode& node) const { return of(node.value); }
    std::string operator()(const TextNode& node) const {
        return in_quotes(std::string(std::max<std::size_t>(node.min, 1), 'x'));
    }
    std::string operator()(const FormNode& node) const {
        for (const std::string& text : texts_of_forms()) {
            if (node.has_form(text)) return in_quotes(text);
        }
        throw std::logic_error("no sample of " + node.form);
    }
    std::string operator()(const ChoiceNode& node) const { return in_quotes(node.allowed.front()); }
    std::string operator()(const BooleanNode&) const { return "true"; }
    std::string operator()(const IntegerNode& node) const {
        return std::to_string(std::clamp<std::int64_t>(1, node.min, node.max));
    }
    std::string operator()(const DecimalNode& node) const { return node.precision > node.scale ? "1" : "0"; }
    std::string operator()(const DateNode&) const { return in_quotes("2024-01-31"); }
    std::string operator()(const DatetimeNode&) const { return in_quotes("2024-01-31T12:00:00Z"); }
    std::string operator()(const AnyNode&) const { return "{}"; }
    std::string operator()(const AnyObjectNode&) const { return "{}"; }
    std::string operator()(const ScalarNode&) const { return in_quotes("x"); }
};

void add_too_long(std::vector<WrongValue>& wrong, std::size_t max) {
    if (max != no_limit) wrong.push_back({in_quotes(std::string(max + 1, 'x')), "max_length"});
}

void add_blank(std::vector<WrongValue>& wrong) {
    wrong.push_back({in_quotes(""), "blank"});
    wrong.push_back({in_quotes(" \t\u00a0\u2003"), "blank"});
}

/// The integer before `min`, which may need more than 64 bits.
std::string below(std::int64_t min) {
    constexpr auto least = std::numeric_limits<std::int64_t>::min();
    return min == least ? "-9223372036854775809" : std::to_string(min - 1);
}

std::string above(std::int64_t max) {
    constexpr auto greatest = std::numeric_limits<std::int64_t>::max();
    return max == greatest ? "9223372036854775808" : std::to_string(max + 1);
}

/// Makes wrong values of the right JSON type.
struct Wrong {
    std::vector<WrongValue> operator()(const ObjectNode&) const { return {}; }
    std::vector<WrongValue> operator()(const VariantNode&) const { return {}; }
    std::vector<WrongValue> operator()(const NullableNode& node) const {
        return std::visit(Wrong(), node.value.node().kind);
    }
    std::vector<WrongValue> operator()(const ArrayNode& node) const {
        std::vector<WrongValue> wrong;
        const std::string item = sample_of(node.item);
        const auto code = [&](Code usual) {
            return std::string(codes::name_of(node.wrong_count.value_or(usual)));
        };
        if (node.min > 0) wrong.push_back({"[]", code(Code::empty)});
        if (node.min > 1) wrong.push_back({items_of(item, node.min - 1), code(Code::empty)});
        if (node.max != no_limit) wrong.push_back({items_of(item, node.max + 1), code(Code::max_items)});
        return wrong;
    }
    std::vector<WrongValue> operator()(const TextNode& node) const {
        std::vector<WrongValue> wrong;
        if (node.min > 0) add_blank(wrong);
        add_too_long(wrong, node.max);
        return wrong;
    }
    std::vector<WrongValue> operator()(const FormNode& node) const {
        std::vector<WrongValue> wrong;
        add_blank(wrong);
        add_too_long(wrong, node.max);
        for (const char* text : {"/etc", "..", "a\\b", "7", "-1", "x@", "\u0661"}) {
            if (!node.has_form(text))
                wrong.push_back({in_quotes(text), std::string(codes::name_of(node.code))});
        }
        return wrong;
    }
    std::vector<WrongValue> operator()(const ChoiceNode&) const {
        return {{in_quotes("NO_SUCH_CHOICE"), "invalid_choice"}, {in_quotes(""), "invalid_choice"}};
    }
    std::vector<WrongValue> operator()(const BooleanNode&) const { return {}; }
    std::vector<WrongValue> operator()(const AnyNode&) const { return {}; }
    std::vector<WrongValue> operator()(const AnyObjectNode&) const { return {}; }
    std::vector<WrongValue> operator()(const IntegerNode& node) const {
        return {{below(node.min), "min_value"},
                {above(node.max), "max_value"},
                {"1.5", "invalid"},
                {"1e0", "invalid"}};
    }
    std::vector<WrongValue> operator()(const DecimalNode& node) const {
        const std::string whole(node.precision - node.scale + 1, '9');
        const std::string fraction = "0." + std::string(node.scale, '0') + '1';
        std::vector<WrongValue> wrong = {{whole, "max_digits"},
                                         {in_quotes(whole), "max_digits"},
                                         {fraction, "max_decimal_places"},
                                         {in_quotes(fraction), "max_decimal_places"},
                                         {in_quotes("1e0"), "invalid"},
                                         {in_quotes("+1"), "invalid"},
                                         {in_quotes(""), "invalid"}};
        for (const char* number : {"0", "-1"}) {
            if (node.positive)
                wrong.insert(wrong.end(), {{number, "min_value"}, {in_quotes(number), "min_value"}});
        }
        return wrong;
    }
    std::vector<WrongValue> operator()(const DateNode&) const {
        return {{in_quotes("2023-02-29"), "invalid"},
                {in_quotes("1899-12-31"), "invalid"},
                {in_quotes("2024-1-31"), "invalid"},
                {in_quotes("2024-01-31T00:00:00Z"), "invalid"}};
    }
    std::vector<WrongValue> operator()(const DatetimeNode&) const {
        return {{in_quotes("2024-01-31"), "invalid"},
                {in_quotes("2024-01-31T12:00:00"), "invalid"},
                {in_quotes("2024-01-31t12:00:00Z"), "invalid"},
                {in_quotes("2024-01-31T24:00:00Z"), "invalid"},
                {in_quotes("2023-02-29T12:00:00Z"), "invalid"},
                {in_quotes("2024-01-31T12:00:00+14:01"), "invalid"}};
    }
    std::vector<WrongValue> operator()(const ScalarNode& node) const { return (*this)(node.text); }
};

/// The JSON types that a kind of value takes.
struct Taken {
    std::vector<Type> operator()(const ObjectNode&) const { return {Type::object}; }
    std::vector<Type> operator()(const VariantNode&) const { return {Type::object}; }
    std::vector<Type> operator()(const AnyObjectNode&) const { return {Type::object}; }
    std::vector<Type> operator()(const ArrayNode&) const { return {Type::array}; }
    std::vector<Type> operator()(const NullableNode& node) const {
        return std::visit(Taken(), node.value.node().kind);
    }
    std::vector<Type> operator()(const BooleanNode&) const { return {Type::boolean}; }
    std::vector<Type> operator()(const IntegerNode&) const { return {Type::number}; }
    std::vector<Type> operator()(const DecimalNode&) const { return {Type::number, Type::string}; }
    std::vector<Type> operator()(const ScalarNode&) const {
        return {Type::string, Type::number, Type::boolean};
    }
    std::vector<Type> operator()(const AnyNode&) const {
        return {Type::string, Type::number, Type::boolean, Type::array, Type::object};
    }
    template <typename Text>
    std::vector<Type> operator()(const Text&) const {
        return {Type::string};
    }
};

}  // namespace

std::string sample_of(const Schema& schema) {
    return Sample().of(schema);
}

std::string full_sample_of(const Schema& schema) {
    return Sample{.is_full = true}.of(schema);
}

std::vector<WrongValue> wrong_values(const Schema& schema) {
    static const std::vector<std::pair<Type, const char*>> types = {{Type::string, "\"text\""},
                                                                    {Type::number, "7"},
                                                                    {Type::boolean, "true"},
                                                                    {Type::array, "[]"},
                                                                    {Type::object, "{}"}};
    std::vector<WrongValue> wrong = std::visit(Wrong(), schema.node().kind);
    const std::vector<Type> taken = std::visit(Taken(), schema.node().kind);
    for (const auto& [type, text] : types) {
        if (std::ranges::find(taken, type) == taken.end()) wrong.push_back({text, "invalid"});
    }
    return wrong;
}

}  // namespace data_import::tests

#include "schemas.h"

#include <optional>
#include <string>

namespace data_import::tests {

using namespace graphql;

namespace {

Type query() {
    const std::vector<InputValue> echoed = {{"int", "Int"},
                                            {"string", "String"},
                                            {"boolean", "Boolean"},
                                            {"color", "Color"},
                                            {"colors", "[Color!]"},
                                            {"matrix", "[[Int!]!]"},
                                            {"filter", "Filter"},
                                            {"filters", "[Filter!]"},
                                            {"limit", "Int", "", "10"},
                                            {"required", "Int!", "", "7"}};
    return {TypeKind::object,
            "Query",
            "Where queries begin.",
            {{"echo", "String", "Gives back what it was given.", echoed},
             {"needs", "String", "", {{"number", "Int!"}, {"text", "String"}}},
             {"dog", "Dog"},
             {"dogs", "[Dog!]!"},
             {"cat", "Cat!"},
             {"fail", "String"},
             {"broken", "Dog"},
             {"brokenRequired", "Dog!"},
             {"list", "[[Int]]"},
             {"number", "Int"},
             {"color", "Color"},
             {"wrong", "Int"}}};
}

std::vector<Type> sample_types() {
    return {query(),
            {TypeKind::object,
             "Mutation",
             "",
             {{"first", "Int"}, {"second", "Int"}, {"once", "Int", "", {{"key", "String"}}, true}}},
            {TypeKind::object,
             "Dog",
             "",
             {{"name", "String!"},
              {"nickname", "String"},
              {"barks", "Boolean"},
              {"color", "Color!"},
              {"weight", "Int"},
              {"owner", "Owner"},
              {"friends", "[Dog]"},
              {"id", "String!"}}},
            {TypeKind::object,
             "Cat",
             "",
             {{"name", "String!"}, {"nickname", "Int"}, {"lives", "Int!"}, {"owner", "Owner"}}},
            {TypeKind::object,
             "Owner",
             "",
             {{"name", "String", "", {{"upper", "Boolean", "", "false"}}}, {"dog", "Dog"}}},
            {.kind = TypeKind::enumeration,
             .name = "Color",
             .description = "Some colors.",
             .values = {{"RED"}, {"GREEN", "The color of grass."}, {"BLUE"}}},
            {.kind = TypeKind::input_object,
             .name = "Filter",
             .inputs = {{"name", "String"},
                        {"limit", "Int!", "", "5"},
                        {"required", "Boolean!"},
                        {"color", "Color", "", "RED"},
                        {"and", "[Filter!]"}}}};
}

std::vector<Type> service_types() {
    return {{TypeKind::object, "Query", "", {{"apiVersion", "String!"}}},
            {TypeKind::object,
             "Mutation",
             "",
             {{"obtainToken", "ObtainTokenPayload", "", {{"input", "ObtainTokenInput!"}}, true}}},
            {.kind = TypeKind::input_object,
             .name = "ObtainTokenInput",
             .inputs = {{"APIKey", "String"}, {"refreshToken", "String"}}},
            {TypeKind::object,
             "ObtainTokenPayload",
             "",
             {{"token", "String!"},
              {"expiresIn", "Int!"},
              {"refreshToken", "String!"},
              {"refreshExpiresIn", "Int!"}}}};
}

Datum dog(const std::string& name) {
    return Datum::Members{{"name", name},
                          {"barks", true},
                          {"color", "GREEN"},
                          {"weight", 12},
                          {"owner", Datum::Members{{"name", "Ada"}}},
                          {"id", "7"}};
}

std::string shown(const Datum& value);

std::string shown(const Datum::List& items) {
    std::string text = "[";
    for (const Datum& item : items) text += (text.size() > 1 ? ", " : "") + shown(item);
    return text + ']';
}

std::string shown(const Datum::Members& members) {
    std::string text = "{";
    for (const Member& member : members)
        text += (text.size() > 1 ? ", " : "") + member.name + ": " + shown(member.value);
    return text + '}';
}

std::string shown(const Datum& value) {
    if (value.is_null()) return "null";
    if (value.is<bool>()) return value.boolean() ? "true" : "false";
    if (value.is<std::int64_t>()) return std::to_string(value.integer());
    if (value.is<std::string>()) return '\'' + value.text() + '\'';
    return value.is<Datum::List>() ? shown(value.list()) : shown(value.members());
}

}  // namespace

const Schema& service_schema() {
    static const Schema schema(service_types());
    return schema;
}

const Schema& sample_schema() {
    static const Schema schema(sample_types());
    return schema;
}

Datum resolve_sample(const RootField& field) {
    const std::string_view name = field.field;
    if (name == "echo" || name == "needs") return shown(field.arguments);
    if (name == "dog") return dog("Rex");
    if (name == "dogs") return Datum::List{dog("Rex"), dog("Bello")};
    if (name == "cat") return Datum::Members{{"name", "Tom"}, {"lives", 9}};
    if (name == "fail") throw FieldError("This field fails.", "SAMPLE");
    if (name == "broken" || name == "brokenRequired") return Datum::Members{{"barks", true}};
    if (name == "list") return Datum::List{Datum::List{1, Datum()}, Datum(), Datum::List{}};
    if (name == "number") return 25;
    if (name == "color") return "RED";
    if (name == "wrong") return "not a number";
    if (name == "first" || name == "second" || name == "once") return 1;
    if (name == "apiVersion") return "1";
    if (name == "obtainToken")
        return Datum::Members{
            {"token", "t"}, {"expiresIn", 3600}, {"refreshToken", "r"}, {"refreshExpiresIn", 604800}};
    return {};
}

}  // namespace data_import::tests

// Values and types.
#include <utility>

#include "graphql/parser.h"

namespace data_import::graphql {

namespace {

ValueNode read_list(TokenReader& reader, bool constant) {
    const TokenReader::Level level(reader);
    ValueNode list;
    list.kind = ValueKind::list;
    list.offset = reader.expect(TokenKind::left_bracket).offset;
    while (!reader.skip(TokenKind::right_bracket)) list.items.push_back(read_value(reader, constant));
    return list;
}

ValueNode read_object(TokenReader& reader, bool constant) {
    const TokenReader::Level level(reader);
    ValueNode object;
    object.kind = ValueKind::object;
    object.offset = reader.expect(TokenKind::left_brace).offset;
    while (!reader.skip(TokenKind::right_brace)) {
        const Name name = reader.expect_name();
        reader.expect(TokenKind::colon);
        object.fields.push_back({name, read_value(reader, constant)});
    }
    return object;
}

ValueNode read_variable(TokenReader& reader, bool constant) {
    const Token dollar = reader.take();
    if (constant && reader.sees(TokenKind::name))
        throw SyntaxError("A variable cannot stand here; expected a constant.", dollar.offset);
    if (constant) reader.refuse(dollar, "a constant");
    ValueNode variable;
    variable.kind = ValueKind::variable;
    variable.offset = dollar.offset;
    variable.text = reader.expect_name().text;
    return variable;
}

ValueKind kind_of_name(std::string_view name) {
    if (name == "null") return ValueKind::null;
    return name == "true" || name == "false" ? ValueKind::boolean : ValueKind::enumeration;
}

ValueNode read_scalar(TokenReader& reader, ValueKind kind) {
    Token token = reader.take();
    ValueNode node;
    node.kind = kind;
    node.offset = token.offset;
    node.text = token.text;
    node.string = std::move(token.string);
    return node;
}

}  // namespace

ValueNode read_value(TokenReader& reader, bool constant) {
    switch (reader.token().kind) {
        case TokenKind::left_bracket:
            return read_list(reader, constant);
        case TokenKind::left_brace:
            return read_object(reader, constant);
        case TokenKind::dollar:
            return read_variable(reader, constant);
        case TokenKind::integer:
            return read_scalar(reader, ValueKind::integer);
        case TokenKind::floating:
            return read_scalar(reader, ValueKind::floating);
        case TokenKind::string:
            return read_scalar(reader, ValueKind::string);
        case TokenKind::name:
            return read_scalar(reader, kind_of_name(reader.token().text));
        default:
            reader.refuse(reader.token(), "a value");
    }
}

TypeNode read_type(TokenReader& reader) {
    const std::uint32_t offset = reader.token().offset;
    TypeNode type;
    if (reader.sees(TokenKind::left_bracket)) {
        const TokenReader::Level level(reader);
        reader.take();
        type = read_type(reader);
        type.wraps.insert(type.wraps.begin(), Wrap::list);
        reader.expect(TokenKind::right_bracket);
    } else {
        type.name = reader.expect_name();
    }
    type.offset = offset;
    if (reader.skip(TokenKind::bang)) type.wraps.insert(type.wraps.begin(), Wrap::non_null);
    return type;
}

}  // namespace data_import::graphql

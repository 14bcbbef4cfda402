// Definitions of types, directives and schemas: read, so that syntax errors are found, and not kept.
#include <algorithm>
#include <array>

#include "graphql/parser.h"

namespace data_import::graphql {

namespace {

// Each of these reads what may stand there and says whether anything stood there.

bool skip_directives(TokenReader& reader) {
    return !read_directives(reader, true).empty();
}

/// One name or more with a separator between them, which may stand before the first, too.
void skip_names(TokenReader& reader, TokenKind separator) {
    reader.skip(separator);
    do reader.expect_name();
    while (reader.skip(separator));
}

bool skip_interfaces(TokenReader& reader) {
    if (!reader.skip_keyword("implements")) return false;
    skip_names(reader, TokenKind::ampersand);
    return true;
}

void skip_input_value(TokenReader& reader) {
    reader.skip(TokenKind::string);
    reader.expect_name();
    reader.expect(TokenKind::colon);
    static_cast<void>(read_type(reader));
    if (reader.skip(TokenKind::equals)) static_cast<void>(read_value(reader, true));
    skip_directives(reader);
}

template <typename Read>
bool skip_block(TokenReader& reader, TokenKind open, TokenKind close, Read read) {
    if (!reader.sees(open)) return false;
    reader.many(open, close, [&] { read(reader); });
    return true;
}

bool skip_arguments(TokenReader& reader) {
    return skip_block(reader, TokenKind::left_parenthesis, TokenKind::right_parenthesis, skip_input_value);
}

void skip_field(TokenReader& reader) {
    reader.skip(TokenKind::string);
    reader.expect_name();
    skip_arguments(reader);
    reader.expect(TokenKind::colon);
    static_cast<void>(read_type(reader));
    skip_directives(reader);
}

void skip_enum_value(TokenReader& reader) {
    reader.skip(TokenKind::string);
    if (reader.sees_keyword("true") || reader.sees_keyword("false") || reader.sees_keyword("null"))
        reader.refuse(reader.token(), "an enum value, which true, false and null are not");
    reader.expect_name();
    skip_directives(reader);
}

void skip_operation_type(TokenReader& reader) {
    const Token keyword = reader.expect(TokenKind::name);
    if (keyword.text != "query" && keyword.text != "mutation" && keyword.text != "subscription")
        reader.refuse(keyword, "\"query\", \"mutation\" or \"subscription\"");
    reader.expect(TokenKind::colon);
    reader.expect_name();
}

bool skip_braces(TokenReader& reader, void (*read)(TokenReader&)) {
    return skip_block(reader, TokenKind::left_brace, TokenKind::right_brace, read);
}

bool skip_union_members(TokenReader& reader) {
    if (!reader.skip(TokenKind::equals)) return false;
    skip_names(reader, TokenKind::pipe);
    return true;
}

void skip_directive_location(TokenReader& reader) {
    static constexpr std::array<std::string_view, 19> locations = {"QUERY",
                                                                   "MUTATION",
                                                                   "SUBSCRIPTION",
                                                                   "FIELD",
                                                                   "FRAGMENT_DEFINITION",
                                                                   "FRAGMENT_SPREAD",
                                                                   "INLINE_FRAGMENT",
                                                                   "VARIABLE_DEFINITION",
                                                                   "SCHEMA",
                                                                   "SCALAR",
                                                                   "OBJECT",
                                                                   "FIELD_DEFINITION",
                                                                   "ARGUMENT_DEFINITION",
                                                                   "INTERFACE",
                                                                   "UNION",
                                                                   "ENUM",
                                                                   "ENUM_VALUE",
                                                                   "INPUT_OBJECT",
                                                                   "INPUT_FIELD_DEFINITION"};
    const Token name = reader.expect(TokenKind::name);
    if (std::find(locations.begin(), locations.end(), name.text) == locations.end())
        reader.refuse(name, "a place where a directive can stand, such as FIELD");
}

void skip_directive_definition(TokenReader& reader) {
    reader.expect(TokenKind::at);
    reader.expect_name();
    skip_arguments(reader);
    reader.skip_keyword("repeatable");
    reader.expect_keyword("on");
    reader.skip(TokenKind::pipe);
    do skip_directive_location(reader);
    while (reader.skip(TokenKind::pipe));
}

/// What follows the keyword and the name.
bool skip_body(TokenReader& reader, std::string_view keyword) {
    const bool has_interfaces = (keyword == "type" || keyword == "interface") && skip_interfaces(reader);
    const bool has_directives = skip_directives(reader);
    bool has_members = false;
    if (keyword == "type" || keyword == "interface") has_members = skip_braces(reader, skip_field);
    if (keyword == "union") has_members = skip_union_members(reader);
    if (keyword == "enum") has_members = skip_braces(reader, skip_enum_value);
    if (keyword == "input") has_members = skip_braces(reader, skip_input_value);
    if (keyword == "schema") has_members = skip_braces(reader, skip_operation_type);
    return has_interfaces || has_directives || has_members;
}

bool defines_type(std::string_view keyword) {
    static constexpr std::array<std::string_view, 6> keywords = {"scalar", "type", "interface",
                                                                 "union",  "enum", "input"};
    return std::find(keywords.begin(), keywords.end(), keyword) != keywords.end();
}

void skip_extension(TokenReader& reader) {
    const Token keyword = reader.look_ahead();
    if (keyword.kind != TokenKind::name || (!defines_type(keyword.text) && keyword.text != "schema"))
        reader.refuse(keyword, "what is extended, such as \"type\"");
    reader.take();
    reader.take();
    if (keyword.text != "schema") reader.expect_name();
    if (!skip_body(reader, keyword.text)) reader.refuse(reader.token(), "what the extension adds");
}

void skip_schema(TokenReader& reader) {
    skip_directives(reader);
    reader.many(TokenKind::left_brace, TokenKind::right_brace, [&] { skip_operation_type(reader); });
}

}  // namespace

bool skip_type_system_definition(TokenReader& reader, std::string_view keyword) {
    if (keyword == "extend") {
        skip_extension(reader);
        return true;
    }
    if (!defines_type(keyword) && keyword != "schema" && keyword != "directive") return false;
    reader.skip(TokenKind::string);
    reader.take();
    if (keyword == "schema") {
        skip_schema(reader);
    } else if (keyword == "directive") {
        skip_directive_definition(reader);
    } else {
        reader.expect_name();
        skip_body(reader, keyword);
    }
    return true;
}

}  // namespace data_import::graphql

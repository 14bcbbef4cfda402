#include "graphql/parser.h"

#include <string>
#include <utility>

#include "graphql/execute.h"

namespace data_import::graphql {

namespace {

SelectionSet read_selection_set(TokenReader& reader);

std::vector<NamedValue> read_arguments(TokenReader& reader, bool constant) {
    std::vector<NamedValue> arguments;
    if (!reader.sees(TokenKind::left_parenthesis)) return arguments;
    reader.many(TokenKind::left_parenthesis, TokenKind::right_parenthesis, [&] {
        const Name name = reader.expect_name();
        reader.expect(TokenKind::colon);
        arguments.push_back({name, read_value(reader, constant)});
    });
    return arguments;
}

Name read_fragment_name(TokenReader& reader) {
    if (reader.sees_keyword("on"))
        reader.refuse(reader.token(), "the name of a fragment, which \"on\" is not");
    return reader.expect_name();
}

Selection read_field(TokenReader& reader) {
    Selection field;
    field.offset = reader.token().offset;
    field.name = reader.expect_name();
    if (reader.skip(TokenKind::colon)) {
        field.alias = field.name;
        field.name = reader.expect_name();
    }
    field.arguments = read_arguments(reader, false);
    field.directives = read_directives(reader, false);
    if (reader.sees(TokenKind::left_brace)) field.set = read_selection_set(reader);
    return field;
}

Selection read_spread(TokenReader& reader) {
    Selection spread;
    spread.offset = reader.expect(TokenKind::spread).offset;
    const bool has_condition = reader.skip_keyword("on");
    if (!has_condition && reader.sees(TokenKind::name)) {
        spread.kind = SelectionKind::fragment_spread;
        spread.name = read_fragment_name(reader);
        spread.directives = read_directives(reader, false);
        return spread;
    }
    spread.kind = SelectionKind::inline_fragment;
    if (has_condition) spread.type_condition = reader.expect_name();
    spread.directives = read_directives(reader, false);
    spread.set = read_selection_set(reader);
    return spread;
}

SelectionSet read_selection_set(TokenReader& reader) {
    const TokenReader::Level level(reader);
    SelectionSet set;
    set.offset = reader.token().offset;
    reader.many(TokenKind::left_brace, TokenKind::right_brace, [&] {
        set.selections.push_back(reader.sees(TokenKind::spread) ? read_spread(reader) : read_field(reader));
    });
    return set;
}

VariableDefinition read_variable_definition(TokenReader& reader) {
    VariableDefinition variable;
    variable.offset = reader.token().offset;
    reader.skip(TokenKind::string);
    reader.expect(TokenKind::dollar);
    variable.name = reader.expect_name();
    reader.expect(TokenKind::colon);
    variable.type = read_type(reader);
    variable.has_default = reader.skip(TokenKind::equals);
    if (variable.has_default) variable.default_value = read_value(reader, true);
    variable.directives = read_directives(reader, true);
    return variable;
}

OperationKind kind_of(std::string_view keyword) {
    if (keyword == "mutation") return OperationKind::mutation;
    return keyword == "subscription" ? OperationKind::subscription : OperationKind::query;
}

Operation read_operation(TokenReader& reader) {
    Operation operation;
    operation.offset = reader.token().offset;
    if (!reader.sees(TokenKind::left_brace)) {
        reader.skip(TokenKind::string);
        operation.kind = kind_of(reader.expect_name().text);
        if (reader.sees(TokenKind::name)) operation.name = reader.expect_name();
        if (reader.sees(TokenKind::left_parenthesis)) {
            reader.many(TokenKind::left_parenthesis, TokenKind::right_parenthesis,
                        [&] { operation.variables.push_back(read_variable_definition(reader)); });
        }
        operation.directives = read_directives(reader, false);
    }
    operation.set = read_selection_set(reader);
    return operation;
}

Fragment read_fragment(TokenReader& reader) {
    Fragment fragment;
    fragment.offset = reader.token().offset;
    reader.skip(TokenKind::string);
    reader.expect_keyword("fragment");
    fragment.name = read_fragment_name(reader);
    reader.expect_keyword("on");
    fragment.type_condition = reader.expect_name();
    fragment.directives = read_directives(reader, false);
    fragment.set = read_selection_set(reader);
    return fragment;
}

/// A description may stand before every definition except an operation without keyword and an extension.
void read_definition(TokenReader& reader, Document& document) {
    const bool described = reader.sees(TokenKind::string);
    const Token keyword = described ? reader.look_ahead() : reader.token();
    if (keyword.kind == TokenKind::left_brace) {
        if (described) reader.refuse(reader.token(), "no description before an operation without keyword");
        document.operations.push_back(read_operation(reader));
        return;
    }
    if (keyword.kind != TokenKind::name) reader.refuse(keyword, "a definition");
    const std::string_view word = keyword.text;
    const std::uint32_t offset = reader.token().offset;
    if (word == "query" || word == "mutation" || word == "subscription") {
        document.operations.push_back(read_operation(reader));
    } else if (word == "fragment") {
        document.fragments.push_back(read_fragment(reader));
    } else if (described && word == "extend") {
        reader.refuse(reader.token(), "no description before an extension");
    } else if (skip_type_system_definition(reader, word)) {
        document.type_system_definitions.push_back(offset);
    } else {
        reader.refuse(described ? reader.token() : keyword, "a definition");
    }
}

template <typename Node>
Node only(TokenReader reader, Node (*read)(TokenReader&)) {
    Node node = read(reader);
    reader.expect(TokenKind::end);
    return node;
}

}  // namespace

TokenReader::TokenReader(std::string_view text) : lexer_(text) {
    take();
}

Token TokenReader::take() {
    Token taken = std::move(token_);
    token_ = lexer_.next();
    if (token_.kind != TokenKind::end && ++tokens_ > max_tokens) {
        throw SyntaxError("The document has more than " + std::to_string(max_tokens) + " tokens.",
                          token_.offset);
    }
    return taken;
}

Token TokenReader::expect(TokenKind kind) {
    if (!sees(kind)) refuse(token_, name_of(kind));
    return take();
}

void TokenReader::expect_keyword(std::string_view word) {
    if (!skip_keyword(word)) refuse(token_, '"' + std::string(word) + '"');
}

Name TokenReader::expect_name() {
    const Token name = expect(TokenKind::name);
    return {name.text, name.offset};
}

bool TokenReader::skip(TokenKind kind) {
    if (!sees(kind)) return false;
    take();
    return true;
}

bool TokenReader::skip_keyword(std::string_view word) {
    if (!sees_keyword(word)) return false;
    take();
    return true;
}

void TokenReader::refuse(const Token& token, std::string_view expected) const {
    std::string message = "Syntax error: ";
    message += name_of(token.kind);
    message += " cannot stand here";
    if (!expected.empty()) message += "; expected " + std::string(expected);
    throw SyntaxError(message + '.', token.offset);
}

TokenReader::Level::Level(TokenReader& reader) : reader_(reader) {
    if (reader.nesting_ >= max_document_nesting) {
        throw SyntaxError(
            "The document is nested more than " + std::to_string(max_document_nesting) + " levels deep.",
            reader.token_.offset);
    }
    ++reader.nesting_;
}

std::vector<Directive> read_directives(TokenReader& reader, bool constant) {
    std::vector<Directive> directives;
    while (reader.sees(TokenKind::at)) {
        Directive directive;
        directive.offset = reader.take().offset;
        directive.name = reader.expect_name();
        directive.arguments = read_arguments(reader, constant);
        directives.push_back(std::move(directive));
    }
    return directives;
}

Document parse(std::string_view text) {
    if (text.size() > max_document_bytes) {
        throw SyntaxError("The document is longer than " + std::to_string(max_document_bytes) + " bytes.", 0);
    }
    TokenReader reader(text);
    Document document;
    do read_definition(reader, document);
    while (!reader.sees(TokenKind::end));
    return document;
}

ValueNode parse_constant(std::string_view text) {
    return only<ValueNode>(TokenReader(text), [](TokenReader& reader) { return read_value(reader, true); });
}

TypeNode parse_type(std::string_view text) {
    return only<TypeNode>(TokenReader(text), read_type);
}

}  // namespace data_import::graphql

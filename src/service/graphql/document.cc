#include "service/graphql/document.h"

#include <string>
#include <unordered_set>
#include <utility>

#include "base/util/text.h"
#include "service/graphql/error.h"
#include "service/graphql/execute.h"
#include "service/graphql/lexer.h"

namespace data_import::graphql {

namespace {

std::string description_of(const Token& token) {
    if (token.kind == TokenKind::end) return "the end of the document";
    if (token.kind == TokenKind::name) return "a name";
    if (token.kind == TokenKind::string) return "a string";
    return token.kind == TokenKind::punctuator ? '"' + std::string(token.text) + '"' : "a number";
}

/// Returns the kind of literal that a token is. The token must not be a punctuator.
LiteralKind kind_of(const Token& token) {
    if (token.kind == TokenKind::integer) return LiteralKind::integer;
    if (token.kind == TokenKind::floating) return LiteralKind::floating;
    if (token.kind == TokenKind::string) return LiteralKind::string;
    if (token.text == "null") return LiteralKind::null;
    return token.text == "true" || token.text == "false" ? LiteralKind::boolean : LiteralKind::enumeration;
}

[[noreturn]] void refuse_repetition(const std::string& what, const Name& name) {
    throw LocatedError("There is more than one " + what + " with the name " + in_quotes(name.text) + '.',
                       code::validation_failed, name.offset);
}

/// Refuses a name that several operations or fragments have. Operations without a name do not count.
template <typename Named>
void refuse_duplicates(const std::vector<Named>& list, const std::string& what) {
    if (list.size() < 2) return;
    std::unordered_set<std::string_view> seen;
    for (const Named& item : list) {
        if (!item.name.empty() && !seen.insert(item.name.text).second) refuse_repetition(what, item.name);
    }
}

/// Reads a document. Each function is named after the rule of the grammar that it reads, and begins at the
/// current token.
class Parser {
public:
    explicit Parser(std::string_view text) : lexer_(text) { take(); }

    [[nodiscard]] ExecutableDocument document() {
        ExecutableDocument document;
        do definition(document);
        while (token_.kind != TokenKind::end);
        refuse_duplicates(document.operations, "operation");
        return document;
    }

    [[nodiscard]] Literal value(bool constant) {
        if (sees("[")) return list(constant);
        if (sees("{")) return object(constant);
        if (sees("$")) return variable(constant);
        if (token_.kind == TokenKind::punctuator || token_.kind == TokenKind::end) refuse("a value");
        Literal scalar{.kind = kind_of(token_), .offset = token_.offset, .text = token_.text};
        scalar.string = take().string;
        return scalar;
    }

    [[nodiscard]] TypeReference type() {
        TypeReference type;
        if (sees("[")) {
            enter();
            type = this->type();
            type.wraps.insert(type.wraps.begin(), Wrap::list);
            leave("]");
        } else {
            type.name = name().text;
        }
        if (skip("!")) type.wraps.insert(type.wraps.begin(), Wrap::non_null);
        return type;
    }

    void end() const {
        if (token_.kind != TokenKind::end) refuse("the end");
    }

private:
    // --- tokens ---

    Token take() {
        Token taken = std::exchange(token_, lexer_.next());
        if (token_.kind != TokenKind::end && ++tokens_ > max_tokens)
            refuse_all("The document has more than " + std::to_string(max_tokens) + " tokens.");
        return taken;
    }

    /// Returns whether this punctuator or keyword comes next. A string token has its quotation marks, so it
    /// is neither.
    [[nodiscard]] bool sees(std::string_view text) const { return token_.text == text; }

    bool skip(std::string_view text) {
        if (!sees(text)) return false;
        take();
        return true;
    }

    void expect(std::string_view text) {
        if (!skip(text)) refuse('"' + std::string(text) + '"');
    }

    Name name() {
        if (token_.kind != TokenKind::name) refuse("a name");
        const Token name = take();
        return {name.text, name.offset};
    }

    [[noreturn]] void refuse_all(const std::string& sentence) const {
        throw LocatedError(sentence, code::parse_failed, token_.offset);
    }

    [[noreturn]] void refuse(const std::string& expected) const {
        refuse_all("Syntax error: " + description_of(token_) + " cannot stand here; expected " + expected +
                   '.');
    }

    std::uint32_t enter() {
        if (++nesting_ > max_document_nesting)
            refuse_all("The document is nested more than " + std::to_string(max_document_nesting) +
                       " levels deep.");
        return take().offset;
    }

    void leave(std::string_view text) {
        expect(text);
        --nesting_;
    }

    // --- values ---

    Literal list(bool constant) {
        Literal list{.kind = LiteralKind::list, .offset = enter()};
        while (!sees("]")) list.items.push_back(value(constant));
        leave("]");
        return list;
    }

    Literal object(bool constant) {
        Literal object{.kind = LiteralKind::object, .offset = enter()};
        while (!sees("}")) object.items.push_back(named_value(constant));
        leave("}");
        refuse_duplicates(object.items, "field");
        return object;
    }

    Literal named_value(bool constant) {
        const Name name = this->name();
        expect(":");
        Literal named = value(constant);
        named.name = name;
        return named;
    }

    Literal variable(bool constant) {
        if (constant) refuse("a constant");
        const std::uint32_t offset = take().offset;
        return {.kind = LiteralKind::variable, .offset = offset, .text = name().text};
    }

    // --- selections ---

    std::vector<Literal> arguments(bool constant) {
        std::vector<Literal> arguments;
        if (!skip("(")) return arguments;
        do arguments.push_back(named_value(constant));
        while (!skip(")"));
        refuse_duplicates(arguments, "argument");
        return arguments;
    }

    std::vector<DirectiveUse> directives(bool constant) {
        std::vector<DirectiveUse> directives;
        while (sees("@")) {
            const std::uint32_t offset = take().offset;
            const Name name{this->name().text, offset};
            directives.push_back({name, arguments(constant)});
        }
        refuse_duplicates(directives, "directive");
        return directives;
    }

    SelectionSet selection_set() {
        if (!sees("{")) refuse("\"{\"");
        enter();
        SelectionSet set;
        do set.push_back(sees("...") ? fragment_use() : field());
        while (!sees("}"));
        leave("}");
        return set;
    }

    Selection field() {
        Selection field{.offset = token_.offset, .name = name()};
        if (skip(":")) field.alias = std::exchange(field.name, name());
        field.arguments = arguments(false);
        field.directives = directives(false);
        if (sees("{")) field.set = selection_set();
        return field;
    }

    Selection fragment_use() {
        Selection use{.kind = SelectionKind::inline_fragment, .offset = take().offset};
        if (skip("on")) {
            use.type_condition = name();
        } else if (token_.kind == TokenKind::name) {
            use.kind = SelectionKind::fragment_spread;
            use.name = name();
        }
        use.directives = directives(false);
        if (use.kind == SelectionKind::inline_fragment) use.set = selection_set();
        return use;
    }

    // --- definitions ---

    void definition(ExecutableDocument& document) {
        const bool is_described = token_.kind == TokenKind::string;
        if (is_described) take();
        if (sees("query") || sees("mutation") || sees("subscription") || (sees("{") && !is_described)) {
            document.operations.push_back(operation());
        } else if (skip("fragment")) {
            Fragment read = fragment();
            const Name name = read.name;
            if (!document.fragments.emplace(name.text, std::move(read)).second)
                refuse_repetition("fragment", name);
        } else {
            refuse("an operation or a fragment");
        }
    }

    Operation operation() {
        Operation operation{.offset = token_.offset};
        if (!sees("{")) {
            const std::string_view keyword = take().text;
            if (keyword == "mutation") operation.kind = OperationKind::mutation;
            if (keyword == "subscription") operation.kind = OperationKind::subscription;
            if (token_.kind == TokenKind::name) operation.name = name();
            if (skip("(")) {
                do operation.variables.push_back(variable_definition());
                while (!skip(")"));
                refuse_duplicates(operation.variables, "variable");
            }
            operation.directives = directives(false);
        }
        operation.set = selection_set();
        return operation;
    }

    VariableDefinition variable_definition() {
        if (token_.kind == TokenKind::string) take();
        const std::uint32_t offset = token_.offset;
        expect("$");
        VariableDefinition variable{.name = {name().text, offset}};
        expect(":");
        variable.type = type();
        if (skip("=")) variable.default_value = value(true);
        variable.directives = directives(true);
        return variable;
    }

    Fragment fragment() {
        if (sees("on")) refuse("the name of a fragment, which \"on\" is not");
        Fragment fragment{.name = name()};
        expect("on");
        fragment.type_condition = name();
        fragment.directives = directives(false);
        fragment.set = selection_set();
        return fragment;
    }

    Lexer lexer_;
    Token token_;
    std::size_t tokens_ = 0;
    std::size_t nesting_ = 0;
};

}  // namespace

std::string in_quotes(std::string_view name) {
    const std::string_view begin = util::first_code_points(name, 64);
    return '"' + std::string(begin) + (begin.size() < name.size() ? "...\"" : "\"");
}

ExecutableDocument parse(std::string_view text) {
    if (text.size() > max_document_bytes)
        throw LocatedError("The document is longer than " + std::to_string(max_document_bytes) + " bytes.",
                           code::parse_failed, 0);
    const std::size_t correct = util::utf8_prefix(text);
    if (correct < text.size())
        throw LocatedError("The document is not UTF-8.", code::parse_failed,
                           static_cast<std::uint32_t>(correct));
    return Parser(text).document();
}

Literal parse_constant(std::string_view text) {
    Parser parser(text);
    Literal constant = parser.value(true);
    parser.end();
    return constant;
}

TypeReference parse_type(std::string_view text) {
    Parser parser(text);
    TypeReference type = parser.type();
    parser.end();
    return type;
}

}  // namespace data_import::graphql

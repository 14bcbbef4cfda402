// The syntax tree of a document, and its parser (specification of October 2021, section 2 and the grammar of
// its appendix B). Names and types are not looked up yet. Private to the folder.
//
// All views point into the text that was parsed. Offsets count bytes of the text.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/graphql/types.h"

namespace data_import::graphql {

/// A name and its position. Empty if an optional name is left out.
struct Name {
    std::string_view text = {};
    std::uint32_t offset = 0;

    [[nodiscard]] bool empty() const { return text.empty(); }
};

enum class LiteralKind : std::uint8_t {
    null,
    boolean,
    integer,
    floating,
    string,
    enumeration,
    variable,
    list,
    object,
    json_number,  ///< number in the JSON of `variables`; 1.0 and 1e2 are whole, too
    json_string   ///< string in the JSON of `variables`; may be an enum value
};

/// A value as it is written in a document.
struct Literal {
    LiteralKind kind = LiteralKind::null;
    std::uint32_t offset = 0;
    std::string_view text = {};  ///< the value as written; of a variable, its name without the dollar sign
    std::string string = {};     ///< value of a string, with escapes decoded
    std::vector<Literal> items = {};  ///< items of a list, or fields of an object
    Name name = {};                   ///< name of an argument, or of a field of an object
};

/// One use of a directive, such as `@skip(if: true)`.
struct DirectiveUse {
    Name name = {};  ///< name without the at sign; `offset` is that of the sign
    std::vector<Literal> arguments = {};
};

struct Selection;

/// The selections between two braces. Empty for a field without braces; braces are never empty.
using SelectionSet = std::vector<Selection>;

enum class SelectionKind : std::uint8_t { field, fragment_spread, inline_fragment };

struct Selection {
    SelectionKind kind = SelectionKind::field;
    std::uint32_t offset = 0;
    Name name = {};            ///< name of the field, or of the fragment that is spread
    Name alias = {};           ///< alias of a field
    Name type_condition = {};  ///< type of an inline fragment's condition
    std::vector<Literal> arguments = {};
    std::vector<DirectiveUse> directives = {};
    SelectionSet set = {};

    [[nodiscard]] std::string_view response_key() const { return alias.empty() ? name.text : alias.text; }
};

struct VariableDefinition {
    Name name = {};  ///< name without the dollar sign; `offset` is that of the sign
    TypeReference type = {};
    std::optional<Literal> default_value = {};
    std::vector<DirectiveUse> directives = {};
};

struct Operation {
    std::uint32_t offset = 0;
    OperationKind kind = OperationKind::query;
    Name name = {};
    std::vector<VariableDefinition> variables = {};
    std::vector<DirectiveUse> directives = {};
    SelectionSet set = {};
};

struct Fragment {
    Name name = {};
    Name type_condition = {};
    std::vector<DirectiveUse> directives = {};
    SelectionSet set = {};
};

struct ExecutableDocument {
    std::vector<Operation> operations = {};
    std::map<std::string_view, Fragment> fragments = {};  ///< each fragment under its name

    /// Returns the fragment with this name; nullptr if there is none.
    [[nodiscard]] const Fragment* find_fragment(std::string_view name) const {
        const auto found = fragments.find(name);
        return found == fragments.end() ? nullptr : &found->second;
    }
};

/// Reads an executable document. Throws LocatedError at the first token that the grammar does not allow.
/// Throws it, too, for a text that is not UTF-8 or exceeds a limit of graphql/execute.h, and for a name that
/// has to be unique and comes twice. A description before a definition is allowed, as in later editions of
/// the language. Definitions of types are refused, because they cannot be executed.
[[nodiscard]] ExecutableDocument parse(std::string_view text);

/// Returns a name from the request in quotation marks, for a sentence of an error. A long name is cut.
[[nodiscard]] std::string in_quotes(std::string_view name);

/// Reads one value without variables, such as `{a: [1]}`. Throws LocatedError.
[[nodiscard]] Literal parse_constant(std::string_view text);

/// Reads a type, such as `[Int!]!`. Throws LocatedError.
[[nodiscard]] TypeReference parse_type(std::string_view text);

}  // namespace data_import::graphql

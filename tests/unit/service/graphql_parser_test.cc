// Reading documents: tokens, string literals, grammar, places of errors. tests/graphql/ compares the grammar
// as a whole with the reference implementation.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../../table.h"
#include "service/graphql/document.h"
#include "service/graphql/error.h"
#include "service/graphql/execute.h"
#include "service/graphql/lexer.h"
#include "service/graphql/response.h"

namespace data_import::tests {

namespace {

using namespace graphql;
using namespace std::string_literals;

std::string tokens_of(std::string_view text) {
    std::string list;
    Lexer lexer(text);
    for (Token token = lexer.next(); token.kind != TokenKind::end; token = lexer.next())
        list += (list.empty() ? "" : " ") + std::string(token.text);
    return list;
}

struct TokenRow {
    std::string text;
    std::string tokens;  ///< tokens with one blank between them
};

const std::vector<TokenRow> token_rows = {
    {"", ""},
    {" \t\r\n,,\xEF\xBB\xBF", ""},
    {"{a}", "{ a }"},
    {"a1_B __c", "a1_B __c"},
    {"0 -0 12 -3.5 1e5 1E+5 1.25e-3", "0 -0 12 -3.5 1e5 1E+5 1.25e-3"},
    {"a#b \"c\" {\nd#", "a d"},
    {"!$&():=@[]{|}...", "! $ & ( ) : = @ [ ] { | } ..."},
    {R"("a\"b" "" """c"d""")", R"("a\"b" "" """c"d""")"},
};

struct StringRow {
    std::string literal;
    std::string value;
};

const std::vector<StringRow> string_rows = {
    {R"("")", ""},
    {R"("plain ä€😀")", "plain ä€😀"},
    {R"("\"\\\/\b\f\n\r\t")", "\"\\/\b\f\n\r\t"},
    {R"("\u0041\u00e9\u20AC")", "Aé€"},
    {R"("\ud83d\ude00")", "😀"},
    {R"("\u{41}\u{1F600}\u{00000041}")", "A😀A"},
    {R"("\u0000")", "\0"s},
    {R"("""""")", ""},
    {R"("""a "b" \""" \n c""")", R"(a "b" """ \n c)"},
    {"\"\"\"\n    first\n      second\n\n    third\n  \"\"\"", "first\n  second\n\nthird"},
    {"\"\"\"  first\n    second\n   third\"\"\"", "  first\n second\nthird"},
    {"\"\"\"\r\n  a\r  b\n\tc\"\"\"", " a\n b\nc"},
    {"\"\"\"\n\n   \n\"\"\"", ""},
};

/// The place where the parser stops; nothing if it does not.
std::optional<Location> error_of(std::string_view text) {
    try {
        static_cast<void>(parse(text));
        return std::nullopt;
    } catch (const LocatedError& failure) {
        return locate(text, failure.offset().value());
    }
}

struct ErrorRow {
    std::string text;
    std::optional<Location> place;
};

std::string repeated(const std::string& text, std::size_t times) {
    std::string all;
    for (std::size_t count = 0; count < times; ++count) all += text;
    return all;
}

std::string nested(std::size_t levels) {
    return repeated("{a", levels) + repeated("}", levels);
}

std::vector<ErrorRow> error_rows() {
    return {
        {"{a}", std::nullopt},
        {"query A($b: [Int!]! = [1] @c) @d { e: f(g: {h: $b}) @i ... on J { k } ...L }", std::nullopt},
        {"", Location{1, 1}},
        {"{a", Location{1, 3}},
        {"{\r\n\r  \n ?", Location{4, 2}},
        {"{ \"😀ä\" }", Location{1, 3}},
        {"# 😀\n{ a(b: \"😀ä\" ?", Location{2, 14}},
        {"{a(b: 00)}", Location{1, 8}},
        {"{a(b: 1.)}", Location{1, 9}},
        {"{a(b: \"c\n", Location{1, 9}},
        {"{a(b: \"\\ud83d\")}", Location{1, 8}},
        {"{a(b: \"\\u{110000}\")}", Location{1, 8}},
        {"query($a: Int = $b){c}", Location{1, 17}},
        {"\"what\" query A(\"it\" $b: Int) {c} \"is\" fragment F on Q {c}", std::nullopt},
        {"\"what\" {c}", Location{1, 8}},
        {"{c} \"what\" type A { b: Int }", Location{1, 12}},
        {"{c} extend schema {", Location{1, 5}},
        {nested(max_document_nesting), std::nullopt},
        {nested(max_document_nesting + 1), Location{1, 2 * max_document_nesting + 1}},
        {"{a(b: " + repeated("[", max_document_nesting) + "1", Location{1, 6 + max_document_nesting}},
        {"query($a: " + repeated("[", max_document_nesting + 1), Location{1, 11 + max_document_nesting}},
        {"{" + repeated("a ", max_tokens - 2) + "}", std::nullopt},
        {"{" + repeated("a ", max_tokens - 1) + "}", Location{1, 2 * max_tokens}},
        {"{a}" + std::string(max_document_bytes - 3, ' '), std::nullopt},
        {"{a}" + std::string(max_document_bytes - 2, ' '), Location{1, 1}},
    };
}

}  // namespace

class GraphqlParserTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(GraphqlParserTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(document_keeps_the_written_form);
    CPPUNIT_TEST(types_are_unwrapped_from_the_outside);
    CPPUNIT_TEST(places_grow_over_long_texts);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const TokenRow& row : token_rows) {
            add_row(context, "tokens " + row.text,
                    [row] { CPPUNIT_ASSERT_EQUAL(row.tokens, tokens_of(row.text)); });
        }
        for (const StringRow& row : string_rows) {
            add_row(context, "string " + row.literal,
                    [row] { CPPUNIT_ASSERT_EQUAL(row.value, parse_constant(row.literal).string); });
        }
        for (const ErrorRow& row : error_rows())
            add_row(context, "error " + row.text, [row] { CPPUNIT_ASSERT(row.place == error_of(row.text)); });
    }

    void document_keeps_the_written_form() {
        const ExecutableDocument document =
            parse("mutation M($k: String!) { t: obtain(in: {key: $k}) @skip(if: false) { x } }");
        const Operation& operation = document.operations.at(0);
        CPPUNIT_ASSERT(operation.kind == OperationKind::mutation);
        CPPUNIT_ASSERT_EQUAL("M"s, std::string(operation.name.text));
        CPPUNIT_ASSERT_EQUAL("k"s, std::string(operation.variables.at(0).name.text));
        const Selection& field = operation.set.at(0);
        CPPUNIT_ASSERT_EQUAL("t"s, std::string(field.response_key()));
        CPPUNIT_ASSERT_EQUAL("obtain"s, std::string(field.name.text));
        CPPUNIT_ASSERT(field.arguments.at(0).items.at(0).kind == LiteralKind::variable);
        CPPUNIT_ASSERT(field.directives.at(0).arguments.at(0).kind == LiteralKind::boolean);
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, field.set.size());
    }

    void types_are_unwrapped_from_the_outside() {
        const TypeReference type = parse_type("[Int!]!");
        CPPUNIT_ASSERT(type.wraps == (std::vector<Wrap>{Wrap::non_null, Wrap::list, Wrap::non_null}));
        CPPUNIT_ASSERT_EQUAL("Int"s, type.name);
    }

    void places_grow_over_long_texts() {
        const std::string text = repeated("ab\r\ncd\r\xC3\xA4\n\xF0\x9F\x98\x80 ", 200);
        Location last;
        for (std::size_t offset = 0; offset <= text.size(); ++offset) {
            const Location place = locate(text, offset);
            CPPUNIT_ASSERT(place.line >= last.line && place.line <= 601);
            last = place;
        }
        CPPUNIT_ASSERT_EQUAL(601U, last.line);
        CPPUNIT_ASSERT_EQUAL(4U, last.column);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(GraphqlParserTest);

}  // namespace data_import::tests

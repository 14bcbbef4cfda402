// Rules of validation: one row for each way to break one, with the places that are reported. Many more
// documents are compared with the reference implementation by tests/graphql/.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>
#include <vector>

#include "../graphql/schemas.h"
#include "../table.h"
#include "graphql/execute.h"
#include "graphql/parser.h"
#include "graphql/validation.h"

namespace data_import::tests {

namespace {

using namespace graphql;

std::vector<Error> violations_of(const std::string& text) {
    return validate(sample_schema().types(), parse(text), text);
}

/// Columns of the places, those of one violation joined: `3 10+25`.
std::string columns_of(const std::vector<Error>& errors) {
    std::string text;
    for (const Error& error : errors) {
        if (!text.empty()) text += ' ';
        for (const Location& place : error.locations)
            text += (&place == error.locations.data() ? "" : "+") + std::to_string(place.column);
    }
    return text;
}

struct Row {
    std::string document;
    std::string columns;
};

const std::vector<Row> rows = {
    {"{ dog { name } }", ""},
    {"{ dog { name ... on Dog { barks } ...F } } fragment F on Dog { id }", ""},
    {"type A { b: Int } { number }", "1"},
    {"query A { number } query A { number }", "7+26"},
    {"{ number } query A { number }", "1"},
    {"query ($a: Nothing) { number @skip(if: $a) }", "12"},
    {"query ($a: Dog) { echo(anything: $a) }", "8+34 12"},
    {"{ dog { ... on Filter { name } } }", "16"},
    {"{ number { a } }", "10"},
    {"{ dog }", "3"},
    {"{ nothing dog { nothing } }", "3 17"},
    {"{ ...F } fragment F on Query { number } fragment F on Query { number }", "19+50"},
    {"{ ...F }", "6"},
    {"{ number } fragment F on Query { number }", "12"},
    {"{ dog { ... on Cat { name } } }", "9"},
    {"{ ...F } fragment F on Query { ...G } fragment G on Query { ...F }", "32+61"},
    {"query ($a: Int, $a: Int) { echo(int: $a) }", "9+18"},
    {"{ echo(int: $a) }", "13+1"},
    {"query ($a: Int) { number }", "8"},
    {"{ number @a }", "10"},
    {"query @skip(if: true) { number }", "7"},
    {"{ number @skip(if: true) @skip(if: true) }", "10+26"},
    {"{ echo(nothing: 1) number @skip(if: true, nothing: 1) }", "8 43"},
    {"{ echo(int: 1, int: 2) }", "8+16"},
    {"{ echo(int: \"1\", color: \"RED\", filter: {limit: null}) }", "13 25 40 48"},
    {"{ needs number @skip }", "3 16"},
    {"query ($a: String) { echo(int: $a) }", "8+32"},
    {"{ echo(int: 1) echo(int: 2) }", "3+16"},
    {"{ dog { x: name } dog { x: barks } }", "3+9+19+25"},
    {"{ echo(filter: {required: true, required: true}) }", "17+33"},
    {"{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }", "3"},
};

std::string fragment_chain(std::size_t length) {
    std::string text = "{ dog { ...F0 } }";
    for (std::size_t index = 0; index < length; ++index) {
        const std::string next = index + 1 < length ? "...F" + std::to_string(index + 1) : "name";
        text += " fragment F" + std::to_string(index) + " on Dog { " + next + " }";
    }
    return text;
}

/// Every fragment takes in the next one twice: taken in naively, it has 2^length fields.
std::string doubling(std::size_t length) {
    std::string text = "{ dog { ...F0 } }";
    for (std::size_t index = 0; index < length; ++index) {
        const std::string next = index + 1 < length ? "...F" + std::to_string(index + 1) : "name";
        text += " fragment F" + std::to_string(index) + " on Dog { owner { a: dog { " + next +
                " } b: dog { " + next + " } } }";
    }
    return text;
}

std::string same_key(std::size_t times) {
    std::string text = "{";
    for (std::size_t count = 0; count < times; ++count) text += " number";
    return text + " }";
}

}  // namespace

class GraphqlValidationTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(GraphqlValidationTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(fragments_are_nested_up_to_the_limit);
    CPPUNIT_TEST(doubling_fragments_are_checked_once);
    CPPUNIT_TEST(fields_of_one_key_are_limited);
    CPPUNIT_TEST(errors_are_limited);
    CPPUNIT_TEST(long_names_are_cut);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : rows) {
            add_row(context, row.document,
                    [row] { CPPUNIT_ASSERT_EQUAL(row.columns, columns_of(violations_of(row.document))); });
        }
    }

    void fragments_are_nested_up_to_the_limit() {
        CPPUNIT_ASSERT(violations_of(fragment_chain(max_document_nesting - 2)).empty());
        const auto errors = violations_of(fragment_chain(max_document_nesting - 1));
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, errors.size());
        CPPUNIT_ASSERT(errors[0].message.find("64 levels") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, violations_of(fragment_chain(500)).size());
    }

    void doubling_fragments_are_checked_once() { CPPUNIT_ASSERT(violations_of(doubling(20)).empty()); }

    void fields_of_one_key_are_limited() {
        CPPUNIT_ASSERT(violations_of(same_key(500)).empty());
        const auto errors = violations_of(same_key(5000));
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, errors.size());
        CPPUNIT_ASSERT(errors[0].message.find("too often") != std::string::npos);
    }

    void errors_are_limited() {
        std::string text = "{";
        for (std::size_t count = 0; count < 1000; ++count) text += " x" + std::to_string(count);
        const auto errors = violations_of(text + " }");
        CPPUNIT_ASSERT_EQUAL(max_errors + 1, errors.size());
        CPPUNIT_ASSERT(errors.back().locations.empty());
    }

    void long_names_are_cut() {
        const auto errors = violations_of("{ " + std::string(5000, 'x') + " }");
        CPPUNIT_ASSERT(errors.at(0).message.size() < 200);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(GraphqlValidationTest);

}  // namespace data_import::tests

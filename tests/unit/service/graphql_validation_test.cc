// Rules of validation: one row for each way to break a rule, with the place that is reported. tests/graphql/
// compares many more documents with the reference implementation.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../../graphql/schemas.h"
#include "../../table.h"
#include "service/graphql/document.h"
#include "service/graphql/error.h"
#include "service/graphql/execute.h"
#include "service/graphql/response.h"
#include "service/graphql/validation.h"

namespace data_import::tests {

namespace {

using namespace graphql;

/// The reason for the refusal of a document; nothing if it can be executed.
std::optional<LocatedError> refusal_of(const std::string& text) {
    try {
        validate(sample_schema(), parse(text));
        return std::nullopt;
    } catch (const LocatedError& failure) {
        return failure;
    }
}

/// The column of the refused part; 0 if nothing is refused.
std::uint32_t refused_column(const std::string& text) {
    const auto refusal = refusal_of(text);
    return refusal ? locate(text, refusal->offset().value()).column : 0;
}

struct Row {
    std::string document;
    std::uint32_t column;  ///< column of the first violation; 0: a valid document
};

const std::vector<Row> rows = {
    {"{ dog { name } }", 0},
    {"{ dog { name ... on Dog { barks } ...F } } fragment F on Dog { id }", 0},
    {"type A { b: Int } { number }", 1},
    {"query A { number } query A { number }", 26},
    {"{ number } query A { number }", 1},
    {"query ($a: Nothing) { number @skip(if: $a) }", 8},
    {"query ($a: Dog) { echo(int: $a) }", 8},
    {"{ dog { ... on Filter { name } } }", 9},
    {"{ number { a } }", 3},
    {"{ dog }", 3},
    {"{ nothing dog { nothing } }", 3},
    {"{ ...F } fragment F on Query { number } fragment F on Query { number }", 50},
    {"{ ...F }", 3},
    {"{ number } fragment F on Query { number }", 21},
    {"{ dog { ... on Cat { name } } }", 9},
    {"{ ...F } fragment F on Query { ...G } fragment G on Query { ...F }", 61},
    {"query ($a: Int, $a: Int) { echo(int: $a) }", 17},
    {"{ echo(int: $a) }", 13},
    {"query ($a: Int) { number }", 8},
    {"{ number @a }", 10},
    {"query @skip(if: true) { number }", 7},
    {"{ number @skip(if: true) @skip(if: true) }", 26},
    {"{ echo(nothing: 1) number @skip(if: true, nothing: 1) }", 8},
    {"{ echo(int: 1, int: 2) }", 16},
    {"{ echo(int: \"1\", color: \"RED\", filter: {limit: null}) }", 13},
    {"{ needs number @skip }", 3},
    {"query ($a: String) { echo(int: $a) }", 32},
    {"{ echo(int: 1) echo(int: 2) }", 16},
    {"{ dog { x: name } dog { x: barks } }", 25},
    {"{ echo(filter: {required: true, required: true}) }", 33},
    {"{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }", 22},
};

std::string fragment_chain(std::size_t length) {
    std::string text = "{ dog { ...F0 } }";
    for (std::size_t index = 0; index < length; ++index) {
        const std::string next = index + 1 < length ? "...F" + std::to_string(index + 1) : "name";
        text += " fragment F" + std::to_string(index) + " on Dog { " + next + " }";
    }
    return text;
}

/// Every fragment spreads the next one twice. If each spread were merged anew, the document would have
/// 2^length fields.
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

/// A document that spreads a fragment of 1000 fields in `places` places.
std::string one_fragment_in(std::size_t places) {
    std::string text = "{";
    for (std::size_t place = 0; place < places; ++place)
        text += " a" + std::to_string(place) + ": dog { ...F }";
    text += " } fragment F on Dog {";
    for (std::size_t field = 0; field < 1000; ++field) text += " name";
    return text + " }";
}

/// Returns a document with `levels` levels of 16 fragments. Each fragment spreads one fragment of the next
/// level in its field `a`, and each but the first of a level spreads the same one in its field `b`, too.
/// Different sets of fragments meet in `a` and in `b`, so each level doubles the number of sets to merge.
std::string subsets(std::size_t levels) {
    const auto name = [](std::size_t level, std::size_t which) {
        return 'F' + std::to_string(level) + '_' + std::to_string(which % 16);
    };
    std::string text = "{ dog {";
    for (std::size_t which = 0; which < 16; ++which) text += " ..." + name(0, which);
    text += " } }";
    for (std::size_t level = 0; level < levels; ++level) {
        for (std::size_t which = 0; which < 16; ++which) {
            const std::string next = level + 1 < levels ? "..." + name(level + 1, which + 1) : "id";
            text += " fragment " + name(level, which) + " on Dog { a: owner { dog { " + next + " } }";
            if (which > 0) text += " b: owner { dog { " + next + " } }";
            text += " }";
        }
    }
    return text;
}

}  // namespace

class GraphqlValidationTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(GraphqlValidationTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(fragments_are_nested_up_to_the_limit);
    CPPUNIT_TEST(doubling_fragments_are_checked_once);
    CPPUNIT_TEST(fields_of_one_key_are_no_work);
    CPPUNIT_TEST(merged_selections_are_limited);
    CPPUNIT_TEST(many_sets_of_fragments_meet_the_limit);
    CPPUNIT_TEST(long_names_are_cut);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : rows) {
            add_row(context, row.document,
                    [row] { CPPUNIT_ASSERT_EQUAL(row.column, refused_column(row.document)); });
        }
    }

    void fragments_are_nested_up_to_the_limit() {
        CPPUNIT_ASSERT(!refusal_of(fragment_chain(max_document_nesting - 2)));
        for (const std::size_t length : {max_document_nesting - 1, std::size_t{500}}) {
            const auto refusal = refusal_of(fragment_chain(length));
            CPPUNIT_ASSERT(refusal);
            CPPUNIT_ASSERT(std::string(refusal->what()).find("64 levels") != std::string::npos);
        }
    }

    void doubling_fragments_are_checked_once() { CPPUNIT_ASSERT(!refusal_of(doubling(20))); }

    void fields_of_one_key_are_no_work() { CPPUNIT_ASSERT(!refusal_of(same_key(9000))); }

    void merged_selections_are_limited() {
        CPPUNIT_ASSERT(!refusal_of(one_fragment_in(50)));
        const auto refusal = refusal_of(one_fragment_in(500));
        CPPUNIT_ASSERT(refusal);
        CPPUNIT_ASSERT(std::string(refusal->what()).find("too much") != std::string::npos);
    }

    void many_sets_of_fragments_meet_the_limit() {
        CPPUNIT_ASSERT(!refusal_of(subsets(3)));
        CPPUNIT_ASSERT(refusal_of(subsets(15)));
    }

    void long_names_are_cut() {
        const auto refusal = refusal_of("{ " + std::string(5000, 'x') + " }");
        CPPUNIT_ASSERT(refusal && std::string(refusal->what()).size() < 200);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(GraphqlValidationTest);

}  // namespace data_import::tests

// Numbers that may be meant by a mistyped number.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../../table.h"
#include "base/util/similar_numbers.h"

namespace data_import {

namespace {

struct Pair {
    std::string typed;
    std::string other;
    bool is_similar = true;
};

const std::vector<Pair> pairs = {
    {"S-00042", "S-000042"},
    {"S-0000042", "S-000042"},
    {"S-42", "S-000042"},
    {"42", "00042"},
    {"0", "00"},
    {"12-3-4", "0012-3-4"},
    {"12-3-4", "12-3-0004"},
    {" N002940", "N002940"},
    {"N002940 ", "N002940"},
    {"N002940", "N002940 "},
    {"s-000042", "S-000042"},
    {"S-000042", "s-000042"},
    {"s-42", "S-000042"},
    {"S000042", "S-000042"},
    {"S-000042", "S000042"},
    {"S 000042", "S000042"},
    {"4711", "47/11"},
    {"Zähler7", "Zähler007"},
    {"4711\u00A0", "4711"},
    {"\uFEFF4711", "4711"},
    {"47\u200B11", "4711"},
    {"47\u00A0"
     "11",
     "47 11"},
    {"47\u00A0"
     "11\u00A0"
     "12",
     "47 11 12"},
    {"47\u202F11", "4711"},
    {"DE\u201112\u20113", "DE-12-3"},
    {"DE\u201312\u20133", "DE-12-3"},
    {"DE\u221212", "DE-12"},
    {"DE-12-3", "DE\u201112\u20113"},
    {"DE-12-3", "DE\u201312\u20133"},
    {"DE-12-3", "DE123"},
    {"DE-12-3", "DE/12/3"},
    {"DE\u201312\u20133\u200B", "DE/12/3"},
    {"\"4711\"", "4711"},
    {"'4711", "4711"},
    {"\u201E4711\u201C", "4711"},
    {"4711", "'4711"},
    {"4711.0", "4711"},
    {"4711,00", "4711"},
    {"1000002.0", "0001000002"},
    {"4711", "4711.0"},
    {"\u200B4711.0 ", "004711"},
    {"\u200B", "4711", false},
    {"47", "4700", false},
    {"S-000042", "S-000042", false},
    {"42", "S-000042", false},
    {"S-000042", "S-000043", false},
    {"S-000042", "S-42-", false},
    {"", "0", false},
    {std::string(41, '1'), "0" + std::string(41, '1'), false},
};

}  // namespace

class SimilarNumbersTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(SimilarNumbersTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_pairs);
    CPPUNIT_TEST(they_are_some_hundred);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_pairs(TestSuiteBuilderContextType& context) {
        for (const Pair& row : pairs) {
            tests::add_row(context, "\"" + row.typed + "\" and \"" + row.other + "\"", [row] {
                const auto similar = util::similar_numbers(row.typed);
                CPPUNIT_ASSERT_EQUAL(row.is_similar, std::ranges::binary_search(similar, row.other));
            });
        }
    }

    void they_are_some_hundred() {
        const auto similar = util::similar_numbers("aB" + std::string(38, '7'));
        CPPUNIT_ASSERT(similar.size() > 100 && similar.size() < 1000);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(SimilarNumbersTest);

}  // namespace data_import

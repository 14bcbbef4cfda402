// util/decimal_sum: exact sums.
#include "base/util/decimal_sum.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "../../table.h"

namespace data_import {

namespace {

struct Row {
    std::vector<std::string> added;
    std::string sum;
};

const std::string largest = "170141183460469231731687303715884105727";    // 2^127 - 1
const std::string smallest = "-170141183460469231731687303715884105728";  // -2^127

const std::vector<Row> sums = {
    {{}, "0"},
    {{"0"}, "0"},
    {{"-0.00"}, "0"},
    {{"1"}, "1"},
    {{"12.50"}, "12.5"},
    {{"-12.50"}, "-12.5"},
    {{"0.5", "0.25"}, "0.75"},
    {{"0.25", "0.5"}, "0.75"},
    {{"0.1", "0.2"}, "0.3"},
    {{"0.75", "0.25"}, "1"},
    {{"99.5", "0.5"}, "100"},
    {{"1", "-1"}, "0"},
    {{"0.001", "-1"}, "-0.999"},
    {{"-0.001", "1"}, "0.999"},
    {{"-0.5", "-0.5"}, "-1"},
    {{"-0.000000001"}, "-0.000000001"},
    {{"5e-05", "-1.5E-5"}, "0.000035"},
    {{"1e3", "1E+2", "-1.5e0"}, "1098.5"},
    {{"0e99999", "0e-900", "7"}, "7"},
    {{"007.50"}, "7.5"},
    {{"999999999.999999999", "999999999.999999999"}, "1999999999.999999998"},
    {{"99999999999999999999999999999.999999999"}, "99999999999999999999999999999.999999999"},
    {{largest}, largest},
    {{smallest}, smallest},
    {{largest, smallest}, "-1"},
    {{largest, "1." + std::string(900, '0')}, "too large"},
    {{smallest, "-1"}, "too large"},
    {{"170141183460469231731687303715884105728"}, "too large"},
    {{"-170141183460469231731687303715884105729"}, "too large"},
    {{largest, "0.1"}, "too large"},
    {{"0.1", largest}, "too large"},
    {{"1e-39"}, "0." + std::string(38, '0') + "1"},
    {{"1e-39", "1"}, "too large"},
    {{""}, "no decimal"},
    {{"1", "+1"}, "no decimal"},
    {{"1."}, "no decimal"},
    {{"1e1000"}, "no decimal"}};

std::string name_of(const Row& row) {
    std::string name;
    for (const std::string& decimal : row.added) name += decimal + " + ";
    return name + "... = " + row.sum;
}

std::string sum_of(const Row& row) {
    util::DecimalSum sum;
    try {
        for (const std::string& decimal : row.added) sum.add(decimal);
        return sum.to_text();
    } catch (const std::overflow_error&) {
        return "too large";
    } catch (const std::invalid_argument&) {
        return "no decimal";
    }
}

}  // namespace

class DecimalSumTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(DecimalSumTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(a_decimal_that_does_not_fit_leaves_the_sum_alone);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : sums)
            tests::add_row(context, name_of(row), [row] { CPPUNIT_ASSERT_EQUAL(row.sum, sum_of(row)); });
    }

    void a_decimal_that_does_not_fit_leaves_the_sum_alone() {
        util::DecimalSum sum;
        sum.add(largest);
        CPPUNIT_ASSERT_THROW(sum.add("0.01"), std::overflow_error);
        CPPUNIT_ASSERT_EQUAL(largest, sum.to_text());
        sum.add("-7");
        CPPUNIT_ASSERT_EQUAL(std::string("170141183460469231731687303715884105720"), sum.to_text());
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(DecimalSumTest);

}  // namespace data_import

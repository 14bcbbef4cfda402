// database/array_binary: arrays for PostgreSQL. The tests read them with the functions that read PostgreSQL's
// answers, and compare their bytes with the form that array_recv and numeric_recv of PostgreSQL read.
#include "data/database/array_binary.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "../array_elements.h"
#include "data/database/binary_values.h"

namespace data_import {

namespace {

using enum database::ElementType;

struct Row {
    database::ElementType type;
    std::string element;
    std::string read;  ///< empty: refused
};

const std::string digits_1000(1000, '7');
const std::string uuid_text = "0123456789abcdef0123456789ABCDEF";

const std::vector<Row> elements = {
    {boolean, "t", "t"},
    {boolean, "f", "f"},
    {boolean, "true", ""},
    {integer, "0", "0"},
    {integer, "-2147483648", "-2147483648"},
    {integer, "12x", ""},
    {integer, "", ""},
    {bigint, "9223372036854775807", "9223372036854775807"},
    {bigint, "9223372036854775808", ""},
    {text, "", ""},
    {text, "{\"a\\b\",NULL} Zähler", "{\"a\\b\",NULL} Zähler"},
    {date, "2000-01-01", "2000-01-01"},
    {date, "1900-01-01", "1900-01-01"},
    {date, "2999-12-31", "2999-12-31"},
    {date, "2024-02-30", ""},
    {timestamptz, "2000-01-01T00:00:00Z", "2000-01-01T00:00:00Z"},
    {timestamptz, "1999-12-31T23:59:59.999999Z", "1999-12-31T23:59:59.999999Z"},
    {timestamptz, "2024-01-31T23:00:00.25+01:00", "2024-01-31T22:00:00.25Z"},
    {timestamptz, "2024-01-31T22:00:00.123456" + std::string(1000, '0') + "Z", "2024-01-31T22:00:00.123456Z"},
    {timestamptz, "now", ""},
    {numeric, "0", "0"},
    {numeric, "-0.00", "-0"},  // PostgreSQL drops the sign of zero
    {numeric, "1", "1"},
    {numeric, "12345", "12345"},
    {numeric, "10000", "10000"},
    {numeric, "007.50", "7.5"},
    {numeric, "-245.123000000", "-245.123"},
    {numeric, "0.00001", "0.00001"},
    {numeric, "123456789012345678.123456789", "123456789012345678.123456789"},
    {numeric, "2.45123e2", "245.123"},
    {numeric, "5E-05", "0.00005"},
    {numeric, "0e9999999999", "0"},
    {numeric, "0e-9999999999", "0"},
    {numeric, "-0E-999", "0"},
    {numeric, "12.5" + std::string(20'000, '0'), "12.5"},
    {numeric, std::string(20'000, '0') + "." + std::string(20'000, '0'), "0"},
    {numeric, digits_1000, digits_1000},
    {numeric, "7" + digits_1000, ""},
    {numeric, std::string(2000, '0') + "1.50", "1.5"},
    {numeric, "-" + std::string(2000, '0'), "-0"},
    {numeric, "", ""},
    {numeric, "-", ""},
    {numeric, ".5", ""},
    {numeric, "5.", ""},
    {numeric, "+5", ""},
    {numeric, "NaN", ""},
    {numeric, "1 ", ""},
    {uuid, uuid_text, "0123456789abcdef0123456789abcdef"},
    {uuid, "0123", ""},
    {uuid, "0123456789abcdef0123456789abcdeg", ""},
};

std::string array_of(database::ElementType type, std::string_view element) {
    database::ArrayBinary array(type);
    array.add(element);
    return array.take();
}

std::string bytes(const std::vector<int>& values) {
    return {values.begin(), values.end()};
}

}  // namespace

class ArrayBinaryTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(ArrayBinaryTest);
    CPPUNIT_TEST(elements_are_read_back);
    CPPUNIT_TEST(the_bytes_are_those_of_postgresql);
    CPPUNIT_TEST(a_number_keeps_its_digits_behind_the_point);
    CPPUNIT_TEST(arrays_are_joined);
    CPPUNIT_TEST(a_value_common_to_all_is_kept_once);
    CPPUNIT_TEST(one_element_may_be_had_again_and_again);
    CPPUNIT_TEST_SUITE_END();

public:
    void elements_are_read_back() {
        for (const auto& [type, element, read] : elements) {
            if (read.empty() && type != text) {
                CPPUNIT_ASSERT_THROW_MESSAGE(element, array_of(type, element), std::logic_error);
            } else {
                CPPUNIT_ASSERT_EQUAL_MESSAGE(element, read, tests::elements_of(array_of(type, element)));
            }
        }
    }

    void the_bytes_are_those_of_postgresql() {
        CPPUNIT_ASSERT_EQUAL(bytes({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 25}),
                             database::ArrayBinary(text).take());
        database::ArrayBinary numbers(integer);
        numbers.add_integer(258);
        numbers.add_null();
        CPPUNIT_ASSERT_EQUAL(bytes({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 23, 0,    0,    0,    2,
                                    0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 1, 2,  0xFF, 0xFF, 0xFF, 0xFF}),
                             numbers.take());
        // -12345.6 has three groups of four decimal digits: 1, 2345 and 6000. Their number 3 is followed by
        // the weight 1 (the first group counts 10000 to the power of 1), by 0x4000 for the minus, and by the
        // number 1 of digits after the point.
        CPPUNIT_ASSERT_EQUAL(bytes({0, 0, 0, 14, 0, 3, 0, 1, 0x40, 0, 0, 1, 0, 1, 2345 / 256, 2345 % 256,
                                    6000 / 256, 6000 % 256}),
                             array_of(numeric, "-12345.6").substr(20));
    }

    void a_number_keeps_its_digits_behind_the_point() {
        for (const auto& [number, digits] : {std::pair("1", 0), std::pair("1.50", 2), std::pair("0.000", 3),
                                             std::pair("1.5e-1", 2), std::pair("1.55e1", 1)})
            CPPUNIT_ASSERT_EQUAL_MESSAGE(number, digits, static_cast<int>(array_of(numeric, number).at(31)));
    }

    void arrays_are_joined() {
        database::ArrayBinary first(text);
        database::ArrayBinary second(text);
        first.append(second);
        second.add("b c");
        second.add_null();
        first.append(second);
        first.add("d");
        first.append(second);
        CPPUNIT_ASSERT_EQUAL(std::size_t{5}, first.size());
        CPPUNIT_ASSERT_EQUAL(std::string("b c|NULL|d|b c|NULL"), tests::elements_of(first.take()));
    }

    void a_value_common_to_all_is_kept_once() {
        for (const auto& [sent, kept] : std::vector<std::pair<std::vector<std::string>, std::string>>{
                 {{}, ""},
                 {{"a"}, "a"},
                 {{"a", "a"}, "a"},
                 {{"a", "a", "a"}, "a"},
                 {{"", "", ""}, ""},
                 {{"a", "a", "b"}, "a|a|b"},
                 {{"b", "a", "a"}, "b|a|a"},
                 {{"aa", "a", "aaa"}, "aa|a|aaa"}}) {
            database::ArrayBinary array(text);
            for (const std::string& element : sent) array.add(element);
            array.keep_once();
            CPPUNIT_ASSERT_EQUAL(kept, tests::elements_of(array.take()));
        }
        database::ArrayBinary nulls(text);
        nulls.add_null();
        nulls.add_null();
        nulls.keep_once();
        CPPUNIT_ASSERT_EQUAL(std::string("NULL|NULL"), tests::elements_of(nulls.take()));
        database::ArrayBinary joined(text);
        joined.add("x");
        joined.add("x");
        joined.keep_once();
        database::ArrayBinary other(text);
        other.add("y");
        joined.append(other);
        CPPUNIT_ASSERT_EQUAL(std::string("x|y"), tests::elements_of(joined.take()));
    }

    void one_element_may_be_had_again_and_again() {
        for (const auto& [sent, read] :
             {std::pair(std::vector<std::string>{}, "----"), std::pair(std::vector<std::string>{"a"}, "aaaa"),
              std::pair(std::vector<std::string>{"a", "b"}, "ab--")}) {
            database::ArrayBinary array(text);
            for (const std::string& element : sent) array.add(element);
            const std::string bytes = array.take();
            database::BinaryArray elements(bytes);
            std::string all;
            for (int time = 0; time < 4; ++time) all += elements.next_or_only().value_or("-");
            CPPUNIT_ASSERT_EQUAL(std::string(read), all);
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(ArrayBinaryTest);

}  // namespace data_import
